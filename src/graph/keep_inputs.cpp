#include "graph/keep_inputs.h"

#include <algorithm>

#include "classify/classify.h"
#include "schedule/schedule.h"

namespace tensordsl {
namespace {

bool is_state(const DefinitionGraph& graph, std::size_t input) {
  return std::ranges::any_of(graph.states, [&](const auto& state) { return state.input == input; });
}

bool sums_products(const TensorFuncs& funcs, std::size_t tensor) {
  return std::ranges::any_of(funcs.funcs_of(tensor), [](const Func& func) {
    return classify::classify(func.contents()).kind == classify::Class::Contraction;
  });
}

}  // namespace

void keep_inputs(DefinitionGraph& graph, const CompileOptions& options) {
  if (options.precision != Precision::Float16 || options.target.group_items > 1) return;
  const TensorFuncs funcs(graph);
  const std::vector<std::vector<std::size_t>> readers = readers_of(graph);
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    const std::size_t input = graph.inputs[i];
    const bool is_kept =
        graph.tensors[input].type() == Float(32) && !is_state(graph, i) && !graph.is_read_by_host(input) &&
        !readers[input].empty() &&
        std::ranges::all_of(readers[input], [&](std::size_t reader) { return sums_products(funcs, reader); });
    if (is_kept) graph.tensors[input].stored_as = Float(32);
  }
}

}  // namespace tensordsl
