// The pipelines whose schedules are printed as C++, compiled, and replayed: drawn ones, and those that need
// Params.
#pragma once

#include <string>
#include <vector>

#include "tensordsl/func.h"

namespace tensordsl::replay {

struct ReplayCase {
  std::string name;
  Func unscheduled;  // the definitions
  Func scheduled;    // the same, with a schedule
};

/// The same cases at every call, each made anew.
std::vector<ReplayCase> replay_cases();

/// A schedule as C++, compiled: of the case of the same index.
using ReplayFunction = void (*)(const Func& output);
std::vector<ReplayFunction> replayed_schedules();

}  // namespace tensordsl::replay
