// All strategies.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "schedules/support/strategy.h"

namespace tensordsl::schedules {

/// In the order in which they are tried: the first that applies is taken where nothing else is known. The
/// last applies to every group.
std::span<const Strategy> strategies();
/// Returns all of strategies(), as a list that others can be added to.
std::vector<const Strategy*> all_strategies();

/// Those that a group of a pipeline which its user wrote may have, the first to try first: of the groups that
/// models have, those of strategies(), and what these do not have: outputs with updates, Funcs that are kept
/// for a tile, and sums in tuples.
std::vector<const Strategy*> strategies_for(const definitions::StoredGroup& group);

/// Any of them; null if there is none of that name.
const Strategy* find_strategy(std::string_view name);

}  // namespace tensordsl::schedules
