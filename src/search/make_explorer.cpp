#include "search/make_explorer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "search/new_schedules.h"
#include "tensordsl/error.h"

namespace tensordsl::search {
namespace {

/// Any schedule of the space: what better explorers are compared with.
class RandomExplorer final : public Explorer {
 public:
  RandomExplorer(const SearchView& view, std::uint64_t seed) : view_(view), random_(seed) {}

  std::vector<graph::GroupSchedule> propose(std::size_t count) override {
    NewSchedules schedules(view_, count);
    fill(schedules, count, [&] { return random_schedule(view_.space, random_); });
    return schedules.take();
  }

 private:
  const SearchView& view_;
  RandomNumbers random_;
};

}  // namespace

const std::vector<std::string>& explorer_names() {
  static const std::vector<std::string> names{"model", "anneal", "genetic", "random"};
  return names;
}

std::string default_explorer() { return has_boosted_trees() ? "model" : "genetic"; }

std::unique_ptr<Explorer> make_explorer(const std::string& name, const SearchView& view, std::uint64_t seed,
                                        std::vector<Trial> others) {
  if (name == "random") return std::make_unique<RandomExplorer>(view, seed);
  if (name == "anneal") return make_annealing_explorer(view, seed);
  if (name == "genetic") return make_genetic_explorer(view, seed);
  if (name != "model")
    throw Error(fmt::format("unknown explorer \"{}\"; the explorers are {}", name,
                            fmt::join(explorer_names(), ", ")));
  std::unique_ptr<CostModel> model = make_boosted_trees(seed);
  if (!model) {
    throw Error(
        "the explorer \"model\" needs XGBoost, which this build does not have (on Debian: libxgboost-dev); "
        "use random, anneal or genetic");
  }
  return make_model_explorer(view, seed, std::move(model), std::move(others));
}

}  // namespace tensordsl::search
