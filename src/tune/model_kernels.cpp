#include "tune/model_kernels.h"

#include "graph/schedule/choose_schedules.h"
#include "graph/schedule/count_flops.h"
#include "predict/device_figures.h"
#include "search/search_space.h"
#include "tune/rank/roofline.h"

namespace tensordsl::tune {

std::vector<ModelKernel> model_kernels(const graph::Graph& compiled, const definitions::TensorFuncs& funcs,
                                       const graph::CompileOptions& options, const HwProfile& profile) {
  const predict::DeviceFigures device = predict::figures_of(profile);
  std::vector<ModelKernel> kernels;
  for (Task& task : tasks_of(compiled, funcs, options.precision)) {
    const std::size_t place = task.places.front();
    const graph::ScheduledGroup& scheduled = compiled.scheduled[place];
    ModelKernel kernel;
    kernel.source = source_of(compiled, funcs, place, options.precision);
    kernel.ranking.target = scheduled.target;
    kernel.ranking.device = options.device;
    kernel.ranking.profile = profile;
    kernel.ranking.threads = options.threads;
    if (!scheduled.is_tuned) kernel.ranking.compiled = scheduled.schedule;
    kernel.name = compiled.lowered[place].program->kernels.front().entry;
    kernel.operators = scheduled.group.label;
    kernel.compiled = scheduled.schedule;
    // Takes a copy of the group from before lowering, which puts the schedule into its Funcs: a sum in slices
    // is not a product any more.
    const definitions::StoredGroup group = kernel.source.prepared();
    const graph::GroupSchedule first = graph::choose_schedule(group, scheduled.target);
    const bool is_tuned = options.known_schedule && scheduled.is_tuned;
    if (is_tuned && search::text_of(scheduled.schedule) != search::text_of(first))
      kernel.tuned = scheduled.schedule;
    kernel.flops = graph::count_flops(group);
    kernel.bytes = bytes_of(scheduled.group);
    kernel.floor_us = floor_of(scheduled.group, kernel.flops, device);
    kernel.task = std::move(task);
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

}  // namespace tensordsl::tune
