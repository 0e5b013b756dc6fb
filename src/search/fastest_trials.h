// Trials -> those that were timed, the fastest first
#pragma once

#include <cstddef>
#include <vector>

#include "search/trial.h"

namespace tensordsl::search {

/// Returns the fastest trials, at most `most`; of equal ones the earlier first.
std::vector<Trial> fastest_trials(const std::vector<Trial>& trials, std::size_t most);

}  // namespace tensordsl::search
