#include "apps/bench/convolution_group.h"

namespace tensordsl::bench {

ConvolutionGroup::ConvolutionGroup(DefinitionGraph graph, const CompileOptions& options)
    : compile_(options), compiled_(compile_in_full(std::move(graph), compile_)), funcs_(compiled_.graph) {
  source_.prepared = [this] {
    return prepared_group(compiled_, funcs_, place(), compile_.precision, target());
  };
  source_.scheduled = [this](const ChosenSchedule& schedule) {
    return scheduled_group(compiled_, place(), source_.prepared(), target(), schedule, compiled_.images);
  };
}

std::vector<std::shared_ptr<const Program>> ConvolutionGroup::programs(
    const std::vector<ChosenSchedule>& schedules) const {
  std::vector<ScheduledGroup> groups;
  for (const ChosenSchedule& schedule : schedules) {
    groups.push_back(source_.scheduled(schedule));
    groups.back().key = std::to_string(groups.size());
  }
  std::vector<std::shared_ptr<const Program>> result;
  for (const LoweredGroup& lowered : lower_groups(groups, compile_)) result.push_back(lowered.program);
  return result;
}

}  // namespace tensordsl::bench
