#include "tune/trial/task_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "schedules/strategies.h"
#include "search/fastest_trials.h"
#include "search/make_explorer.h"
#include "tensordsl/error.h"
#include "tune/record/trial_record.h"
#include "tune/trial/expected_outputs.h"

namespace tensordsl::tune {
namespace {

using records::TuningRecord;
using search::text_of;

search::SearchSpace space_of(const Ranking& ranking, const definitions::StoredGroup& group,
                             const Target& target) {
  search::SearchSpace space;
  for (const StrategySpace& part : ranking.spaces) {
    const schedules::Strategy* strategy = schedules::find_strategy(part.strategy);
    space.push_back({strategy, strategy->space(group, target)});
  }
  return space;
}

RankingOptions with_pruning(RankingOptions options, const Ranking& ranking) {
  options.pruning = ranking.pruning;
  return options;
}

double most_us(const Ranking& ranking) {
  double best = INFINITY;
  for (const search::Trial& candidate : ranking.candidates) best = std::min(best, candidate.predicted.us);
  return predict::kHopelesslySlow * best;
}

}  // namespace

TaskSearch::TaskSearch(GroupSource source, TaskSearchOptions options, records::KernelKey kernel,
                       records::DeviceKey device, const std::vector<TuningRecord>& known,
                       const std::vector<TuningRecord>& others)
    : source_(std::move(source)),
      options_(std::move(options)),
      kernel_(std::move(kernel)),
      device_(std::move(device)),
      group_(source_.prepared()),
      ranking_(rank_candidates(source_, options_.ranking)),
      space_(space_of(ranking_, group_, options_.ranking.target)),
      evaluator_(source_, {with_pruning(options_.ranking, ranking_), options_.prunes, most_us(ranking_)}),
      view_{space_, trials_, likely_,
            [this](const auto& schedules) { return evaluator_.evaluate(schedules); },
            [this](const graph::GroupSchedule& schedule) { return trial_of_.contains(text_of(schedule)); }} {
  const auto ranked = std::ranges::find_if(
      ranking_.candidates, [&](const search::Trial& candidate) { return ranking_.is_first(candidate); });
  if (!ranking_.candidates.empty()) {
    likeliest_schedule_ = ranking_.candidates.front().schedule;
    first_schedule_ = ranked == ranking_.candidates.end() ? likeliest_schedule_ : ranked->schedule;
  }
  if (options_.tuned) likeliest_schedule_ = first_schedule_ = *options_.tuned;
  take_likely(others);
  take_known(known);
  explorer_ =
      search::make_explorer(options_.explorer.empty() ? search::default_explorer() : options_.explorer, view_,
                            options_.seed, learned_trials(others));
}

/// Collects the schedules to begin with: from earlier trials, from the device's model, and the fastest ones
/// of the nearest kernels.
void TaskSearch::take_likely(const std::vector<TuningRecord>& others) {
  if (options_.tuned) likely_.push_back(*options_.tuned);
  if (!options_.prunes) return;
  for (const search::Trial& candidate : ranking_.candidates) likely_.push_back(candidate.schedule);
  std::set<std::string> structures;
  std::size_t place = std::min<std::size_t>(1, likely_.size());
  constexpr std::size_t kMostNear = 4;
  for (const TuningRecord& record : others) {
    if (record.kernel.family != kernel_.family || !record.us) continue;
    if (structures.size() == kMostNear || !structures.insert(record.kernel.structure).second) continue;
    const auto schedule = schedule_of(record, group_, options_.ranking.target);
    // A schedule that fits one size may not fit another.
    if (!schedule || !evaluator_.evaluate({*schedule})[0]->refusal.empty()) continue;
    likely_.insert(likely_.begin() + static_cast<std::ptrdiff_t>(place++), *schedule);
  }
}

void TaskSearch::take_known(const std::vector<TuningRecord>& known) {
  for (const TuningRecord& record : known) {
    const auto schedule = schedule_of(record, group_, options_.ranking.target);
    if (!schedule) continue;
    // To evaluate all of them takes long.
    const search::Evaluation* evaluation = known_evaluation(*schedule);
    add_trial({*schedule,
               evaluation ? *evaluation : prediction_of(record),
               {.us = record.us, .failure = record.failure}});
  }
  choose_best();
}

void TaskSearch::add_trial(search::Trial trial) {
  const auto [place, is_new] = trial_of_.try_emplace(text_of(trial.schedule), trials_.size());
  if (is_new) {
    trials_.push_back(std::move(trial));
  } else {
    trials_[place->second] = std::move(trial);
  }
}

TuningRecord TaskSearch::add_measured(const graph::GroupSchedule& schedule, const measure::Measured& result) {
  if (!result.us) failures_.push_back(fmt::format("{}: {}", text_of(schedule), result.failure));
  if (!place_of(schedule)) ++new_trials_;
  const search::Trial trial{schedule, evaluation_of(schedule), result};
  add_trial(trial);
  return record_of_trial(trial);
}

TuningRecord TaskSearch::record_of_trial(const search::Trial& trial) const {
  return record_of(trial, kernel_, device_, group_.label);
}

std::optional<std::size_t> TaskSearch::place_of(const graph::GroupSchedule& schedule) const {
  const auto place = trial_of_.find(text_of(schedule));
  return place == trial_of_.end() ? std::nullopt : std::optional(place->second);
}

void TaskSearch::choose_best() {
  best_.reset();
  for (std::size_t i = 0; i < trials_.size(); ++i) {
    const std::optional<double>& us = trials_[i].measured.us;
    if (us && (!best_ || *us < *best_us())) best_ = i;
  }
  first_ = place_of(first_schedule_);
}

const search::Evaluation* TaskSearch::known_evaluation(const graph::GroupSchedule& schedule) const {
  // The default stays a candidate where its evaluation refuses it.
  const std::string text = text_of(schedule);
  const auto ranked = std::ranges::find_if(ranking_.candidates, [&](const search::Trial& candidate) {
    return text_of(candidate.schedule) == text;
  });
  return ranked != ranking_.candidates.end() ? &ranked->predicted : evaluator_.known(schedule);
}

const search::Evaluation& TaskSearch::evaluation_of(const graph::GroupSchedule& schedule) {
  const search::Evaluation* known = known_evaluation(schedule);
  return known ? *known : *evaluator_.evaluate({schedule})[0];
}

/// Returns the untuned default, then the likely candidates of each strategy, then the next likely ones.
std::vector<graph::GroupSchedule> TaskSearch::beginning(std::size_t most) const {
  std::vector<graph::GroupSchedule> chosen;
  std::set<std::string> texts;
  const auto add = [&](const graph::GroupSchedule& schedule) {
    if (chosen.size() < most && !view_.is_known(schedule) && texts.insert(text_of(schedule)).second)
      chosen.push_back(schedule);
  };
  if (!options_.prunes) return chosen;
  add(first_schedule_);
  std::set<std::string_view> strategies;
  for (const search::Trial& candidate : ranking_.candidates) {
    const bool is_new = strategies.insert(candidate.schedule.strategy->name).second;
    // A strategy that is out of question is not tried for being another one.
    if (is_new &&
        candidate.predicted.us <= predict::kHopelesslySlow * ranking_.candidates.front().predicted.us)
      add(candidate.schedule);
  }
  for (const graph::GroupSchedule& schedule : likely_) add(schedule);
  return chosen;
}

std::vector<graph::LoweredGroup> TaskSearch::lowered_groups(
    const std::vector<graph::GroupSchedule>& schedules) const {
  graph::LoweringOptions lowering = options_.lowering;
  lowering.progress = nullptr;
  const auto lowered = [&](const std::vector<graph::GroupSchedule>& some) {
    std::vector<graph::ScheduledGroup> groups;
    for (const graph::GroupSchedule& schedule : some) groups.push_back(source_.scheduled(schedule));
    return graph::lower_groups(groups, lowering);
  };
  try {
    return lowered(schedules);
  } catch (const ModelError&) {
    // A tile may reach further than the output, outside of an Input: then that schedule has failed.
    std::vector<graph::LoweredGroup> one_by_one;
    for (const graph::GroupSchedule& schedule : schedules) {
      try {
        one_by_one.push_back(lowered({schedule}).front());
      } catch (const ModelError& error) {
        one_by_one.push_back({nullptr, error.what()});
      }
    }
    return one_by_one;
  }
}

std::vector<measure::Measured> TaskSearch::measured(measure::Measurer& measurer,
                                                    const std::vector<graph::GroupSchedule>& schedules,
                                                    const StepHooks& hooks) {
  const std::vector<graph::LoweredGroup> lowered = lowered_groups(schedules);
  measure::Request request;
  for (const graph::LoweredGroup& one : lowered) request.programs.push_back(one.program);
  if (!expected_) {
    request = request_for(group_, std::move(request.programs));
    const bool has_any = std::ranges::any_of(request.programs, [](const auto& p) { return p != nullptr; });
    if (has_any) expected_ = request.expected;
  } else {
    request.expected = *expected_;
  }
  request.between = options_.between;
  measure::MeasureHooks asked;
  asked.should_stop = hooks.should_stop;
  if (hooks.failed) {
    asked.failed = [&](std::size_t program, const measure::Measured& failure) {
      // Where all are wrong, the schedules are not the cause; and one that was right before has not failed.
      if (!failure.is_wrong && !us_at(place_of(schedules[program])))
        hooks.failed(record_of_trial({schedules[program], {}, failure}));
    };
  }
  std::vector<measure::Measured> results = measurer.measure(request, asked);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!request.programs[i]) results[i].failure = lowered[i].refusal;
    // A timer may be coarser than a kernel is short.
    constexpr double kLeast = 1e-3;
    if (results[i].us) results[i].us = std::max(kLeast, *results[i].us);
  }
  return results;
}

