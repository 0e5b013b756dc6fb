#include "apps/bench/search/choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>
#include <random>
#include <set>
#include <string>

#include "apps/bench/model_graph.h"
#include "apps/bench/search/random_point.h"
#include "graph/compile_graph.h"
#include "graph/schedule/choose_images.h"
#include "graph/schedule/choose_schedules.h"
#include "graph/schedule/price_schedule.h"
#include "graph/schedule/schedule_group.h"
#include "model/options_of_target.h"
#include "schedules/strategies.h"
#include "tune/model_kernels.h"

namespace tensordsl::bench {
namespace {

using graph::GroupSchedule;
using schedules::Point;

struct Choice {
  GroupSchedule schedule;
  double us = std::numeric_limits<double>::infinity();
};

/// Searches the configurations of all strategies of a kernel.
class WideSearch {
 public:
  WideSearch(const graph::Graph& compiled, const tune::ModelKernel& kernel,
             const predict::DeviceFigures& device)
      : kernel_(kernel),
        group_(kernel.source.prepared()),
        pricer_(group_, kernel.ranking.target, device, std::numeric_limits<std::int64_t>::max(),
                [&compiled](definitions::StoredGroup& own, const GroupSchedule& other) {
                  graph::store_constants_as_wanted(own, other);
                  graph::store_constants_in_images(compiled, own, other);
                }) {
    const std::optional<graph::SchedulePrice> price = pricer_.price_of(kernel.compiled);
    if (!price) return;
    of_compile_ = price->us;
    // The compiler takes more kernels for a group only where the profile says what a launch takes.
    if (std::ranges::count(device.guessed, "launch_us") > 0) most_kernels_ = price->kernels;
    best_ = {kernel.compiled, price->us};
  }

  /// Returns nothing if the schedule that compile takes has no price.
  const std::optional<double>& of_compile() const { return of_compile_; }
  const Choice& best() const { return best_; }

  void run(int points) {
    std::mt19937 random(1);
    for (const schedules::Strategy& strategy : schedules::strategies()) {
      if (!strategy.applies(group_, kernel_.ranking.target)) continue;
      space_ = strategy.space(group_, kernel_.ranking.target);
      outlines_ = nullptr;
      if (strategy.outlines) outlines_ = strategy.outlines(group_, kernel_.ranking.target);
      considered_.clear();
      Choice own{{&strategy, space_.first}};
      consider(own, space_.first);
      for (int i = 0; i < points; ++i) consider(own, random_point(space_, random));
      descend(own);
      if (own.us < best_.us) best_ = own;
    }
  }

 private:
  void descend(Choice& best) {
    double before = std::numeric_limits<double>::infinity();
    while (best.us < before) {
      before = best.us;
      for (const schedules::Knob& knob : space_.knobs) {
        for (const int value : knob.values) {
          Point other = best.schedule.point;
          other.set(knob.name, value);
          consider(best, other);
        }
      }
    }
  }

  void consider(Choice& best, const Point& point) {
    if (!considered_.insert(to_string(point)).second || (outlines_ && !outlines_(point))) return;
    const GroupSchedule schedule{best.schedule.strategy, point};
    const std::optional<graph::SchedulePrice> price = pricer_.price_of(schedule);
    if (price && price->kernels <= most_kernels_ && price->us < best.us) best = {schedule, price->us};
  }

  const tune::ModelKernel& kernel_;
  definitions::StoredGroup group_;
  graph::SchedulePricer pricer_;
  schedules::Space space_;
  schedules::PointOutlines outlines_;
  std::set<std::string> considered_;  // points of the strategy
  std::optional<double> of_compile_;
  std::size_t most_kernels_ = std::numeric_limits<std::size_t>::max();
  Choice best_;
};

}  // namespace

int run_choices(const ChoiceOptions& options) {
  CompileTarget target;
  target.profile = load_hw_profile(options.profile);
  const graph::CompileOptions compile = options_of(target);
  const predict::DeviceFigures device = predict::figures_of(*target.profile);
  fmt::print("{:24} {:16} {:>7} {:>9} {:>12} {:>7}\n", "model", "profile", "kernels", "unpriced", "us",
             "over best");
  for (const std::string& model : options.models) {
    const graph::Graph compiled = graph::compile_in_full(graph_of_model(model), compile);
    const definitions::TensorFuncs funcs(compiled.definitions);
    const auto kernels = tune::model_kernels(compiled, funcs, compile, *target.profile);
    double us = 0, least = 0;
    int unpriced = 0;
    for (const tune::ModelKernel& kernel : kernels) {
      WideSearch search(compiled, kernel, device);
      if (!search.of_compile()) {
        ++unpriced;
        continue;
      }
      search.run(options.points);
      us += kernel.launches() * *search.of_compile();
      least += kernel.launches() * search.best().us;
      if (!options.prints_all) continue;
      fmt::print("  {:7.3f} {:10.1f} us {} x {}\n", *search.of_compile() / search.best().us,
                 *search.of_compile(), kernel.launches(), kernel.name);
      fmt::print("      compile {} {}\n", kernel.compiled.strategy->name, to_string(kernel.compiled.point));
      if (search.best().us < *search.of_compile())
        fmt::print("      best    {} {}\n", search.best().schedule.strategy->name,
                   to_string(search.best().schedule.point));
    }
    fmt::print("{:24} {:16} {:>7} {:>9} {:>12.1f} {:>7.3f}\n", std::filesystem::path(model).stem().string(),
               options.profile, kernels.size(), unpriced, us, least > 0 ? us / least : 1);
  }
  return 0;
}

}  // namespace tensordsl::bench
