// Tensors with constant borders.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/nodes/function.h"

namespace tensordsl::classify {

/// A Func that takes its elements from one tensor, each dimension shifted by a number, and a constant where
/// that has none.
struct Padding {
  ir::FunctionPtr source;
  std::vector<std::int64_t> offsets;  ///< element d of the Func is element d + offset of the source
  std::vector<bool> has_border;  ///< true for each dimension in which the constant is outside of the source
  Expr value;
};

/// Returns the padding that a Func is; nullopt if it is not one. Needs: the extents of the tensor that it
/// reads. `extents`: of the Func itself, if it is not read outside of them.
std::optional<Padding> padding_of(const ir::Function& function, const std::vector<Expr>& source_extents,
                                  const std::vector<Expr>& extents = {});

/// Returns `outer`, which reads a tensor of `extents`, and `inner`, which computes that tensor, as one
/// padding of the tensor that `inner` reads. Nullopt if the constants differ, or a border would replace
/// elements that `inner` leaves out.
std::optional<Padding> composed(const Padding& outer, const Padding& inner, const std::vector<Expr>& extents,
                                const std::vector<Expr>& source_extents);

}  // namespace tensordsl::classify
