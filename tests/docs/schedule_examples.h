// The examples of docs/SCHEDULES.md: a definition, the directives that are shown, and those that stand before
// them.
#pragma once

#include <string>
#include <vector>

#include "tensordsl/tensordsl.h"

namespace tensordsl::docs {

struct ScheduleExample {
  std::string name;       // of the block in the document
  std::string directive;  // whose section it is in
  std::string code;       // the directives in their compiled form
  Func before, after;     // the pipeline without and with them
  std::string stage;      // the output that is shown: "nest", or "cl", the body of the kernels
};

std::vector<ScheduleExample> schedule_examples();

}  // namespace tensordsl::docs
