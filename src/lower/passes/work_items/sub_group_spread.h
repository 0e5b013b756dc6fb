// alloc t: f32 [40] sub_group { store t[thread0] = ..  if (thread0 < 8) { store t[thread0 + 32] = .. } }   ->
//   of 32 work-items, work-item i holds the elements i and i + 32 of dimension 0
// Needs: work-items mapped, one index for each dimension, no Lets.  Gives: which work-item of a sub-group
// holds which elements of a tensor.
#pragma once

#include <string>

#include "ir/nodes/interval.h"
#include "ir/nodes/stmt.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::lower {

/// Work-item i of n holds the elements i, i + n, ... of a dimension.
struct SubGroupSpread {
  std::size_t dimension = 0;
  bool is_single = false;      // the dimension has one element, which work-item 0 holds
  bool is_everywhere = false;  // and all others as well
};

/// Returns the dimension along which all stores spread the tensor. If there is none, it is a dimension of one
/// element of a tensor that all work-items compute alike. Throws ScheduleError if neither exists.
SubGroupSpread spread_of(const ir::StmtNode& allocation, int lanes, const ir::Bounds& bounds);

/// Reports that the loops of the tensor compute its elements in other work-items than those that hold them.
/// Throws ScheduleError.
[[noreturn]] void fail_to_spread(const std::string& tensor, int lanes);

/// True if the work-item holds the element at this index of the dimension itself.
bool is_own_element(const Expr& index, int lanes, const ir::Bounds& bounds);

/// True if the tensor is stored under a test, or in a loop that may not run.
bool is_partly_computed(const ir::Stmt& stmt, const std::string& tensor);

/// Returns the range of a loop's variable.
ir::Interval range_of_loop(const Expr& min, const Expr& extent, const ir::Bounds& bounds);

}  // namespace tensordsl::lower
