// Loops of products whose factors go through local memory.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "definitions/stored_group.h"
#include "schedules/product/choose_staged_tile.h"
#include "schedules/product/product_parts.h"
#include "schedules/support/point_outline.h"
#include "schedules/support/wanted_storage.h"

namespace tensordsl::schedules {

/// Numbers of one access.
constexpr int kStagedLanes = 4;

/// The knobs of how a tile is cut among work-items, and `buffers`, the last; first as `tile` has it.
Space staged_space(const StagedProblem& problem, const StagedTile& tile);

/// The channels of weights that lie tile by tile (add_weight_layouts); 1 where the tiles overlap.
int packed_channels(const ProductParts& parts, const StagedTile& tile);

/// The layouts of constant weights, by operand of the group (schedules/product/weight_layouts.h).
WantedStorage staged_weight_layouts(const definitions::StoredGroup& group, const ProductParts& parts,
                                    const StagedTile& tile);

/// Estimates the resources and the cost of a tile of the problem.
PointOutline outline_of(const StagedProblem& problem, const StagedTile& tile, const Target& target);

/// Returns a layout with the dimension `inner` innermost and before a gap, the others in their order.
Layout with_innermost(int rank, int inner, int gap);

/// Fuses `loops`, which must be adjacent, and distributes the result over all work-items of a group; adjacent
/// work-items take adjacent iterations. Returns the innermost loop over work-items.
Var share_places(Func f, const std::vector<Var>& loops, const StagedTile& tile);

/// Distributes the vectors of `f` over all work-items of a group; neighbors take neighboring ones. `places`:
/// the loops over these, the outermost first; `vector`: the innermost of them. Returns the innermost loop
/// over work-items.
Var share_vectors(Func f, std::vector<Var> places, const Var& vector, const StagedTile& tile);

/// The loops of a Func over rows, pixels and channels of a tile.
struct TileLoops {
  std::optional<Var> rows;
  Var pixels, channels;
};

/// A work-group for each tile of the output. Gives the innermost loop over tiles, and those in a tile.
std::pair<Var, TileLoops> run_tiles_as_groups(const ProductParts& p, const StagedTile& tile);

/// Gives each work-item its rows, pixels and vectors of channels in the tile, and its slice if there are
/// slices. Neighboring work-items have neighboring vectors. Returns the innermost loop over work-items.
Var run_by_items(Func f, const TileLoops& loops, const std::optional<Var>& slices, const StagedTile& tile);

/// A Func that holds the sum or its parts, and the dimensions of it that are the output's pixel and channel.
struct Results {
  Func func;
  int pixel = 0, channel = 0;
};

/// The results of one work-item in registers; `outer` runs around them, `inner` for each number of them.
void keep_in_registers(Stage stage, const Results& results, std::vector<Var> outer,
                       const std::optional<Var>& inner = std::nullopt);

}  // namespace tensordsl::schedules
