#include "apps/bench/search/space.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <random>

#include "apps/bench/convolution/convolution_graph.h"
#include "apps/bench/convolution/convolution_group.h"
#include "measure/device_measurer.h"
#include "model/options_of_target.h"
#include "onnx/define_graph.h"
#include "schedules/strategies.h"
#include "tensordsl/error.h"
#include "tune/rank/rank_candidates.h"
#include "tune/trial/expected_outputs.h"

namespace tensordsl::bench {
namespace {

/// Builds a convolution whose input a kernel before it computes, so that it may be an image.
onnx::Graph graph_of(const SpaceOptions& o) {
  return convolution_graph({o.size, o.inputs, o.outputs, o.kernel, o.stride},
                           convolution_weights({o.size, o.inputs, o.outputs, o.kernel, o.stride}),
                           BeforeConvolution::Relu);
}

/// A strategy that applies, and its configurations.
struct StrategyPoints {
  const schedules::Strategy* strategy = nullptr;
  schedules::Space space;
  schedules::PointOutlines outlines;  ///< none: configurations cannot be estimated before they are lowered
};

/// True if a configuration fits the extents and needs few enough registers that drivers compile its kernel
/// within seconds; with more it would be slow on any device.
bool can_run(const StrategyPoints& of, const schedules::Point& point) {
  constexpr std::int64_t kMostRegisters = 1024;
  if (!of.outlines) return true;
  const auto outline = of.outlines(point);
  return outline && outline->usage.registers <= kMostRegisters;
}

/// Draws configurations of all strategies that apply; all that can run are equally likely.
std::vector<graph::GroupSchedule> draw(const ConvolutionGroup& convolution, int count) {
  const definitions::StoredGroup group = convolution.source().prepared();
  const Target& target = convolution.target();
  std::vector<StrategyPoints> strategies;
  std::vector<double> weights;
  for (const schedules::Strategy& strategy : schedules::strategies()) {
    if (!strategy.applies(group, target)) continue;
    StrategyPoints of{&strategy, strategy.space(group, target), {}};
    if (strategy.outlines) of.outlines = strategy.outlines(group, target);
    weights.push_back(static_cast<double>(schedules::number_of_points(of.space)));
    strategies.push_back(std::move(of));
  }
  std::mt19937 random(1);
  std::discrete_distribution<std::size_t> which(weights.begin(), weights.end());
  constexpr std::size_t kAttempts = 1000;  // for each configuration that is asked for
  std::vector<graph::GroupSchedule> drawn;
  for (std::size_t i = 0; i < kAttempts * static_cast<std::size_t>(count); ++i) {
    if (drawn.size() == static_cast<std::size_t>(count)) break;
    const StrategyPoints& of = strategies[which(random)];
    schedules::Point point;
    for (const schedules::Knob& knob : of.space.knobs)
      point.set(knob.name, knob.values[random() % knob.values.size()]);
    if (can_run(of, point)) drawn.push_back({of.strategy, std::move(point)});
  }
  return drawn;
}

struct Best {
  std::optional<graph::GroupSchedule> schedule;
  double us = INFINITY;
  int timed = 0;
};

Best best_of(const ConvolutionGroup& convolution, const std::vector<graph::GroupSchedule>& schedules,
             Device& device) {
  constexpr std::size_t kSchedulesAtATime = 32;  // that have memory at a time
  const definitions::StoredGroup group = convolution.source().prepared();
  measure::DeviceMeasurer measurer(device);
  Best best;
  for (std::size_t first = 0; first < schedules.size(); first += kSchedulesAtATime) {
    const auto begin = schedules.begin() + static_cast<std::ptrdiff_t>(first);
    const std::vector<graph::GroupSchedule> batch(
        begin, begin + static_cast<std::ptrdiff_t>(std::min(kSchedulesAtATime, schedules.size() - first)));
    const auto measured = measurer.measure(tune::request_for(group, convolution.programs(batch)));
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (!measured[i].us) continue;
      ++best.timed;
      if (*measured[i].us >= best.us) continue;
      best.us = *measured[i].us;
      best.schedule = batch[i];
    }
  }
  return best;
}

std::string text_of(const graph::GroupSchedule& schedule) {
  return fmt::format("{}: {}", schedule.strategy->name, to_string(schedule.point));
}

}  // namespace

