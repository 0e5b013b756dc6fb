// The size of a register tile, from an analytic model: no trials.
#pragma once

#include <cstdint>

#include "schedules/support/target_of_profile.h"

namespace tensordsl::schedules {

/// A reduction over `steps` points for each of channels x pixels x rows outputs; channels are contiguous.
struct TileProblem {
  std::int64_t channels = 1;
  std::int64_t pixels = 1;  ///< extent of the second-innermost dimension
  std::int64_t rows = 1;    ///< everything else; several of the innermost dimension may be in a tile
  std::int64_t steps = 1;
  bool shares_weights = true;    ///< a weight serves all pixels of the tile (convolution, not pooling)
  bool broadcasts_input = true;  ///< an input element serves all channels of the tile (not depthwise)
};

/// A configuration of tiled_reduction.
struct Tile {
  int lanes = 1;    ///< elements of a vector, along the channels
  int vectors = 1;  ///< vectors of channels per work-item
  int pixels = 1;   ///< per work-item
  int rows = 1;     ///< rows of pixels, per work-item
  int serial = 1;   ///< tiles along the pixels that one work-item computes one after the other
  int channel_threads = 1, pixel_threads = 1;  ///< work-items of a group
  /// Neighboring work-groups of one work-item have the same pixels and other channels, not the other way
  /// around.
  bool channels_first = false;

  int channels() const { return lanes * vectors; }
};

/// Estimates the issue slots of one reduction step of a tile of that size, in units of a multiply-add of
/// vectors.
double step_cost(const TileProblem& problem, const Tile& tile);

/// Estimates the time of a tile of that size, in a unit of its own. choose_tile compares it for any of its
/// configurations.
double cost_of(const TileProblem& problem, const Tile& tile, const Target& target);

/// channels() and pixels are at most the problem's. Where channels() does not divide the problem's, the last
/// tile overlaps the one before.
Tile choose_tile(const TileProblem& problem, const Target& target);

}  // namespace tensordsl::schedules
