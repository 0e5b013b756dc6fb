#include "definitions/stored_group.h"

#include <fmt/format.h>

#include "schedule/func_schedule.h"
#include "tensordsl/error.h"

namespace tensordsl::definitions {

const classify::Classification& StoredGroup::class_of(const ir::Function& function) const {
  const auto found = classes.find(&function);
  if (found == classes.end())
    throw InternalError(fmt::format("{} has no classification in group {}", function.name, label));
  return found->second;
}

const classify::Classification& StoredGroup::class_of(const Func& func) const {
  return class_of(static_cast<const ir::Function&>(func.contents()));
}

void classify_funcs(StoredGroup& group) {
  group.classes.clear();
  for (const auto* funcs : {&group.prologue, &group.anchors, &group.epilogue}) {
    for (const Func& func : *funcs)
      group.classes.emplace(&func.contents(), classify::classify(func.contents()));
  }
}

}  // namespace tensordsl::definitions