SpaceResult run_space(const SpaceOptions& options, Device* device) {
  CompileTarget target;
  if (device) target.device = device->info();
  if (!options.profile.empty()) target.profile = load_hw_profile(options.profile);
  const ConvolutionGroup convolution(define_graph(graph_of(options)), options_of(target));
  tune::RankingOptions ranking_options;
  ranking_options.target = convolution.target();
  ranking_options.device = target.device;
  ranking_options.profile = profile_of(target);
  ranking_options.most_lowered = std::max(options.lowered, options.survivors);
  const auto begin = std::chrono::steady_clock::now();
  const tune::Ranking ranking = tune::rank_candidates(convolution.source(), ranking_options);
  SpaceResult result;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  for (const tune::StrategySpace& space : ranking.spaces) {
    result.points += space.points;
    result.unfit += space.unfit;
    // Only a few configurations of a strategy without static resource estimates are evaluated.
    result.outlined +=
        space.on_points.seen > 0 ? space.on_points.kept : space.on_kernels.seen + space.refused;
    result.lowered += space.on_kernels.seen + space.refused;
    result.kept += space.on_kernels.kept;
  }
  if (!device || options.random == 0) return result;
  const Best random = best_of(convolution, draw(convolution, options.random), *device);
  result.timed = random.timed;
  std::vector<graph::GroupSchedule> survivors;
  for (const search::Trial& candidate : ranking.candidates) {
    if (static_cast<int>(survivors.size()) < options.survivors) survivors.push_back(candidate.schedule);
  }
  const Best survivor = best_of(convolution, survivors, *device);
  if (!random.schedule || !survivor.schedule) return result;
  // Once more, in turns.
  const auto both = measure::DeviceMeasurer(*device).measure(tune::request_for(
      convolution.source().prepared(), convolution.programs({*random.schedule, *survivor.schedule})));
  result.best_random = text_of(*random.schedule);
  result.best_survivor = text_of(*survivor.schedule);
  result.best_random_us = both[0].us;
  result.best_survivor_us = both[1].us;
  return result;
}

nlohmann::ordered_json to_json(const SpaceResult& r) {
  const auto optional = [](const std::optional<double>& number) {
    return number ? nlohmann::ordered_json(*number) : nlohmann::ordered_json();
  };
  return {{"points", r.points},
          {"unfit", r.unfit},
          {"outlined", r.outlined},
          {"lowered", r.lowered},
          {"kept", r.kept},
          {"kept_share", r.kept_share()},
          {"seconds", r.seconds},
          {"timed", r.timed},
          {"best_random_us", optional(r.best_random_us)},
          {"best_survivor_us", optional(r.best_survivor_us)},
          {"best_random", r.best_random},
          {"best_survivor", r.best_survivor}};
}

std::string to_text(const SpaceResult& r) {
  std::string text = fmt::format(
      "{} points, {} of which do not fit the extents; outlines keep {}; {} were lowered, {} of which are "
      "kept: {:.3f} % are left; {:.2f} s",
      r.points, r.unfit, r.outlined, r.lowered, r.kept, 100 * r.kept_share(), r.seconds);
  if (r.best_random_us && r.best_survivor_us) {
    text += fmt::format(
        "\nthe best of {} random points: {:.1f} us ({})\nthe best point after pruning: {:.1f} us ({}), "
        "{:.3f} times as fast",
        r.timed, *r.best_random_us, r.best_random, *r.best_survivor_us, r.best_survivor,
        *r.best_random_us / *r.best_survivor_us);
  }
  return text;
}

}  // namespace tensordsl::bench
