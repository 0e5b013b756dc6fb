#include "tune/record/trial_record.h"

#include <cmath>

#include "schedules/strategies.h"
#include "tensordsl/error.h"

namespace tensordsl::tune {

records::TuningRecord record_of(const search::Trial& trial, const records::KernelKey& kernel,
                                const records::DeviceKey& device, const std::string& operators) {
  records::TuningRecord record;
  record.kernel = kernel;
  record.device = device;
  record.operators = operators;
  record.strategy = trial.schedule.strategy->name;
  record.point = schedules::to_string(trial.schedule.point);
  record.us = trial.measured.us;
  record.failure = trial.measured.failure;
  record.features = trial.predicted.features;
  return record;
}

std::optional<graph::GroupSchedule> schedule_of(const records::TuningRecord& record,
                                                const definitions::StoredGroup& group, const Target& target) {
  const schedules::Strategy* strategy = schedules::find_strategy(record.strategy);
  if (!strategy || !strategy->applies(group, target)) return std::nullopt;
  try {
    graph::GroupSchedule schedule{strategy, schedules::parse_point(record.point)};
    if (!schedules::contains(strategy->space(group, target), schedule.point)) return std::nullopt;
    return schedule;
  } catch (const ParseError&) {
    return std::nullopt;
  }
}

search::Evaluation prediction_of(const records::TuningRecord& record) {
  search::Evaluation prediction;
  const auto us = record.features.find("us");
  if (us == record.features.end()) return prediction;
  prediction.us = std::exp2(us->second) - 1;
  prediction.features = record.features;
  return prediction;
}

std::vector<search::Trial> learned_trials(const std::vector<records::TuningRecord>& records) {
  std::vector<search::Trial> trials;
  for (const records::TuningRecord& record : records) {
    if (!record.us || *record.us <= 0) continue;
    search::Trial trial;
    trial.predicted = prediction_of(record);
    trial.measured.us = record.us;
    if (trial.predicted.us > 0) trials.push_back(std::move(trial));
  }
  return trials;
}

}  // namespace tensordsl::tune
