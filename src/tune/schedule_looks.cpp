#include "tune/schedule_looks.h"

#include <fmt/format.h>

#include "base/run_in_parallel.h"
#include "search/features.h"
#include "tune/look_at_schedule.h"

namespace tensordsl::tune {

using search::Look;

ScheduleLooks::ScheduleLooks(GroupSource source, Options options)
    : source_(std::move(source)),
      options_(std::move(options)),
      group_(source_.prepared()),
      limits_(predict::limits_of(options_.ranking.profile)),
      device_(predict::figures_of(options_.ranking.profile)) {}

std::optional<ScheduleLooks::Refusal> ScheduleLooks::judged(const predict::KernelUsage& usage) const {
  const predict::Verdict verdict = predict::judge(usage, limits_, options_.ranking.pruning);
  if (verdict.is_kept) return std::nullopt;
  return Refusal{std::string(predict::name_of(verdict.broken)), predict::explain(verdict, usage, limits_)};
}

std::optional<ScheduleLooks::Refusal> ScheduleLooks::refusal_of_outline(const ChosenSchedule& schedule) {
  if (!schedule.strategy->outlines) return std::nullopt;
  auto [outlines, is_new] = outlines_.try_emplace(schedule.strategy->name);
  if (is_new) outlines->second = schedule.strategy->outlines(group_, options_.ranking.target);
  const auto outline = outlines->second(schedule.point);
  if (!outline) return Refusal{"extents", "it does not fit the extents"};
  return options_.prunes ? judged(outline->usage) : std::nullopt;
}

ScheduleLooks::Entry ScheduleLooks::lowered(const ChosenSchedule& schedule) const {
  const Looked looked = look_at_schedule(source_, schedule, options_.ranking, device_);
  Entry entry;
  if (!looked.refusal.empty()) {
    entry.kind = "directives";
    entry.look.refusal = looked.refusal;
    return entry;
  }
  entry.look.predicted_us = looked.candidate.us;
  entry.look.features = search::features_of(schedule, looked.works, looked.usages, looked.candidate.kernels);
  if (!options_.prunes) return entry;
  for (const predict::KernelUsage& usage : looked.usages) {
    if (const auto refusal = judged(usage)) {
      entry.kind = refusal->kind;
      entry.look.refusal = refusal->reason;
      return entry;
    }
  }
  if (looked.candidate.us > options_.most_us) {
    entry.kind = "model";
    entry.look.refusal = fmt::format("{:.0f} us are predicted, and of the best {:.0f} at most",
                                     looked.candidate.us, options_.most_us);
  }
  return entry;
}

const Look* ScheduleLooks::known(const ChosenSchedule& schedule) const {
  const auto look = looks_.find(search::text_of(schedule));
  return look == looks_.end() ? nullptr : &look->second;
}

std::vector<const Look*> ScheduleLooks::look(const std::vector<ChosenSchedule>& schedules) {
  std::vector<std::string> texts;
  std::vector<std::size_t> to_lower;
  for (std::size_t i = 0; i < schedules.size(); ++i) {
    texts.push_back(search::text_of(schedules[i]));
    const auto [look, is_new] = looks_.try_emplace(texts[i]);
    if (!is_new) continue;
    if (const auto refusal = refusal_of_outline(schedules[i])) {
      look->second.refusal = refusal->reason;
      ++refusals_[refusal->kind];
    } else {
      to_lower.push_back(i);
    }
  }
  std::vector<Entry> entries(to_lower.size());
  run_in_parallel(
      static_cast<int>(to_lower.size()),
      [&](int job) {
        const auto j = static_cast<std::size_t>(job);
        entries[j] = lowered(schedules[to_lower[j]]);
      },
      nullptr, options_.ranking.threads);
  for (std::size_t j = 0; j < to_lower.size(); ++j) {
    if (!entries[j].kind.empty()) ++refusals_[entries[j].kind];
    looks_[texts[to_lower[j]]] = std::move(entries[j].look);
  }
  std::vector<const Look*> looks;
  for (const std::string& text : texts) looks.push_back(&looks_.at(text));
  return looks;
}

}  // namespace tensordsl::tune
