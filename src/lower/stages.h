// The working form of a pipeline at the start of lowering.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "ir/stmt.h"
#include "schedule/schedule.h"

namespace tensordsl::lower {

/// A Func that gets loops of its own, with definitions that read other tensors by Load, one index per
/// dimension.
struct Producer {
  const schedule::ScheduledFunction* function = nullptr;
  std::vector<ir::Definition> definitions;
};

/// The box of a Func that is computed: for each dimension, [min, min + extent).
struct Range {
  Expr min;
  Expr extent;
};
using Box = std::vector<Range>;

/// The loops of one stage of a Func that is computed at the root, or of a specialization of it: it becomes
/// one kernel.
struct RootNest {
  std::string function;
  int stage = 0;
  ir::Stmt body;
  int specialization = -1;
  Expr condition = {};  // of the specialization
  Expr otherwise =
      {};  // of those that come before: it runs where they do not hold. Either is undefined if there is none
  std::set<std::string> private_copies =
      {};  // what each work-item holds of a tile between reading and sharing it
  std::set<std::string> synchronized = {};  // tiles that have their barriers
};

/// "conv.x" for the pure definition, "conv.1.x" for the first update.
std::string loop_name(const std::string& function, int stage, const std::string& axis);
/// Whether the loop is one of the pure definition, which writes no element twice, or the same value again.
bool is_pure_loop_of(const std::string& function, const std::string& loop);

}  // namespace tensordsl::lower
