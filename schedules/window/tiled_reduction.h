// Convolutions, matrix products, depthwise convolutions, poolings: a register tile of vectors per work-item,
// accumulated over the reduction; fused consumers are applied when it is stored.
#pragma once

#include "schedules/support/strategy.h"

namespace tensordsl::schedules {

/// For groups with one anchor, a reduction with the dimensions of the output. Knobs
/// (schedules/window/choose_tile.h): `lanes`, `vectors`, `pixels`, `serial`, `channel_threads`,
/// `pixel_threads`, `channels_first`, and `unrolled`, the innermost reduction axes that are unrolled.
/// Constant weights lie as a tile reads them: its channels together, reduction steps in between.
bool applies_tiled_reduction(const definitions::StoredGroup& group, const Target& target);
Space tiled_reduction_space(const definitions::StoredGroup& group, const Target& target);
WantedStorage tiled_reduction_storage(const definitions::StoredGroup& group, const Point& point);
void apply_tiled_reduction(const definitions::StoredGroup& group, const Point& point, const Target& target);
PointOutlines tiled_reduction_outlines(const definitions::StoredGroup& group, const Target& target);
/// Texels are along a tile's channels, or along the innermost reduction axis, whose steps are unrolled by
/// four.
bool tiled_reduction_reads_texels(const definitions::StoredGroup& group, const Point& point,
                                  std::size_t operand);
bool tiled_reduction_writes_texels(const definitions::StoredGroup& group, const Point& point);

constexpr Strategy tiled_reduction() {
  return {.name = "tiled_reduction",
          .applies = applies_tiled_reduction,
          .space = tiled_reduction_space,
          .wanted_storage = tiled_reduction_storage,
          .apply = apply_tiled_reduction,
          .reads_texels = tiled_reduction_reads_texels,
          .writes_texels = tiled_reduction_writes_texels,
          .outlines = tiled_reduction_outlines};
}

}  // namespace tensordsl::schedules
