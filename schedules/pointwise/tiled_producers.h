// Tiles of the output whose producers are computed once for the tile: stencils over stencils.
#pragma once

#include "schedules/support/strategy.h"

namespace tensordsl::schedules {

/// For one pure output over Funcs that are kept for a tile (Group::kept). On a GPU these are in local memory,
/// and the work-items of the group share them; elsewhere a thread has them to itself. Knobs: `rows` and
/// `columns` of a tile, `lanes` of a vector, `items` of a work-group; `planes`: on a GPU a tile has all of
/// the output's planes if these are few, such as colors, so that shared values are computed once.
bool applies_tiled_producers(const definitions::StoredGroup& group, const Target& target);
Space tiled_producers_space(const definitions::StoredGroup& group, const Target& target);
/// Estimates each configuration from the elements that a tile computes, including those that other tiles
/// compute too.
PointOutlines tiled_producers_outlines(const definitions::StoredGroup& group, const Target& target);
void apply_tiled_producers(const definitions::StoredGroup& group, const Point& point, const Target& target);

constexpr Strategy tiled_producers() {
  return {"tiled_producers",
          applies_tiled_producers,
          tiled_producers_space,
          nullptr,
          apply_tiled_producers,
          nullptr,
          nullptr,
          {},
          tiled_producers_outlines};
}

}  // namespace tensordsl::schedules
