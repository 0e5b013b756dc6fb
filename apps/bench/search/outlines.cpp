#include "apps/bench/search/outlines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "apps/bench/model_graph.h"
#include "apps/bench/search/random_point.h"
#include "graph/compile_graph.h"
#include "graph/schedule/choose_schedules.h"
#include "graph/schedule/price_schedule.h"
#include "lower/lower.h"
#include "model/options_of_target.h"
#include "outline/outline_schedule.h"
#include "pipeline/lower_options.h"
#include "predict/outlined_work.h"
#include "predict/predict_kernel.h"
#include "schedules/strategies.h"
#include "tensordsl/error.h"
#include "tune/model_kernels.h"

namespace tensordsl::bench {
namespace {

/// Figures of a schedule's kernels, summed up.
using Figures = std::map<std::string, double>;

void add_work(const predict::KernelWork& work, const predict::DeviceFigures& device, Figures& figures) {
  const double items = work.groups * work.group_items;
  figures["items"] += items;
  figures["multiply-adds"] += items * work.operations.multiply_adds;
  figures["others"] += items * (work.operations.others + work.operations.special);
  figures["addresses"] += items * work.operations.addresses;
  figures["loads"] += items * work.operations.loads;
  figures["stores"] += items * work.operations.stores;
  figures["waits"] += work.groups * (work.memory_waits + work.local_waits);
  figures["registers"] += work.registers;
  figures["local bytes"] += static_cast<double>(work.local_bytes);
  const predict::Prediction prediction = predict::predict_kernel(work, device);
  figures["price"] += prediction.us;
  for (const auto& [name, us] : prediction.bounds) figures["us of " + name] += us;
}

struct Comparison {
  std::string strategy, point;
  Figures outlined, lowered;
  std::string accesses;  ///< of both
};

std::string text_of(const predict::KernelWork& work) {
  std::string text;
  for (const predict::AccessWork& a : work.accesses) {
    text +=
        fmt::format("        {}{} place {} bytes {} times {} lines {} together", a.is_store ? "store " : "",
                    a.tensor, static_cast<int>(a.place), a.bytes, a.times, a.lines);
    for (const predict::Repetition& step : a.together) text += fmt::format(" {}*{}", step.times, step.bytes);
    text += " loops";
    for (const predict::Repetition& loop : a.loops) text += fmt::format(" {}*{}", loop.times, loop.bytes);
    text += " groups";
    for (const predict::Repetition& loop : a.groups) text += fmt::format(" {}*{}", loop.times, loop.bytes);
    text += "\n";
  }
  return text;
}

class Comparer {
 public:
  Comparer(const tune::ModelKernel& kernel, const predict::DeviceFigures& device)
      : kernel_(kernel), device_(device) {}

  /// Nothing for a configuration that the directives refuse.
  std::optional<Comparison> compare(const schedules::Strategy& strategy,
                                    const schedules::Point& point) const {
    const graph::GroupSchedule schedule{&strategy, point};
    Comparison result{std::string(strategy.name), to_string(point), {}, {}, {}};
    try {
      graph::ScheduledGroup group = kernel_.source.scheduled(schedule);
      graph::apply_schedule(group.group, schedule, group.target);
      std::vector<ir::FunctionPtr> outputs;
      for (const Func& output : group.group.outputs) outputs.push_back(output.shared());
      for (const predict::KernelOutline& outline : outline::outline_schedule(outputs)) {
        const predict::KernelWork work = predict::work_of(outline, device_);
        add_work(work, device_, result.outlined);
        result.accesses += "      outline\n" + text_of(work);
      }
      for (const lower::LoweredKernel& lowered : lower::lower(outputs, lower_options(nullptr)).kernels) {
        const predict::KernelWork work = predict::count_work(lowered, device_);
        add_work(work, device_, result.lowered);
        result.accesses += "      kernel\n" + text_of(work);
      }
    } catch (const ScheduleError&) {
      return std::nullopt;
    } catch (const DefinitionError&) {
      return std::nullopt;
    }
    return result;
  }

