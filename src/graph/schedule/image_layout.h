// f32 [1, 64, 56, 56], "d0 d2 d3 d1"   ->   "d0 d2 | d3 d1/4 | d1%4": an image of 56 rows of 56 * 16 texels
// Needs: a buffer's layout.  Gives: the same order in memory, in texels of four elements and in rows that an
// image may have.
#pragma once

#include <optional>

#include "tensordsl/image.h"
#include "tensordsl/stored_tensor.h"

namespace tensordsl::graph {

/// Returns texels in rows and columns, else in layers, else one after the other, as far as the limits allow.
/// There are about as many rows as columns, but columns begin with the dimension `sliding`, along which
/// windows slide: elements outside the tensor are then outside the image. Returns nothing if the extents are
/// not known, four do not divide the innermost one, images hold no such type, or none is so large.
std::optional<Layout> image_layout(const StoredTensor& buffer, std::optional<int> sliding,
                                   const ImageLimits& limits);
/// Returns the layout of the buffer in an image of that kind; nullopt if there is none.
std::optional<Layout> image_layout(const StoredTensor& buffer, ImageKind kind, const ImageLimits& limits);

/// The image that a layout of several groups, the last of which is a texel's four elements, is of; a buffer
/// if it has one group.
std::optional<ImageKind> image_of(const Layout& layout);

}  // namespace tensordsl::graph
