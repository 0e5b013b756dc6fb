// All the ways to run a kernel: the configurations of every strategy that applies to it.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "graph/stages/scheduled_group.h"
#include "schedules/support/strategy.h"

namespace tensordsl::search {

/// Pseudo-random numbers that are the same on every machine for the same seed: the standard library's
/// distributions are not.
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : engine_(seed) {}

  /// In [0, end). Needs: end > 0.
  std::uint64_t below(std::uint64_t end) { return engine_() % end; }
  /// In [0, 1).
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1.0p-53; }
  bool with_probability(double p) { return unit() < p; }

 private:
  std::mt19937_64 engine_;
};

/// The configurations of one strategy.
struct StrategyPoints {
  const schedules::Strategy* strategy = nullptr;
  schedules::Space space;
};

using SearchSpace = std::vector<StrategyPoints>;

/// "tiled_reduction: lanes=16 pixels=7": the same for equal schedules.
std::string text_of(const graph::GroupSchedule& schedule);

std::int64_t number_of_schedules(const SearchSpace& space);
bool contains(const SearchSpace& space, const graph::GroupSchedule& schedule);

/// Every schedule is as likely as any other. Needs: a space that is not empty.
graph::GroupSchedule random_schedule(const SearchSpace& space, RandomNumbers& random);
/// Draws a strategy, then a configuration of it: strategies with few configurations come up as often as those
/// with many.
graph::GroupSchedule random_point(const SearchSpace& space, RandomNumbers& random);

/// Returns the schedule with one knob changed, or now and then two; mostly to an adjacent value.
graph::GroupSchedule neighbor(const SearchSpace& space, const graph::GroupSchedule& schedule,
                              RandomNumbers& random);
/// Combines two schedules: takes the value of each knob from one of them. Needs: two configurations of one
/// strategy; for two strategies it returns `a`.
graph::GroupSchedule crossover(const graph::GroupSchedule& a, const graph::GroupSchedule& b,
                               RandomNumbers& random);

}  // namespace tensordsl::search
