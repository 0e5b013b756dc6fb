// A space with a fastest schedule that is known, for tests.
#pragma once

#include <cmath>

#include "search/explorer.h"
#include "search/search_space.h"

namespace tensordsl::search {

inline const schedules::Strategy kFirst{"first", nullptr, nullptr, nullptr, nullptr};
inline const schedules::Strategy kSecond{"second", nullptr, nullptr, nullptr, nullptr};

inline SearchSpace some_space() {
  return {
      {&kFirst,
       {{{"a", {1, 2, 4, 8, 16, 32}}, {"b", {1, 2, 3, 4, 5, 6, 7, 8}}, {"c", {0, 1}}, {"d", {1, 2, 4, 8}}},
        {{"a", 1}, {"b", 1}, {"c", 0}, {"d", 1}}}},
      {&kSecond, {{{"a", {1, 2, 4}}}, {{"a", 1}}}}};
}

/// Least, 10, at a=8 b=5 c=1 d=4 of the first strategy.
inline double us_of(const graph::GroupSchedule& schedule) {
  if (schedule.strategy == &kSecond) return 60.0 - schedule.point["a"];
  const double a = std::log2(schedule.point["a"] / 8.0), b = schedule.point["b"] - 5,
               d = std::log2(schedule.point["d"] / 4.0);
  return 10 + 5 * a * a + b * b + 3 * d * d + (schedule.point["c"] == 1 ? 0 : 7);
}

/// A fake environment for explorers, with trials that end at once.
class Laboratory {
 public:
  Laboratory() = default;
  Laboratory(const Laboratory&) = delete;
  Laboratory& operator=(const Laboratory&) = delete;

  void run(const std::vector<graph::GroupSchedule>& schedules) {
    for (const graph::GroupSchedule& schedule : schedules)
      trials_.push_back({schedule, {}, {.us = us_of(schedule)}});
  }
  double best() const {
    double best = INFINITY;
    for (const Trial& trial : trials_) best = std::min(best, *trial.measured.us);
    return best;
  }
  const std::vector<Trial>& trials() const { return trials_; }
  const SearchView& view() const { return view_; }
  std::size_t evaluations() const { return evaluations_.size(); }

 private:
  /// The device's model is wrong because it does not know c. Configurations with a=32 are refused.
  const Evaluation* evaluated(const graph::GroupSchedule& schedule) {
    const auto [place, is_new] = evaluations_.try_emplace(text_of(schedule));
    Evaluation& evaluation = place->second;
    if (is_new) {
      for (const auto& [name, value] : schedule.point.values()) evaluation.features[name] = value;
      evaluation.us =
          us_of(schedule) - (schedule.point.values().contains("c") ? 7.0 * (1 - schedule.point["c"]) : 0);
      if (schedule.point["a"] == 32) evaluation.refusal = "too large";
    }
    return &evaluation;
  }

  SearchSpace space_ = some_space();
  std::vector<Trial> trials_;
  std::vector<graph::GroupSchedule> likely_{{&kFirst, space_[0].space.first}};
  std::map<std::string, Evaluation> evaluations_;
  SearchView view_{space_, trials_, likely_,
                   [this](const std::vector<graph::GroupSchedule>& schedules) {
                     std::vector<const Evaluation*> results;
                     for (const graph::GroupSchedule& schedule : schedules)
                       results.push_back(evaluated(schedule));
                     return results;
                   },
                   [this](const graph::GroupSchedule& schedule) {
                     for (const Trial& trial : trials_) {
                       if (text_of(trial.schedule) == text_of(schedule)) return true;
                     }
                     return false;
                   }};
};

}  // namespace tensordsl::search
