#include "search/new_schedules.h"

namespace tensordsl::search {

void NewSchedules::add(const std::vector<graph::GroupSchedule>& schedules) {
  std::vector<graph::GroupSchedule> fresh;
  for (const graph::GroupSchedule& schedule : schedules) {
    if (!view_.is_known(schedule) && seen_.insert(text_of(schedule)).second) fresh.push_back(schedule);
  }
  const std::vector<const Evaluation*> evaluations = view_.evaluate(fresh);
  for (std::size_t i = 0; i < fresh.size() && !is_full(); ++i) {
    if (evaluations[i]->refusal.empty()) schedules_.push_back(std::move(fresh[i]));
  }
}

void NewSchedules::add_any() {
  constexpr std::int64_t kSmall = 1024;
  if (number_of_schedules(view_.space) > kSmall) return;
  std::vector<graph::GroupSchedule> all;
  for (const StrategyPoints& part : view_.space) {
    schedules::for_each_point(part.space, [&](const schedules::Point& point) {
      all.push_back({part.strategy, point});
    });
  }
  add(all);
}

void fill(NewSchedules& schedules, std::size_t at_once, const std::function<graph::GroupSchedule()>& draw) {
  constexpr int kMostDraws = 64;  // times `at_once`
  for (int draws = 0; draws < kMostDraws && !schedules.is_full(); ++draws) {
    std::vector<graph::GroupSchedule> drawn;
    for (std::size_t i = 0; i < at_once; ++i) drawn.push_back(draw());
    schedules.add(drawn);
  }
  if (!schedules.is_full()) schedules.add_any();
}

}  // namespace tensordsl::search