/// Times apparent winners once more against only the first: of many that are equally fast, the fastest
/// measurement is too low (selection bias), and the second time is not.
void TaskSearch::confirm(measure::Measurer& measurer, const std::vector<graph::GroupSchedule>& batch,
                         std::vector<measure::Measured>& results, const StepHooks& hooks) {
  std::vector<std::size_t> places;
  for (std::size_t i = 1; i < results.size(); ++i) {
    if (results[i].us && *results[i].us < *results.front().us) places.push_back(i);
  }
  std::ranges::stable_sort(places, {}, [&](std::size_t i) { return *results[i].us; });
  constexpr std::size_t kMost = 3;
  if (places.size() > kMost) places.resize(kMost);
  if (places.empty()) return;
  std::vector<graph::GroupSchedule> again{batch.front()};
  for (const std::size_t i : places) again.push_back(batch[i]);
  const std::vector<measure::Measured> confirmed = measured(measurer, again, hooks);
  for (std::size_t i = 1; i < results.size(); ++i) {
    // A schedule that was not among them is not better than they are.
    if (results[i].us && *results[i].us < *results.front().us) results[i].us = results.front().us;
  }
  for (std::size_t j = 0; j < places.size(); ++j) {
    const measure::Measured& now = confirmed[j + 1];
    measure::Measured& result = results[places[j]];
    if (!now.us) {
      result = now;
    } else if (confirmed.front().us) {
      result.us = *now.us * *results.front().us / *confirmed.front().us;
    }
  }
}

