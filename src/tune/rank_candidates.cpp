#include "tune/rank_candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/run_in_parallel.h"
#include "lower/pipeline.h"
#include "pipeline/check_fits.h"
#include "pipeline/lower_options.h"
#include "schedule/schedule.h"
#include "schedules/strategies.h"
#include "tensordsl/error.h"
#include "tune/near_points.h"

namespace tensordsl::tune {
namespace {

using schedules::Point;
using schedules::Strategy;

/// By how much predictions of two points may be wrong against each other.
constexpr double kModelError = 0.15;
/// How much slower a strategy may be at its first point, and still have the best one.
constexpr double kHopeless = 3;

struct Estimate {
  Point point;
  double cost = 0;
};

/// The points that are worth lowering.
std::vector<Point> points_of(const Strategy& strategy, const schedules::Space& space, const Group& group,
                             const RankingOptions& options, const predict::PruningLimits& limits,
                             StrategySpace& result) {
  result.points = schedules::number_of_points(space);
  const auto most = static_cast<std::size_t>(options.most_lowered);
  if (!strategy.outlines) return near_points(space, most);
  const schedules::PointOutlines outline_of = strategy.outlines(group, options.target);
  std::vector<Estimate> kept;
  schedules::for_each_point(space, [&](const Point& point) {
    const auto outline = outline_of(point);
    if (!outline) {
      ++result.unfit;
    } else if (predict::keeps(outline->usage, limits, options.pruning, result.on_points)) {
      kept.push_back({point, outline->cost});
    }
  });
  std::ranges::stable_sort(kept, {}, &Estimate::cost);
  std::vector<Point> points{space.first};
  for (const Estimate& estimate : kept) {
    if (points.size() >= most) break;
    if (!(estimate.point == space.first)) points.push_back(estimate.point);
  }
  return points;
}

/// What a lowered kernel asks for that a device limits.
void check_limits(const lower::LoweredKernel& kernel, const DeviceInfo& device) {
  KernelSource source;
  source.entry = kernel.name;
  source.resources = kernel.resources;
  source.launch.group_size = kernel.group_size;
  check_fits(source, device);
}

/// A point that was lowered: a candidate, or why it is none.
struct Looked {
  Candidate candidate;
  std::vector<predict::KernelUsage> usages;
  std::string refusal;
};

Looked look_at(const GroupSource& source, const ChosenSchedule& schedule, const RankingOptions& options,
               const predict::DeviceFigures& device) {
  Looked looked;
  looked.candidate.schedule = schedule;
  try {
    ScheduledGroup group = source.scheduled(schedule);
    apply_schedule(group.group, schedule, options.target);
    std::vector<ir::FunctionPtr> outputs;
    for (const Func& output : group.group.outputs) outputs.push_back(output.shared());
    const lower::LowerOptions lowering = lower_options(options.device ? &*options.device : nullptr);
    for (const lower::LoweredKernel& kernel : lower::lower(outputs, lowering).kernels) {
      if (options.device) check_limits(kernel, *options.device);
      const predict::KernelWork work = predict::count_work(kernel, device);
      looked.usages.push_back(predict::usage_of(work, device));
      looked.candidate.kernels.push_back(predict::predict_kernel(work, device));
      looked.candidate.us += looked.candidate.kernels.back().us;
    }
    looked.candidate.us += device.launch_us * static_cast<double>(looked.candidate.kernels.size() - 1);
  } catch (const ScheduleError& error) {
    looked.refusal = error.what();
  }
  return looked;
}

/// The kernel of a candidate that breaks a criterion says why it is left out.
std::string reason_to_leave_out(const Looked& looked, const predict::PruningLimits& limits,
                                const RankingOptions& options, StrategySpace& space) {
  for (const predict::KernelUsage& usage : looked.usages) {
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

}  // namespace

Ranking rank_candidates(const GroupSource& source, const RankingOptions& options) {
  Ranking ranking;
  const Group group = source.prepared();
  const predict::PruningLimits limits = predict::limits_of(options.profile);
  const predict::DeviceFigures device = predict::figures_of(options.profile);
  const ChosenSchedule first = choose_schedule(group, options.target);
  // Of each strategy the first point: what is far from the best of them need not be looked at further.
  std::vector<Looked> looked;
  std::vector<const Strategy*> strategies;
  std::vector<schedules::Space> spaces;  // by strategy
  std::vector<std::size_t> space_of;
  for (const Strategy& strategy : schedules::strategies()) {
    const bool stands_in = first.strategy->stand_in == strategy.name;
    if (!stands_in && !strategy.applies(group, options.target)) continue;
    ranking.spaces.push_back({std::string(strategy.name), 0, {}, 0, {}, 0});
    strategies.push_back(&strategy);
    space_of.push_back(space_of.size());
    spaces.push_back(strategy.space(group, options.target));
    looked.push_back(look_at(source, {&strategy, spaces.back().first}, options, device));
  }
  double best = INFINITY;
  for (const Looked& one : looked) {
    if (one.refusal.empty()) best = std::min(best, one.candidate.us);
  }
  std::vector<ChosenSchedule> schedules;
  for (std::size_t i = 0; i < strategies.size(); ++i) {
    std::vector<Point> points =
        points_of(*strategies[i], spaces[i], group, options, limits, ranking.spaces[i]);
    if (looked[i].refusal.empty() && looked[i].candidate.us > kHopeless * best) continue;
    for (Point& point : points) {
      if (point == looked[i].candidate.schedule.point) continue;
      schedules.push_back({strategies[i], std::move(point)});
      space_of.push_back(i);
    }
  }
  const std::size_t firsts = looked.size();
  looked.resize(firsts + schedules.size());
  run_in_parallel(
      static_cast<int>(schedules.size()),
      [&](int job) {
        const auto i = static_cast<std::size_t>(job);
        looked[firsts + i] = look_at(source, schedules[i], options, device);
      },
      nullptr, options.threads);
  for (std::size_t i = 0; i < looked.size(); ++i) {
    StrategySpace& space = ranking.spaces[space_of[i]];
    Candidate& candidate = looked[i].candidate;
    candidate.is_first =
        candidate.schedule.strategy == first.strategy && candidate.schedule.point == first.point;
    std::string reason = looked[i].refusal;
    if (!reason.empty()) {
      ++space.refused;
    } else {
      reason = reason_to_leave_out(looked[i], limits, options, space);
      // What is taken without a look is there in any case, so that something is.
      if (candidate.is_first) reason.clear();
    }
    if (reason.empty()) {
      ranking.candidates.push_back(std::move(candidate));
    } else {
      ranking.left_out.push_back({candidate.schedule, std::move(reason)});
    }
  }
  std::ranges::stable_sort(ranking.candidates, {}, &Candidate::us);
  const auto taken = std::ranges::find_if(ranking.candidates, &Candidate::is_first);
  if (taken != ranking.candidates.end() && taken->us <= ranking.candidates.front().us * (1 + kModelError))
    std::rotate(ranking.candidates.begin(), taken, taken + 1);
  return ranking;
}

}  // namespace tensordsl::tune
