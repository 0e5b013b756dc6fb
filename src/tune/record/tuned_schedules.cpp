#include "tune/record/tuned_schedules.h"

#include <algorithm>

#include "records/kernel_key.h"
#include "tensordsl/error.h"
#include "tune/graph_choices.h"
#include "tune/record/trial_record.h"

namespace tensordsl::tune {
namespace {

/// The distance in doublings beyond which one kernel says nothing of the other.
constexpr double kFarthest = 4;

/// True if the schedule is known to fit without lowering it, which takes as long as compiling does.
bool fits(const graph::ScheduleQuery& query, const graph::GroupSchedule& schedule) {
  if (schedule.strategy->outlines)
    return schedule.strategy->outlines(query.group, query.target)(schedule.point).has_value();
  try {
    graph::ScheduledGroup group = query.scheduled(schedule);
    graph::apply_schedule(group.group, schedule, group.target);
    return true;
  } catch (const ScheduleError&) {
    return false;
  }
}

}  // namespace

TunedSchedules::TunedSchedules(const std::vector<records::TuningRecord>& records, HwProfile profile,
                               std::optional<DeviceInfo> device)
    : profile_(std::move(profile)), device_(std::move(device)) {
  for (const records::TuningRecord& record : records) {
    if (!record.us) continue;
    if (record.is_apart()) {
      const auto [us, is_first] = apart_us_.try_emplace(record.kernel.structure, *record.us);
      us->second = std::min(us->second, *record.us);
      continue;
    }
    const auto [known, is_new] = best_.try_emplace(record.kernel.structure, record);
    if (is_new) {
      families_[record.kernel.family].push_back(&known->second);
    } else if (record.is_better_than(known->second)) {
      known->second = record;
    }
  }
}

std::optional<graph::GroupSchedule> TunedSchedules::find(const graph::ScheduleQuery& query) const {
  if (const auto known = best_.find(query.key.structure); known != best_.end()) {
    // A record of another version, or an edited one, may not fit.
    const auto schedule = schedule_of(known->second, query.group, query.target);
    return schedule && fits(query, *schedule) ? schedule : std::nullopt;
  }
  const records::TuningRecord* near = nearest(query.key);
  if (!near) return std::nullopt;
  const auto schedule = schedule_of(*near, query.group, query.target);
  if (!schedule) return std::nullopt;
  const search::Evaluation there = evaluated(query, *schedule);
  if (!there.refusal.empty()) return std::nullopt;
  const search::Evaluation first = evaluated(query, query.first);
  return first.refusal.empty() && first.us < there.us ? std::nullopt : schedule;
}

bool TunedSchedules::is_better_apart(const std::string& structure) const {
  if (apart_us_.empty()) return false;
  const auto apart = apart_us_.find(structure);
  if (apart == apart_us_.end()) return false;
  const auto whole = best_.find(structure);
  return whole == best_.end() || pays_apart(apart->second, *whole->second.us);
}

const records::TuningRecord* TunedSchedules::nearest(const records::KernelKey& key) const {
  const auto family = families_.find(key.family);
  if (family == families_.end()) return nullptr;
  const records::TuningRecord* near = *std::ranges::min_element(
      family->second, {},
      [&](const records::TuningRecord* record) { return records::distance(record->kernel, key); });
  return records::distance(near->kernel, key) <= kFarthest ? near : nullptr;
}

search::Evaluation TunedSchedules::evaluated(const graph::ScheduleQuery& query,
                                             const graph::GroupSchedule& schedule) const {
  RankingOptions options;
  options.target = query.target;
  options.device = device_;
  options.profile = profile_;
  return evaluate_schedule(query.scheduled, schedule, options, predict::figures_of(profile_));
}

}  // namespace tensordsl::tune
