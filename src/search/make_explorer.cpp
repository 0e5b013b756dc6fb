#include "search/make_explorer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "search/annealing_explorer.h"
#include "search/genetic_explorer.h"
#include "search/model_explorer.h"
#include "search/random_explorer.h"
#include "tensordsl/error.h"

namespace tensordsl::search {

const std::vector<std::string>& explorer_names() {
  static const std::vector<std::string> names{"model", "anneal", "genetic", "random"};
  return names;
}

std::string default_explorer() { return has_boosted_trees() ? "model" : "genetic"; }

std::unique_ptr<Explorer> make_explorer(const std::string& name, const SearchView& view, std::uint64_t seed,
                                        std::vector<Trial> others) {
  if (name == "random") return std::make_unique<RandomExplorer>(view, seed);
  if (name == "anneal") return std::make_unique<AnnealingExplorer>(view, seed);
  if (name == "genetic") return std::make_unique<GeneticExplorer>(view, seed);
  if (name != "model")
    throw Error(
        fmt::format("there is no explorer \"{}\"; there are {}", name, fmt::join(explorer_names(), ", ")));
  std::unique_ptr<CostModel> model = make_boosted_trees(seed);
  if (!model) {
    throw Error(
        "the explorer \"model\" needs XGBoost, and this tensordsl was built without it (on Debian: "
        "libxgboost-dev); the others need nothing");
  }
  return std::make_unique<ModelExplorer>(view, seed, std::move(model), std::move(others));
}

}  // namespace tensordsl::search
