#include "search/search_space.h"

#include <fmt/format.h>

#include <algorithm>

namespace tensordsl::search {
namespace {

using schedules::Knob;
using schedules::Point;
using schedules::Space;

std::size_t index_below(RandomNumbers& random, std::size_t end) {
  return static_cast<std::size_t>(random.below(end));
}

Point random_point_of(const Space& space, RandomNumbers& random) {
  Point point;
  for (const Knob& knob : space.knobs)
    point.set(knob.name, knob.values[index_below(random, knob.values.size())]);
  return point;
}

const Space& space_of(const SearchSpace& space, const graph::GroupSchedule& schedule) {
  return std::ranges::find(space, schedule.strategy, &StrategyPoints::strategy)->space;
}

/// Returns mostly the previous or next value, else any other.
int other_value(const Knob& knob, int value, RandomNumbers& random) {
  constexpr double kJump = 0.25;
  const auto found = std::ranges::find(knob.values, value);
  const auto at = static_cast<std::size_t>(found - knob.values.begin());
  const std::size_t last = knob.values.size() - 1;
  if (found == knob.values.end() || random.with_probability(kJump)) {
    const std::size_t other = index_below(random, last);
    return knob.values[other + (other >= at ? 1 : 0)];
  }
  const bool goes_up = at == 0 || (at != last && random.with_probability(0.5));
  return knob.values[goes_up ? at + 1 : at - 1];
}

}  // namespace

std::string text_of(const graph::GroupSchedule& schedule) {
  return fmt::format("{}: {}", schedule.strategy->name, schedules::to_string(schedule.point));
}

std::int64_t number_of_schedules(const SearchSpace& space) {
  std::int64_t sum = 0;
  for (const StrategyPoints& part : space) sum += schedules::number_of_points(part.space);
  return sum;
}

bool contains(const SearchSpace& space, const graph::GroupSchedule& schedule) {
  const auto part = std::ranges::find(space, schedule.strategy, &StrategyPoints::strategy);
  return part != space.end() && schedules::contains(part->space, schedule.point);
}

graph::GroupSchedule random_schedule(const SearchSpace& space, RandomNumbers& random) {
  auto place = random.below(static_cast<std::uint64_t>(number_of_schedules(space)));
  for (const StrategyPoints& part : space) {
    const auto points = static_cast<std::uint64_t>(schedules::number_of_points(part.space));
    if (place < points) return {part.strategy, random_point_of(part.space, random)};
    place -= points;
  }
  return {space.front().strategy, space.front().space.first};
}

graph::GroupSchedule random_point(const SearchSpace& space, RandomNumbers& random) {
  const StrategyPoints& part = space[index_below(random, space.size())];
  return {part.strategy, random_point_of(part.space, random)};
}

graph::GroupSchedule neighbor(const SearchSpace& space, const graph::GroupSchedule& schedule,
                              RandomNumbers& random) {
  std::vector<const Knob*> knobs;
  for (const Knob& knob : space_of(space, schedule).knobs) {
    if (knob.values.size() > 1) knobs.push_back(&knob);
  }
  graph::GroupSchedule other = schedule;
  constexpr double kSecondKnob = 0.3;
  for (int changes = random.with_probability(kSecondKnob) ? 2 : 1; changes > 0 && !knobs.empty(); --changes) {
    const std::size_t at = index_below(random, knobs.size());
    const Knob& knob = *knobs[at];
    other.point.set(knob.name, other_value(knob, other.point[knob.name], random));
    knobs.erase(knobs.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return other;
}

graph::GroupSchedule crossover(const graph::GroupSchedule& a, const graph::GroupSchedule& b,
                               RandomNumbers& random) {
  graph::GroupSchedule child = a;
  if (a.strategy != b.strategy) return child;
  for (const auto& [name, value] : b.point.values()) {
    if (random.with_probability(0.5)) child.point.set(name, value);
  }
  return child;
}

}  // namespace tensordsl::search
