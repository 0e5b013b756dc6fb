#include "tune/trial/schedule_evaluator.h"

#include <fmt/format.h>

#include "base/run_in_parallel.h"
#include "tune/rank/evaluate_schedule.h"

namespace tensordsl::tune {

using search::Evaluation;

ScheduleEvaluator::ScheduleEvaluator(GroupSource source, Options options)
    : source_(std::move(source)),
      options_(std::move(options)),
      group_(source_.prepared()),
      limits_(predict::limits_of(options_.ranking.profile)),
      device_(predict::figures_of(options_.ranking.profile)) {}

std::optional<ScheduleEvaluator::Refusal> ScheduleEvaluator::judged(const predict::KernelUsage& usage) const {
  const predict::Verdict verdict = predict::judge(usage, limits_, options_.ranking.pruning);
  if (verdict.is_kept) return std::nullopt;
  return Refusal{std::string(predict::name_of(verdict.broken)), predict::explain(verdict, usage, limits_)};
}

std::optional<ScheduleEvaluator::Refusal> ScheduleEvaluator::refusal_of_outline(
    const graph::GroupSchedule& schedule) {
  if (!schedule.strategy->outlines) return std::nullopt;
  auto [outlines, is_new] = outlines_.try_emplace(schedule.strategy->name);
  if (is_new) outlines->second = schedule.strategy->outlines(group_, options_.ranking.target);
  const auto outline = outlines->second(schedule.point);
  if (!outline) return Refusal{"extents", "it does not fit the extents"};
  return options_.prunes ? judged(outline->usage) : std::nullopt;
}

std::optional<ScheduleEvaluator::Refusal> ScheduleEvaluator::refusal_of(const Evaluation& evaluation) const {
  if (!evaluation.refusal.empty()) return Refusal{"directives", evaluation.refusal};
  if (!options_.prunes) return std::nullopt;
  for (const predict::KernelUsage& usage : evaluation.usages) {
    if (auto refusal = judged(usage)) return refusal;
  }
  if (evaluation.us <= options_.most_us) return std::nullopt;
  return Refusal{"model", fmt::format("predicted {:.0f} us; the limit, relative to the best, is {:.0f} us",
                                      evaluation.us, options_.most_us)};
}

const Evaluation* ScheduleEvaluator::known(const graph::GroupSchedule& schedule) const {
  const auto evaluation = evaluations_.find(search::text_of(schedule));
  return evaluation == evaluations_.end() ? nullptr : &evaluation->second;
}

std::vector<const Evaluation*> ScheduleEvaluator::evaluate(
    const std::vector<graph::GroupSchedule>& schedules) {
  std::vector<const Evaluation*> results;
  std::vector<std::pair<const graph::GroupSchedule*, Evaluation*>> to_lower;
  const auto refuse = [&](Evaluation& evaluation, const Refusal& refusal) {
    evaluation.refusal = refusal.reason;
    ++refusals_[refusal.kind];
  };
  for (const graph::GroupSchedule& schedule : schedules) {
    const auto [place, is_new] = evaluations_.try_emplace(search::text_of(schedule));
    Evaluation& evaluation = place->second;
    results.push_back(&evaluation);
    if (!is_new) continue;
    if (const auto refusal = refusal_of_outline(schedule)) {
      refuse(evaluation, *refusal);
    } else {
      to_lower.emplace_back(&schedule, &evaluation);
    }
  }
  run_in_parallel(
      static_cast<int>(to_lower.size()),
      [&](int job) {
        const auto& [schedule, evaluation] = to_lower[static_cast<std::size_t>(job)];
        *evaluation = evaluate_schedule(source_.scheduled, *schedule, options_.ranking, device_);
      },
      nullptr, options_.ranking.threads);
  for (const auto& [schedule, evaluation] : to_lower) {
    if (const auto refusal = refusal_of(*evaluation)) refuse(*evaluation, *refusal);
  }
  return results;
}

}  // namespace tensordsl::tune
