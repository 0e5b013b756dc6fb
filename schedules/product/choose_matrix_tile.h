// Chooses the tile of a matrix product that runs on matrix units (tensor cores).
#pragma once

#include <cstdint>
#include <optional>

#include "schedules/product/choose_staged_tile.h"

namespace tensordsl::schedules {

/// A work-group has row_warps x pixel_warps x channel_warps sub-groups of 32, each of which computes
/// 16*row_tiles pixels of 8*column_tiles channels.
struct MatrixProductTile {
  int row_tiles = 1, column_tiles = 1;
  int pixel_warps = 1, channel_warps = 1, row_warps = 1;
  int depth = 16;
  int buffers = 1;  ///< copies of each tile in local memory: 2 if the next one is read during the computation

  int warps() const { return pixel_warps * channel_warps * row_warps; }
  int columns() const { return 16 * row_tiles * pixel_warps; }
  int channels() const { return 8 * column_tiles * channel_warps; }
};

/// True if the tile is no larger than the problem and its chunks are whole.
bool fits(const StagedProblem& problem, const MatrixProductTile& tile, const Target& target);

/// Returns the tile with the lowest estimated cost; nullopt if none fits.
std::optional<MatrixProductTile> choose_matrix_tile(const StagedProblem& problem, const Target& target);

}  // namespace tensordsl::schedules
