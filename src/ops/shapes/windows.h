// A window that slides over the spatial dimensions (all but the first two, N and C).
#pragma once

#include "ops/shapes/inferred_node.h"

namespace tensordsl::ops {

/// The window of a convolution or pool, with every default written out: one entry per spatial dimension; pads
/// has the begins, then the ends.
struct Window {
  std::vector<std::int64_t> kernel, strides, dilations, pads;

  /// The window that complete attributes describe.
  static Window of(const Attributes& attributes);
  std::size_t rank() const { return kernel.size(); }
};

namespace shapes {

/// Returns the spatial extents of the pool's input which gave `x`, if they can be known.
Sizes unpooled_extents(const Window& window, const Shape& x);

}  // namespace shapes
}  // namespace tensordsl::ops
