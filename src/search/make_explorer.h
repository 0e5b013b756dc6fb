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

/// `view` must outlive it. `others`: trials of other kernels; only "model" learns from them. Throws Error
/// that lists the names, and for "model" where tensordsl was built without XGBoost.
std::unique_ptr<Explorer> make_explorer(const std::string& name, const SearchView& view, std::uint64_t seed,
                                        std::vector<Trial> others = {});

// The explorers that make_explorer() chooses among.

/// Walks from schedule to neighboring schedule, also to slower ones, the less often the lower the
/// temperature. Source: Kirkpatrick, Gelatt and Vecchi, Optimization by Simulated Annealing (Science 220,
/// 1983).
std::unique_ptr<Explorer> make_annealing_explorer(const SearchView& view, std::uint64_t seed);
/// Children of two fast schedules, with a knob of each that is another one's.
std::unique_ptr<Explorer> make_genetic_explorer(const SearchView& view, std::uint64_t seed);
/// Tries what a model that learns from the trials takes for the fastest. Source: Chen et al., Learning to
/// Optimize Tensor Programs (NeurIPS 2018), section 3. `others`: of other kernels, to begin with.
std::unique_ptr<Explorer> make_model_explorer(const SearchView& view, std::uint64_t seed,
                                              std::unique_ptr<CostModel> model, std::vector<Trial> others);

}  // namespace tensordsl::search
