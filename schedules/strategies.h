// All strategies.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "schedules/support/strategy.h"

namespace tensordsl::schedules {

/// Returns the strategies in the order in which they are tried; without tuning, the first that applies is
/// used. The last applies to every group.
std::span<const Strategy> strategies();
/// Returns all of strategies(), as a list that others can be added to.
std::vector<const Strategy*> all_strategies();

/// Returns the strategies for a group of a user's pipeline, in the order in which to try them. For groups of
/// models, those are strategies(). Others handle outputs with updates, Funcs that are computed for each tile,
/// and sums in tuples.
std::vector<const Strategy*> strategies_for(const definitions::StoredGroup& group);

/// Returns the strategy of that name; null if there is none.
const Strategy* find_strategy(std::string_view name);

}  // namespace tensordsl::schedules
