// Finds the source of each element of a layout transformation.
#pragma once

#include <optional>
#include <vector>

#include "classify/access_map.h"
#include "classify/digits.h"
#include "ir/nodes/function.h"

namespace tensordsl::classify {

/// A Func of `Class::Movement` that takes every element from one tensor.
struct Movement {
  Access source;
  /// True if each element of the source is exactly one of the Func: a transpose, a reshape, space to depth.
  bool is_bijective = false;
  /// ... in the row-major order of both: a reshape.
  bool keeps_order = false;
  /// ... at the same index.
  bool is_identity = false;
  /// For a bijective layout transformation of constant extents: by dimension of the source, the digits of
  /// its index. For y(i, hd) = x(hd/64, i, hd%64) they are hd/64; i; hd%64.
  std::vector<std::vector<Digit>> digits = {};
};

/// Returns nullopt if the Func takes elements from several tensors, has a constant at some indices, or is not
/// a layout transformation. `extents` are the Func's; where they or the source's are not constant, only an
/// identity is found. `source_extents`: the extents of the tensor that it reads; empty: the extents of an
/// Input.
std::optional<Movement> movement_of(const ir::Function& function, const std::vector<Expr>& extents,
                                    const std::vector<Expr>& source_extents = {});

}  // namespace tensordsl::classify
