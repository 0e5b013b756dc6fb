// f(x, y) computed inside a kernel, y vectorized   ->   a tile in the order "x y"
// f(x, y) computed at the root, [64, n], bound     ->   a buffer of 64*n elements, or the image of its layout
// Needs: placed Producers.  Gives: the type, layout and extents of every tensor that is not substituted away;
// size and image of those outside the kernels.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "lower/lower.h"
#include "lower/stages.h"

namespace tensordsl::lower {

/// Plans the type, layout and extents of every stored tensor. Throws ScheduleError if a tensor has no such
/// image, is too large to be indexed, or does not fit constant memory.
Tensors plan_storage(const std::vector<ir::FunctionPtr>& functions, const std::vector<Producer>& producers,
                     const PlacedFunctions& placed, const std::set<std::string>& parameters,
                     const LowerOptions& options);

}  // namespace tensordsl::lower
