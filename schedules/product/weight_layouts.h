// Layouts of the weights of a tile of channels in memory.
#pragma once

#include <optional>
#include <string>

#include "classify/classify.h"
#include "definitions/stored_group.h"
#include "schedules/support/wanted_storage.h"
#include "tensordsl/layout.h"

namespace tensordsl::schedules {

/// Returns the layout that add_weight_layouts gives `operand`, constant or not; nullopt if it is not a factor
/// of the sum, or a tile does not read it only by channels and steps.
std::optional<Layout> weight_layout(const definitions::StoredGroup& group,
                                    const classify::Classification& sum, const Func& operand,
                                    const std::string& channel, int tile, int together = 1);

/// Adds the layout of each constant that is a factor of the sum, or from which a factor is computed:
/// [batches] [channels of a tile] [taps] [other steps] [channel in the tile], so that a tile reads contiguous
/// whole vectors. If each channel has inputs of its own, there are no tiles. `channel`: the dimension of the
/// sum; `tile`: its channels, 1 if tiles may begin anywhere; `together`: steps that are read at once, the
/// innermost of all.
void add_weight_layouts(const definitions::StoredGroup& group, const classify::Classification& sum,
                        const std::string& channel, int tile, WantedStorage& wanted, int together = 1);

}  // namespace tensordsl::schedules
