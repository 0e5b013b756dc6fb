#include "tune/look_at_schedule.h"

#include "graph/schedule/choose_schedules.h"
#include "lower/pipeline.h"
#include "pipeline/check_fits.h"
#include "pipeline/lower_options.h"
#include "schedule/schedule.h"
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

Looked look_at_schedule(const GroupSource& source, const ChosenSchedule& schedule,
                        const RankingOptions& options, const predict::DeviceFigures& device) {
  Looked looked;
  looked.candidate.schedule = schedule;
  try {
    ScheduledGroup group = source.scheduled(schedule);
    apply_schedule(group.group, schedule, group.target);
    std::vector<ir::FunctionPtr> outputs;
    for (const Func& output : group.group.outputs) outputs.push_back(output.shared());
    const lower::LowerOptions lowering = lower_options(options.device ? &*options.device : nullptr);
    for (const lower::LoweredKernel& kernel : lower::lower(outputs, lowering).kernels) {
      if (options.device) check_limits(kernel, *options.device);
      looked.works.push_back(predict::count_work(kernel, device));
      looked.usages.push_back(predict::usage_of(looked.works.back(), device));
      looked.candidate.kernels.push_back(predict::predict_kernel(looked.works.back(), device));
      looked.candidate.us += looked.candidate.kernels.back().us;
    }
    looked.candidate.us += device.launch_us * static_cast<double>(looked.candidate.kernels.size() - 1);
  } catch (const ScheduleError& error) {
    looked.refusal = error.what();
  } catch (const DefinitionError& error) {
    // Tiles that reach further than the output may read outside an Input.
    looked.refusal = error.what();
  }
  return looked;
}

}  // namespace tensordsl::tune
