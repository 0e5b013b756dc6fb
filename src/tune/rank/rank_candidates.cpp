#include "tune/rank/rank_candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/run_in_parallel.h"
#include "schedules/strategies.h"
#include "tune/rank/evaluate_schedule.h"
#include "tune/rank/near_points.h"

namespace tensordsl::tune {
namespace {

using schedules::Point;
using schedules::Strategy;

struct Estimate {
  Point point;
  double cost = 0;
};

/// The configurations of least cost; equal ones are in their own order.
class BestEstimates {
 public:
  explicit BestEstimates(std::size_t most) : most_(most) {}

  void add(const Point& point, double cost) {
    if (most_ == 0 || (best_.size() == most_ && cost >= best_.back().cost)) return;
    const auto place = std::ranges::upper_bound(best_, cost, {}, &Estimate::cost);
    best_.insert(place, {point, cost});
    if (best_.size() > most_) best_.pop_back();
  }

  std::vector<Point> take() {
    std::vector<Point> points;
    for (Estimate& estimate : best_) points.push_back(std::move(estimate.point));
    return points;
  }

 private:
  std::size_t most_;
  std::vector<Estimate> best_;
};

/// Returns the space with the default value of each knob that no static resource estimate depends on.
schedules::Space outlined_part(schedules::Space space) {
  for (schedules::Knob& knob : space.knobs) {
    if (!knob.is_outlined) knob.values = {space.first[knob.name]};
  }
  return space;
}

/// Returns the configurations that are worth lowering.
std::vector<Point> points_of(const Strategy& strategy, const schedules::Space& space,
                             const definitions::StoredGroup& group, const RankingOptions& options,
                             const predict::PruningLimits& limits, StrategySpace& result) {
  result.points = schedules::number_of_points(space);
  const auto most = static_cast<std::size_t>(options.most_lowered);
  if (!strategy.outlines) return near_points(space, most);
  const schedules::PointOutlines outline_of = strategy.outlines(group, options.target);
  const schedules::Space outlined = outlined_part(space);
  const std::int64_t alike = result.points / std::max<std::int64_t>(1, schedules::number_of_points(outlined));
  BestEstimates best(most);
  schedules::for_each_point(outlined, [&](const Point& point) {
    const auto outline = outline_of(point);
    if (!outline) {
      result.unfit += alike;
    } else if (predict::keeps(outline->usage, limits, options.pruning, result.on_points, alike)) {
      best.add(point, outline->cost);
    }
  });
  std::vector<Point> points{space.first};
  const auto add = [&](const Point& point) {
    if (points.size() < most && std::ranges::count(points, point) == 0) points.push_back(point);
  };
  // The other knobs are varied from the best configuration, and from the default one.
  const std::vector<Point> estimated = best.take();
  for (const Point& point : {estimated.empty() ? space.first : estimated.front(), space.first}) {
    for (const schedules::Knob& knob : space.knobs) {
      if (knob.is_outlined) continue;
      for (const int value : knob.values) {
        Point other = point;
        other.set(knob.name, value);
        add(other);
      }
    }
  }
  for (const Point& point : estimated) add(point);
  return points;
}

/// The kernel of a candidate that breaks a criterion says why it is left out.
std::string reason_to_leave_out(const search::Evaluation& evaluation, const predict::PruningLimits& limits,
                                const RankingOptions& options, StrategySpace& space) {
  for (const predict::KernelUsage& usage : evaluation.usages) {
    const predict::Verdict verdict = predict::judge(usage, limits, options.pruning);
    if (verdict.is_kept) continue;
    ++space.on_kernels.seen;
    ++space.on_kernels.left_out[static_cast<std::size_t>(verdict.broken)];
    return fmt::format("{}: {}", predict::name_of(verdict.broken), predict::explain(verdict, usage, limits));
  }
  ++space.on_kernels.seen;
  ++space.on_kernels.kept;
  return "";
}

double predicted_us(const search::Trial& trial) { return trial.predicted.us; }

Ranking ranked(const GroupSource& source, const RankingOptions& options) {
  Ranking ranking;
  ranking.pruning = options.pruning;
  const definitions::StoredGroup group = source.prepared();
  const predict::PruningLimits limits = predict::limits_of(options.profile);
  const predict::DeviceFigures device = predict::figures_of(options.profile);
  const std::vector<const Strategy*> all =
      options.strategies.empty() ? schedules::all_strategies() : options.strategies;
  ranking.first = options.compiled.value_or(graph::first_schedule(all, group, options.target));
  // The default configuration of each strategy comes first: a strategy far from the best of them goes no
  // further.
  std::vector<search::Trial> trials;
  std::vector<const Strategy*> strategies;
  std::vector<schedules::Space> spaces;  // by strategy
  std::vector<std::size_t> space_of;
  for (const Strategy* strategy : all) {
    const bool is_fallback = ranking.first.strategy->fallback == strategy->name;
    if (!is_fallback && !strategy->applies(group, options.target)) continue;
    ranking.spaces.push_back({std::string(strategy->name), 0, {}, 0, {}, 0});
    strategies.push_back(strategy);
    space_of.push_back(space_of.size());
    spaces.push_back(strategy->space(group, options.target));
    trials.push_back({{strategy, spaces.back().first}});
    trials.back().predicted = evaluate_schedule(source.scheduled, trials.back().schedule, options, device);
  }
  double best = INFINITY;
  for (const search::Trial& trial : trials) {
    if (trial.predicted.refusal.empty()) best = std::min(best, trial.predicted.us);
  }
  for (std::size_t i = 0; i < strategies.size(); ++i) {
    std::vector<Point> points =
        points_of(*strategies[i], spaces[i], group, options, limits, ranking.spaces[i]);
    const search::Trial& of_first = trials[i];
    if (of_first.predicted.refusal.empty() && of_first.predicted.us > predict::kHopelesslySlow * best)
      continue;
    std::erase(points, of_first.schedule.point);
    const bool has_compiled = strategies[i] == ranking.first.strategy &&
                              ranking.first.point != of_first.schedule.point &&
                              std::ranges::count(points, ranking.first.point) == 0;
    if (has_compiled) points.push_back(ranking.first.point);
    for (Point& point : points) {
      trials.push_back({{strategies[i], std::move(point)}});
      space_of.push_back(i);
    }
  }
  const std::size_t firsts = strategies.size();
  run_in_parallel(
      static_cast<int>(trials.size() - firsts),
      [&](int job) {
        search::Trial& trial = trials[firsts + static_cast<std::size_t>(job)];
        trial.predicted = evaluate_schedule(source.scheduled, trial.schedule, options, device);
      },
      nullptr, options.threads);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    StrategySpace& space = ranking.spaces[space_of[i]];
    std::string& refusal = trials[i].predicted.refusal;
    if (!refusal.empty()) {
      ++space.refused;
    } else {
      refusal = reason_to_leave_out(trials[i].predicted, limits, options, space);
      // The default is kept in any case, so that there is a schedule.
      if (ranking.is_first(trials[i])) refusal.clear();
    }
    (refusal.empty() ? ranking.candidates : ranking.left_out).push_back(std::move(trials[i]));
  }
  std::ranges::stable_sort(ranking.candidates, {}, predicted_us);
  const auto taken = std::ranges::find_if(
      ranking.candidates, [&](const search::Trial& candidate) { return ranking.is_first(candidate); });
  if (taken != ranking.candidates.end() &&
      taken->predicted.us <= ranking.candidates.front().predicted.us * (1 + predict::kModelError))
    std::rotate(ranking.candidates.begin(), taken, taken + 1);
  return ranking;
}

/// Returns the criterion that leaves out most, if nothing is left of any strategy: most of the lowered
/// kernels or, if it left out none of these, most of the configurations that were not lowered.
std::optional<predict::Criterion> useless_criterion(const Ranking& ranking) {
  predict::PruningCounts kernels, points;
  for (const StrategySpace& space : ranking.spaces) {
    kernels += space.on_kernels;
    points += space.on_points;
  }
  if (kernels.kept > 0) return std::nullopt;
  for (const auto& left_out : {kernels.left_out, points.left_out}) {
    const auto most = std::ranges::max_element(left_out);
    if (*most > 0) return predict::kCriteria[static_cast<std::size_t>(most - left_out.begin())];
  }
  return std::nullopt;
}

}  // namespace

Ranking rank_candidates(const GroupSource& source, const RankingOptions& options) {
  RankingOptions relaxed = options;
  for (;;) {
    Ranking ranking = ranked(source, relaxed);
    const auto useless = useless_criterion(ranking);
    if (!useless) return ranking;
    relaxed.pruning.switch_off(*useless);
  }
}

}  // namespace tensordsl::tune
