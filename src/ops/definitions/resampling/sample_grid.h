// The positions that a grid of GridSample asks for.
#pragma once

#include <string>
#include <vector>

#include "ops/definitions/resampling/interpolation.h"
#include "ops/operator_operands.h"

namespace tensordsl::ops::definitions {

/// `element`, which may be outside [0, extent), thrown back at the borders.
Expr reflected_element(const Expr& element, const Size& extent, bool align_corners);

/// Returns the position along dimension `dim` of planes of `extents` that the grid, input `grid`, has at
/// `at`. Attributes: align_corners and padding_mode.
SamplePlace grid_place(const OperatorOperands& operands, std::size_t grid, std::vector<Expr> at,
                       std::size_t dim, const Sizes& extents, const std::string& mode = "linear");

}  // namespace tensordsl::ops::definitions
