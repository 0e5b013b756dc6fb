// Chooses the tile of a product whose factors go through local memory, or that it is not used.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "schedules/support/target_of_profile.h"

namespace tensordsl::schedules {

/// A sum of products, channels last.
struct StagedProblem {
  std::int64_t channels = 1;
  std::int64_t pixels = 1;  ///< neighbors that share weights
  std::int64_t rows = 1;    ///< rows of pixels; a tile may have several
  std::int64_t others = 1;  ///< whatever else is computed: batches
  std::int64_t depth = 1;   ///< steps along which the input lies in memory
  std::int64_t taps = 1;    ///< other steps, for each of which a tile of the input is read again
  std::int64_t stride = 1;  ///< stride of the input from pixel to pixel
  std::int64_t row_stride = 1;
  std::int64_t window = 1;  ///< neighboring positions of the input that a chunk has for each pixel
};

/// A work-group has row_threads x pixel_threads x channel_threads work-items, each of which computes
/// pixels x 4*vectors results.
struct StagedTile {
  int vectors = 1, channel_threads = 1;
  int pixels = 1, pixel_threads = 1;
  int row_threads = 1;
  int depth = 4;     ///< steps of a tile in local memory
  int slices = 1;    ///< number of such tiles, each with work-items of its own
  int buffers = 1;   ///< copies of each tile: 2 if the next one is read during the computation
  int unrolled = 4;  ///< steps that a loop writes out

  int items() const { return channel_threads * pixel_threads * row_threads * slices; }
  int channels() const { return 4 * vectors * channel_threads; }
  int columns() const { return pixels * pixel_threads; }
  friend bool operator==(const StagedTile&, const StagedTile&) = default;
};

/// Bytes of local memory that a work-group of the tile takes.
std::int64_t local_bytes(const StagedProblem& problem, const StagedTile& tile);
/// Bytes that a work-group reads for a chunk.
std::int64_t chunk_bytes(const StagedProblem& problem, const StagedTile& tile);
/// Counts the 32-bit registers of a work-item.
int registers_of(const StagedTile& tile);
/// Returns the clocks from the start of a kernel to its end, without the cost of the launch.
double cost_of(const StagedProblem& problem, const StagedTile& tile, const Target& target);
/// Returns the default number of steps that a loop over a chunk unrolls.
int unrolled_of(const StagedProblem& problem);
/// True if the tile is no larger than the problem and its chunks are whole.
bool fits(const StagedProblem& problem, const StagedTile& tile, const Target& target);

/// Returns candidates for the number of work-items along `extent` positions, where each has at most
/// `most_places` of them: 1, 2, 4, .., and those that cover all.
std::vector<int> staged_threads(std::int64_t extent, int most_places, int most_threads);

/// Chooses the tile with the lowest estimated cost; with a window, a chunk has all of the depth. Nullopt if
/// no tile fits, because there are few channels or few steps. Needs: a target with local memory on chip.
std::optional<StagedTile> choose_staged_tile(const StagedProblem& problem, const Target& target);

}  // namespace tensordsl::schedules
