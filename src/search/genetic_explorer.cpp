#include "search/make_explorer.h"

#include <algorithm>

#include "search/fastest_trials.h"
#include "search/new_schedules.h"

namespace tensordsl::search {
namespace {

constexpr std::size_t kGeneticPopulation = 24;
constexpr double kMutation = 0.5;
constexpr double kNewcomer = 0.1;

/// Parents are the faster of a few that are drawn from the fastest; a child has each knob from one of the
/// two, and is changed in a knob with some probability.
class GeneticExplorer final : public Explorer {
 public:
  GeneticExplorer(const SearchView& view, std::uint64_t seed) : view_(view), random_(seed) {}
  std::vector<graph::GroupSchedule> propose(std::size_t count) override;

 private:
  const SearchView& view_;
  RandomNumbers random_;
};

std::vector<graph::GroupSchedule> GeneticExplorer::propose(std::size_t count) {
  const std::vector<Trial> population = fastest_trials(view_.trials, kGeneticPopulation);
  // The population is sorted: the lower of two indices is the faster.
  const auto parent = [&]() -> const graph::GroupSchedule& {
    const std::uint64_t a = random_.below(population.size()), b = random_.below(population.size());
    return population[static_cast<std::size_t>(std::min(a, b))].schedule;
  };
  NewSchedules schedules(view_, count);
  fill(schedules, count, [&] {
    if (population.empty() || random_.with_probability(kNewcomer)) return random_point(view_.space, random_);
    const graph::GroupSchedule& mother = parent();
    graph::GroupSchedule child = crossover(mother, parent(), random_);
    return random_.with_probability(kMutation) || child.point == mother.point
               ? neighbor(view_.space, child, random_)
               : child;
  });
  return schedules.take();
}

}  // namespace

std::unique_ptr<Explorer> make_genetic_explorer(const SearchView& view, std::uint64_t seed) {
  return std::make_unique<GeneticExplorer>(view, seed);
}

}  // namespace tensordsl::search
