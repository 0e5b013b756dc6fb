#include "graph/stages/pass_log.h"

#include <fmt/format.h>

#include <algorithm>

#include "classify/classify.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {

std::string to_string(const PassNote& note) {
  return fmt::format("%{}{} {}", note.tensor, note.outcome == PassOutcome::Kept ? " stays:" : "", note.text);
}

bool is_movement(const definitions::DefinitionGraph& graph, const definitions::TensorFuncs& funcs,
                 std::size_t tensor) {
  if (graph.tensors[tensor].func.is_input()) return false;
  return std::ranges::all_of(funcs.funcs_of(tensor), [](const Func& func) {
    return classify::classify(func.contents()).kind == classify::Class::Movement;
  });
}

GraphSummary summarize(const definitions::DefinitionGraph& graph,
                       const std::vector<definitions::FusedGroup>& groups) {
  const definitions::TensorFuncs funcs(graph);
  GraphSummary summary;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    if (graph.tensors[i].func.is_input()) continue;
    summary.computed.push_back(graph.tensors[i].name);
    if (is_movement(graph, funcs, i)) summary.movements.push_back(graph.tensors[i].name);
  }
  summary.groups = groups.size();
  summary.moving_groups =
      static_cast<std::size_t>(std::ranges::count_if(groups, [&](const definitions::FusedGroup& group) {
        return std::ranges::all_of(group.tensors,
                                   [&](std::size_t tensor) { return is_movement(graph, funcs, tensor); });
      }));
  return summary;
}

}  // namespace tensordsl::graph