std::vector<TuningRecord> TaskSearch::step(measure::Measurer& measurer, std::size_t most,
                                           const StepHooks& hooks) {
  std::vector<TuningRecord> records;
  if (most == 0 || ranking_.candidates.empty() || !suspicion_.empty()) return records;
  std::vector<graph::GroupSchedule> proposals = beginning(most);
  if (proposals.size() < most && (best_ || !options_.prunes)) {
    for (graph::GroupSchedule& more : explorer_->propose(most - proposals.size())) {
      const bool is_there = std::ranges::any_of(
          proposals, [&](const graph::GroupSchedule& p) { return text_of(p) == text_of(more); });
      if (!is_there) proposals.push_back(std::move(more));
    }
  }
  if (proposals.empty()) return records;
  std::vector<graph::GroupSchedule> batch;
  if (best_) batch.push_back(best());
  batch.insert(batch.end(), proposals.begin(), proposals.end());
  std::vector<measure::Measured> results = measured(measurer, batch, hooks);
  const bool is_any_right = std::ranges::any_of(results, [](const auto& m) { return m.us.has_value(); });
  const bool is_any_wrong = std::ranges::any_of(results, [](const auto& m) { return m.is_wrong; });
  // Where nothing agrees with the definitions, not even schedules that did before, the schedules are not the
  // cause.
  if (is_any_wrong && !is_any_right) {
    suspicion_ = std::ranges::find_if(results, [](const auto& m) { return m.is_wrong; })->failure;
    return records;
  }
  if (best_ && results.front().us) confirm(measurer, batch, results, hooks);
  const double correction = best_ && results.front().us ? *best_us() / *results.front().us : 1;
  for (std::size_t i = best_ ? 1 : 0; i < batch.size(); ++i) {
    measure::Measured& result = results[i];
    if (!result.us && result.failure.empty()) continue;  // it was stopped
    if (result.us) *result.us *= correction;
    records.push_back(add_measured(batch[i], result));
  }
  choose_best();
  return records;
}

