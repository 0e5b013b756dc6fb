// The pipelines whose schedules are printed as C++, compiled, and replayed: drawn ones, and those that need
// Params.
#pragma once

#include <string>
#include <vector>

#include "tensordsl/func.h"

namespace tensordsl::replay {

struct ReplayCase {
  std::string name;
  std::vector<Func> unscheduled;  // the outputs, with their definitions
  std::vector<Func> scheduled;    // the same, with a schedule
};

/// Builds the cases, which are equal at every call, anew.
std::vector<ReplayCase> replay_cases();

/// A schedule as C++, compiled: of the case of the same index.
using ReplayFunction = void (*)(const std::vector<Func>& outputs);
std::vector<ReplayFunction> replayed_schedules();

}  // namespace tensordsl::replay
