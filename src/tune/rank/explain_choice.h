// Why a group runs as it does, as text.
#pragma once

#include <string>

#include "tune/rank/rank_candidates.h"

namespace tensordsl::tune {

/// The spaces with what pruning left out of them, the ten best points with what bounds each, and examples of
/// what was left out.
std::string explain_choice(const Ranking& ranking);

}  // namespace tensordsl::tune
