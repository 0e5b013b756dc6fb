#include "search/genetic_explorer.h"

#include <algorithm>

#include "search/fastest_trials.h"
#include "search/new_schedules.h"

namespace tensordsl::search {
namespace {

constexpr std::size_t kGeneticPopulation = 24;
constexpr double kMutation = 0.5;
constexpr double kNewcomer = 0.1;

}  // namespace

std::vector<ChosenSchedule> GeneticExplorer::propose(std::size_t count) {
  const std::vector<Trial> population = fastest_trials(view_.trials, kGeneticPopulation);
  // The population is sorted: the lower of two places is the faster.
  const auto parent = [&]() -> const ChosenSchedule& {
    const std::uint64_t a = random_.below(population.size()), b = random_.below(population.size());
    return population[static_cast<std::size_t>(std::min(a, b))].schedule;
  };
  NewSchedules schedules(view_, count);
  fill(schedules, count, [&] {
    if (population.empty() || random_.with_probability(kNewcomer)) return random_point(view_.space, random_);
    const ChosenSchedule& mother = parent();
    ChosenSchedule child = crossover(mother, parent(), random_);
    return random_.with_probability(kMutation) || child.point == mother.point
               ? neighbor(view_.space, child, random_)
               : child;
  });
  return schedules.take();
}

}  // namespace tensordsl::search
