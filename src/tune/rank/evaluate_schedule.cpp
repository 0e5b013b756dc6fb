#include "tune/rank/evaluate_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "graph/schedule/choose_schedules.h"
#include "lower/lower.h"
#include "pipeline/check_fits.h"
#include "pipeline/lower_options.h"
#include "predict/kernel_work.h"
#include "schedule/func_schedule.h"
#include "tensordsl/error.h"

namespace tensordsl::tune {
namespace {

/// Checks a lowered kernel against the device's limits. Throws ScheduleError if it exceeds one.
void check_limits(const lower::LoweredKernel& kernel, const DeviceInfo& device) {
  KernelSource source;
  source.entry = kernel.name;
  source.resources = kernel.resources;
  source.launch.group_size = kernel.group_size;
  check_fits(source, device);
}

double logarithm(double value) { return std::log2(1 + std::max(0.0, value)); }

/// Returns the features: sums over the lowered kernels, and the knobs. Counts and times are logarithms,
/// because ratios matter.
search::Features features_of(const graph::GroupSchedule& schedule,
                             const std::vector<predict::KernelWork>& works,
                             const std::vector<predict::KernelUsage>& usages,
                             const std::vector<predict::Prediction>& predictions) {
  search::Features sums;
  const auto add = [&](const std::string& name, double value) { sums[name] += value; };
  double us = 0;
  for (const predict::Prediction& prediction : predictions) {
    us += prediction.us;
    for (const auto& [name, bound] : prediction.bounds) add("bound " + name, bound);
    add("rounds", prediction.rounds);
    add("groups of unit", prediction.groups_of_unit);
    add("spilled", prediction.spilled_registers);
  }
  for (const predict::KernelWork& work : works) {
    const double items = work.groups * work.group_items;
    add("groups", work.groups);
    add("work of item", work.operations.all());
    add("iterations", work.iterations);
    add("barriers", work.barriers);
    add("private bytes", static_cast<double>(work.private_bytes));
    add("multiply-adds", items * work.operations.multiply_adds);
    add("other operations", items * work.operations.others);
    add("special operations", items * work.operations.special);
    add("address operations", items * work.operations.addresses);
    add("loads", items * work.operations.loads);
    add("stores", items * work.operations.stores);
  }
  for (const predict::KernelUsage& usage : usages) {
    add("group items", static_cast<double>(usage.group_items));
    add("registers", static_cast<double>(usage.registers));
    add("local bytes", static_cast<double>(usage.local_bytes));
    add("iteration bytes", static_cast<double>(usage.iteration_bytes));
    add("access elements", usage.access_elements);
    add("reads images", usage.reads_images ? 1 : 0);
  }
  search::Features features;
  for (const auto& [name, value] : sums) {
    // Bounds are shares: the resource that bounds a kernel indicates the model's error.
    features[name] = name.starts_with("bound ") ? value / std::max(us, 1e-9) : logarithm(value);
  }
  features["us"] = logarithm(us);
  features["kernels"] = static_cast<double>(predictions.size());
  features[fmt::format("strategy {}", schedule.strategy->name)] = 1;
  for (const auto& [knob, value] : schedule.point.values())
    features[fmt::format("{}.{}", schedule.strategy->name, knob)] = value;
  return features;
}

}  // namespace

search::Evaluation evaluate_schedule(
    const std::function<graph::ScheduledGroup(const graph::GroupSchedule&)>& scheduled,
    const graph::GroupSchedule& schedule, const RankingOptions& options,
    const predict::DeviceFigures& device) {
  search::Evaluation evaluation;
  std::vector<predict::KernelWork> works;
  try {
    graph::ScheduledGroup group = scheduled(schedule);
    graph::apply_schedule(group.group, schedule, group.target);
    std::vector<ir::FunctionPtr> outputs;
    for (const Func& output : group.group.outputs) outputs.push_back(output.shared());
    lower::LowerOptions lowering = lower_options(options.device ? &*options.device : nullptr);
    lowering.loop_registers = group.target.loop_registers;
    lowering.gathers_reads = group.target.gathers_reads;
    for (const lower::LoweredKernel& kernel : lower::lower(outputs, lowering).kernels) {
      if (options.device) check_limits(kernel, *options.device);
      works.push_back(predict::count_work(kernel, device));
      evaluation.usages.push_back(predict::usage_of(works.back(), device));
      evaluation.kernels.push_back(predict::predict_kernel(works.back(), device));
      evaluation.us += evaluation.kernels.back().us;
    }
    evaluation.us += device.launch_us * static_cast<double>(evaluation.kernels.size() - 1);
  } catch (const ScheduleError& error) {
    return {.refusal = error.what()};
  } catch (const DefinitionError& error) {
    // Tiles that reach further than the output may read outside an Input.
    return {.refusal = error.what()};
  }
  evaluation.features = features_of(schedule, works, evaluation.usages, evaluation.kernels);
  return evaluation;
}

}  // namespace tensordsl::tune
