#include "apps/bench/convolution/convolution_group.h"

namespace tensordsl::bench {

ConvolutionGroup::ConvolutionGroup(definitions::DefinitionGraph graph, const graph::CompileOptions& options)
    : compile_(options),
      compiled_(graph::compile_in_full(std::move(graph), compile_)),
      funcs_(compiled_.definitions) {
  source_.prepared = [this] {
    return graph::prepared_group(compiled_, funcs_, place(), compile_.precision, target());
  };
  source_.scheduled = [this](const graph::GroupSchedule& schedule) {
    return graph::scheduled_group(compiled_, place(), source_.prepared(), target(), schedule);
  };
}

std::vector<std::shared_ptr<const Program>> ConvolutionGroup::programs(
    const std::vector<graph::GroupSchedule>& schedules) const {
  std::vector<graph::ScheduledGroup> groups;
  for (const graph::GroupSchedule& schedule : schedules) {
    groups.push_back(source_.scheduled(schedule));
    groups.back().key = std::to_string(groups.size());
  }
  std::vector<std::shared_ptr<const Program>> result;
  for (const graph::LoweredGroup& lowered : graph::lower_groups(groups, compile_))
    result.push_back(lowered.program);
  return result;
}

}  // namespace tensordsl::bench
