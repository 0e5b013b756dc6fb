// Evaluates schedules without running them, each once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "search/explorer.h"
#include "tune/rank/rank_candidates.h"

namespace tensordsl::tune {

class ScheduleEvaluator {
 public:
  struct Options {
    RankingOptions ranking;
    /// True if schedules that break a criterion are refused, and schedules that take longer than `most_us` by
    /// the model.
    bool prunes = true;
    double most_us = 0;
  };

  ScheduleEvaluator(GroupSource source, Options options);

  /// Returns one evaluation for each schedule; the pointers stay valid. Schedules are lowered in parallel.
  std::vector<const search::Evaluation*> evaluate(const std::vector<graph::GroupSchedule>& schedules);

  /// Returns the evaluation of a schedule, or null if it was not evaluated.
  const search::Evaluation* known(const graph::GroupSchedule& schedule) const;

  /// Counts the refused schedules by reason: "cache", "registers", .. (predict::name_of), "extents",
  /// "directives" and "model".
  const std::map<std::string, std::int64_t>& refusals() const { return refusals_; }

 private:
  struct Refusal {
    std::string kind, reason;
  };

  std::optional<Refusal> judged(const predict::KernelUsage& usage) const;
  std::optional<Refusal> refusal_of_outline(const graph::GroupSchedule& schedule);
  std::optional<Refusal> refusal_of(const search::Evaluation& evaluation) const;

  GroupSource source_;
  Options options_;
  definitions::StoredGroup group_;
  predict::PruningLimits limits_;
  predict::DeviceFigures device_;
  std::map<std::string_view, schedules::PointOutlines> outlines_;  // by strategy; null: it has none
  std::map<std::string, search::Evaluation> evaluations_;          // by text
  std::map<std::string, std::int64_t> refusals_;
};

}  // namespace tensordsl::tune