 private:
  const tune::ModelKernel& kernel_;
  const predict::DeviceFigures& device_;
};

double quotient(double a, double b) { return a == b ? 1 : a / std::max(b, 1e-9); }

/// Prints the quotients of a figure that 10 %, 50 % and 90 % of the configurations do not exceed.
void print_figure(const std::string& name, const std::vector<Comparison>& all) {
  std::vector<double> quotients;
  double near = 0;
  for (const Comparison& one : all) {
    const auto of = [&](const Figures& figures) {
      const auto found = figures.find(name);
      return found == figures.end() ? 0.0 : found->second;
    };
    const double outlined = of(one.outlined), lowered = of(one.lowered);
    quotients.push_back(quotient(outlined, lowered));
    constexpr double kNear = 1.15;
    if (quotients.back() <= kNear && quotients.back() >= 1 / kNear) near += 1;
  }
  std::ranges::sort(quotients);
  const auto at = [&](double share) {
    return quotients[static_cast<std::size_t>(share * static_cast<double>(quotients.size() - 1))];
  };
  fmt::print("    {:24} {:8.3f} {:8.3f} {:8.3f}   {:5.1f} %\n", name, at(0.1), at(0.5), at(0.9),
             100 * near / static_cast<double>(quotients.size()));
}

void print_strategy(const std::string& strategy, const std::vector<Comparison>& all) {
  fmt::print("  {}: {} configurations; 10 %, 50 %, 90 %; within 15 %\n", strategy, all.size());
  std::map<std::string, bool> names;
  for (const Comparison& one : all) {
    for (const auto& [name, value] : one.lowered) names[name] |= value > 0;
  }
  for (const auto& [name, is_any] : names) {
    if (is_any) print_figure(name, all);
  }
}

void print_all(const std::string& kernel, const Comparison& one) {
  fmt::print("{} {} {}\n", kernel, one.strategy, one.point);
  for (const auto& [name, value] : one.lowered)
    fmt::print("      {:24} {:14.4g} {:14.4g}\n", name,
               one.outlined.contains(name) ? one.outlined.at(name) : 0, value);
  fmt::print("{}", one.accesses);
}

}  // namespace

int run_outlines(const OutlineOptions& options) {
  CompileTarget target;
  target.profile = load_hw_profile(options.profile);
  const graph::CompileOptions compile = options_of(target);
  const predict::DeviceFigures device = predict::figures_of(*target.profile);
  std::map<std::string, std::vector<Comparison>> by_strategy;
  for (const std::string& model : options.models) {
    const graph::Graph compiled = graph::compile_in_full(graph_of_model(model), compile);
    const definitions::TensorFuncs funcs(compiled.definitions);
    std::mt19937 random(1);
    for (const tune::ModelKernel& kernel : tune::model_kernels(compiled, funcs, compile, *target.profile)) {
      const Comparer comparer(kernel, device);
      const definitions::StoredGroup group = kernel.source.prepared();
      for (const schedules::Strategy& strategy : schedules::strategies()) {
        if (!strategy.applies(group, kernel.ranking.target)) continue;
        const schedules::Space space = strategy.space(group, kernel.ranking.target);
        schedules::PointOutlines outlines;
        if (strategy.outlines) outlines = strategy.outlines(group, kernel.ranking.target);
        for (int i = 0; i <= options.points; ++i) {
          const schedules::Point point = i == 0 ? space.first : random_point(space, random);
          if (outlines) {
            const auto outline = outlines(point);
            constexpr std::int64_t kMostRegisters = 512;
            if (!outline || outline->usage.registers > kMostRegisters) continue;
          }
          if (!graph::keeps_images(group, {&strategy, point})) continue;
          auto comparison = comparer.compare(strategy, point);
          if (!comparison) continue;
          if (options.prints_all) print_all(kernel.name, *comparison);
          by_strategy[comparison->strategy].push_back(std::move(*comparison));
        }
      }
    }
  }
  std::vector<Comparison> all;
  for (const auto& [strategy, comparisons] : by_strategy) {
    print_strategy(strategy, comparisons);
    all.insert(all.end(), comparisons.begin(), comparisons.end());
  }
  print_strategy("all", all);
  return 0;
}

}  // namespace tensordsl::bench
