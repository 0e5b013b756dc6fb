// Pipeline::auto_schedule. The pipeline's layer declares it; it is defined here because it uses this layer.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "dsl/schedule_data.h"
#include "graph/schedule/count_flops.h"
#include "graph/schedule/group_key.h"
#include "hwprofile/reported/derived_profile.h"
#include "schedule/func_schedule.h"
#include "schedules/support/target_of_profile.h"
#include "tensordsl/autoschedule.h"
#include "tensordsl/error.h"
#include "tensordsl/pipeline.h"
#include "tune/pipeline/pipeline_copy.h"
#include "tune/pipeline/schedule_pipeline.h"
#include "tune/rank/roofline.h"
#include "tune/trial/tuning_bench.h"

namespace tensordsl {
namespace {

/// Returns the extents of outputs, by name: the extents given here, and the ones of bound().
std::map<std::string, std::vector<Expr>> extents_of(const std::vector<Func>& outputs,
                                                    const OutputShapes& shapes) {
  std::map<std::string, std::vector<Expr>> extents;
  for (const Func& output : outputs) {
    const auto& bounds = output.contents().schedule.bounds;
    if (!bounds.empty()) extents.emplace(output.name(), tune::with_params(bounds));
  }
  for (const auto& [name, shape] : shapes) {
    const auto output = std::ranges::find(outputs, name, [](const Func& func) { return func.name(); });
    if (output == outputs.end())
      throw Error(fmt::format("auto_schedule: a shape is given for \"{}\", which is not an output", name));
    if (output->rank() != static_cast<int>(shape.size())) {
      throw ShapeError(fmt::format("auto_schedule: the output \"{}\" has {} dimensions, but its shape has {}",
                                   name, output->rank(), shape.size()));
    }
    std::vector<Expr> list;
    for (const std::int64_t extent : shape) {
      if (extent < 0 || extent > INT32_MAX)
        throw ShapeError(fmt::format(
            "auto_schedule: the output \"{}\" cannot have {} elements in a dimension", name, extent));
      list.emplace_back(static_cast<int>(extent));
    }
    extents.insert_or_assign(name, std::move(list));
  }
  return extents;
}

/// Checks that the pipeline has no directives for choices that are made here. Throws ScheduleError otherwise.
void check_no_directives(const std::vector<Func>& outputs) {
  for (const schedule::LoggedDirective& entry : schedule::directives_of(outputs)) {
    const std::string& name = entry.directive.name;
    if (name == "bound" || name == "trace_loads" || name == "trace_stores") continue;
    if (producer(outputs, entry.target.function).is_input() && name != "in") continue;
    throw ScheduleError(
        fmt::format("auto_schedule: found the directive {}.{}; call auto_schedule before any directive "
                    "except bound() and those of Inputs",
                    schedule::stage_name(entry.target.function, entry.target.place),
                    schedule::to_string(entry.directive)));
  }
}

HwProfile profile_for(const DeviceInfo& device) {
  const auto bundled = bundled_hw_profile(device.name);
  return bundled ? *bundled : hwprofile::derived_profile(device);
}

tune::RankingOptions ranking_options(const HwProfile& profile, const DeviceInfo* device) {
  tune::RankingOptions options;
  options.profile = profile;
  // The criteria would leave no schedule of small kernels; the model estimates the cost of each.
  for (const predict::Criterion criterion : predict::kCriteria) options.pruning.switch_off(criterion);
  options.target = schedules::target_of(profile, device ? device->max_group_size : 64);
  if (device) options.device = *device;
  return options;
}

}  // namespace

Schedule Pipeline::auto_schedule(const DeviceInfo& device, const OutputShapes& shapes) const {
  return auto_schedule(profile_for(device), &device, shapes);
}

Schedule Pipeline::auto_schedule(const HwProfile& profile, const DeviceInfo* device,
                                 const OutputShapes& shapes) const {
  check_no_directives(outputs_);
  return tune::schedule_pipeline(outputs_, extents_of(outputs_, shapes), ranking_options(profile, device));
}

Schedule Pipeline::auto_schedule(Device& device, const AutoscheduleOptions& trials,
                                 const OutputShapes& shapes) const {
  check_no_directives(outputs_);
  AutoscheduleOptions options = trials;
  if (!options.device) options.device = &device;
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const HwProfile profile = profile_for(device.info());
  const predict::DeviceFigures figures = predict::figures_of(profile);
  tune::TuningBench bench(options, figures, device.info());
  graph::LoweringOptions lowering;
  lowering.device = device.info();
  const auto try_tasks = [&](const std::vector<tune::PipelineTask>& tasks) {
    std::map<std::string, graph::GroupSchedule> fastest;
    if (!bench.can_measure()) return fastest;
    // The limit is on the total time, which includes the choice of placements. The bench reads `options` as
    // it tunes.
    if (trials.time) {
      const auto taken = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
      options.time = std::max(std::chrono::milliseconds(0), *trials.time - taken);
    }
    std::vector<tune::TunedTask> tuned;
    for (const tune::PipelineTask& task : tasks) {
      const definitions::StoredGroup group = task.source.prepared();
      const double floor = tune::floor_of(group, graph::count_flops(group), figures);
      const auto make = [&bench, &lowering, &task, key = graph::group_key(group)] {
        return bench.search(task.source, key, std::nullopt, task.ranking, lowering);
      };
      tuned.push_back({task.name, make, 1, floor});
    }
    const tune::TuningOutcome outcome = bench.tune(tuned);
    if (!outcome.problem.empty()) throw Error("auto_schedule: " + outcome.problem);
    for (const tune::TunedTask& task : tuned) {
      if (task.search && task.search->best_us()) fastest.emplace(task.name, task.search->best());
    }
    return fastest;
  };
  const auto should_stop = [&] {
    return (trials.time && Clock::now() - begin >= *trials.time) ||
           (trials.should_stop && trials.should_stop());
  };
  return tune::schedule_pipeline(outputs_, extents_of(outputs_, shapes),
                                 ranking_options(profile, &device.info()), {try_tasks, should_stop});
}

}  // namespace tensordsl
