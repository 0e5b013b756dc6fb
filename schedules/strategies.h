// All strategies.
#pragma once

#include <span>
#include <string_view>

#include "schedules/strategy.h"

namespace tensordsl::schedules {

/// In the order in which they are tried: the first that applies is taken where nothing else is known. The
/// last applies to every group.
std::span<const Strategy> strategies();
/// Null if there is none of that name.
const Strategy* find_strategy(std::string_view name);

}  // namespace tensordsl::schedules
