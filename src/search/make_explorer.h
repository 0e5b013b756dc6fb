// The explorers by their names.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "search/cost_model.h"
#include "search/explorer.h"

namespace tensordsl::search {

/// "model", "anneal", "genetic", "random".
const std::vector<std::string>& explorer_names();
/// "model" where there is XGBoost, else "genetic".
std::string default_explorer();

/// `view` must outlive it. `others`: what was timed of other kernels; only "model" learns from it. Throws
/// Error that lists the names, and for "model" where tensordsl was built without XGBoost.
std::unique_ptr<Explorer> make_explorer(const std::string& name, const SearchView& view, std::uint64_t seed,
                                        std::vector<Trial> others = {});

}  // namespace tensordsl::search
