#include "tune/rank/evaluate_schedule.h"

#include "graph/schedule/choose_schedules.h"
#include "lower/lower.h"
#include "pipeline/check_fits.h"
#include "pipeline/lower_options.h"
#include "predict/kernel_work.h"
#include "schedule/schedule.h"
#include "search/features.h"
#include "tensordsl/error.h"

namespace tensordsl::tune {
namespace {

/// What a lowered kernel asks for that a device limits.
void check_limits(const lower::LoweredKernel& kernel, const DeviceInfo& device) {
  KernelSource source;
  source.entry = kernel.name;
  source.resources = kernel.resources;
  source.launch.group_size = kernel.group_size;
  check_fits(source, device);
}

}  // namespace

search::Evaluation evaluate_schedule(const GroupSource& source, const ChosenSchedule& schedule,
                                     const RankingOptions& options, const predict::DeviceFigures& device) {
  search::Evaluation evaluation;
  std::vector<predict::KernelWork> works;
  try {
    ScheduledGroup group = source.scheduled(schedule);
    apply_schedule(group.group, schedule, group.target);
    std::vector<ir::FunctionPtr> outputs;
    for (const Func& output : group.group.outputs) outputs.push_back(output.shared());
    const lower::LowerOptions lowering = lower_options(options.device ? &*options.device : nullptr);
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
  evaluation.features = search::features_of(schedule, works, evaluation.usages, evaluation.kernels);
  return evaluation;
}

}  // namespace tensordsl::tune
