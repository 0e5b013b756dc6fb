// for out.xo in [0, 14) block0 { for out.xi in [0, 4) thread0 { s } }   ->
//   s with out.xo := block0, out.xi := thread0; 14 work-groups of 4 work-items
// Needs: one nest per kernel.  Gives: a body without block and thread loops; every allocation's memory
// decided; barriers where work-items of a group exchange data; stores of a smaller nest left to part of the
// group.
#pragma once

#include <array>

#include "lower/stages.h"

namespace tensordsl::lower {

struct WorkItemBody {
  ir::Stmt body;
  std::array<Expr, 3> groups;
  std::array<int, 3> group_size{1, 1, 1};
  int sub_group_size = 0;  // work-items of dimension 0, if they meet as a sub-group
};

inline constexpr const char* kBlockNames[3] = {"block0", "block1", "block2"};
inline constexpr const char* kThreadNames[3] = {"thread0", "thread1", "thread2"};

/// Throws ScheduleError if a block loop is not outermost, a dimension is mapped twice, or a thread loop's
/// extent is not constant.
WorkItemBody map_work_items(const RootNest& nest);

}  // namespace tensordsl::lower