/// Returns the ratio by which the device has become slower, by the fastest schedule or, if that fails now, by
/// the first that was timed both times.
double TaskSearch::drift_since(const std::vector<graph::GroupSchedule>& schedules,
                               const std::vector<measure::Measured>& results) const {
  std::optional<double> drift;
  for (std::size_t i = 0; i < schedules.size(); ++i) {
    const auto place = place_of(schedules[i]);
    const auto before = us_at(place);
    if (before && results[i].us && (!drift || place == best_)) drift = *results[i].us / *before;
  }
  return drift.value_or(1);
}

std::vector<TuningRecord> TaskSearch::settle(measure::Measurer& measurer, const StepHooks& hooks) {
  constexpr std::size_t kMost = 3;
  std::vector<TuningRecord> records;
  std::vector<graph::GroupSchedule> schedules;
  // A schedule that failed is not tried again.
  if (!first_ || first_us()) schedules.push_back(first_schedule_);
  const std::size_t most = schedules.size() + kMost;
  for (const search::Trial& trial : search::fastest_trials(trials_, kMost + 1)) {
    if (schedules.size() < most && text_of(trial.schedule) != text_of(first_schedule_))
      schedules.push_back(trial.schedule);
  }
  if (schedules.size() < 2) return records;
  const std::vector<measure::Measured> results = measured(measurer, schedules, hooks);
  if (std::ranges::none_of(results, [](const auto& m) { return m.us.has_value(); })) return records;
  const double drift = drift_since(schedules, results);
  for (search::Trial& trial : trials_) {
    if (trial.measured.us) *trial.measured.us *= drift;
  }
  for (std::size_t i = 0; i < schedules.size(); ++i) {
    const bool was_stopped = !results[i].us && results[i].failure.empty();
    if (was_stopped) continue;
    TuningRecord record = add_measured(schedules[i], results[i]);
    if (!record.us) records.push_back(std::move(record));
  }
  choose_best();
  // Records of one kernel are compared with each other, so those of corrected times are kept again.
  for (const search::Trial& trial : trials_) {
    if (trial.measured.us) records.push_back(record_of_trial(trial));
  }
  return records;
}

}  // namespace tensordsl::tune
