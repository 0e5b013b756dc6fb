#include "graph/rewrite/keep_input_precision.h"

#include <algorithm>

#include "classify/classify.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {
namespace {

bool is_state(const definitions::DefinitionGraph& graph, std::size_t input) {
  return std::ranges::any_of(graph.states, [&](const auto& state) { return state.input == input; });
}

bool sums_products(const definitions::TensorFuncs& funcs, std::size_t tensor) {
  return std::ranges::any_of(funcs.funcs_of(tensor), [](const Func& func) {
    return classify::classify(func.contents()).kind == classify::Class::Contraction;
  });
}

}  // namespace

void keep_input_precision(Graph& graph, const GraphContext& context) {
  definitions::DefinitionGraph& definitions = graph.definitions;
  const CompileOptions& options = context.options;
  if (options.precision != Precision::Float16 || options.target.group_items > 1) return;
  const definitions::TensorFuncs funcs(definitions);
  const std::vector<std::vector<std::size_t>> readers = readers_of(definitions);
  for (std::size_t i = 0; i < definitions.inputs.size(); ++i) {
    const std::size_t input = definitions.inputs[i];
    const bool is_kept =
        definitions.tensors[input].type() == Float(32) && !is_state(definitions, i) &&
        !definitions.is_read_by_host(input) && !readers[input].empty() &&
        std::ranges::all_of(readers[input], [&](std::size_t reader) { return sums_products(funcs, reader); });
    if (is_kept) definitions.tensors[input].stored_as = Float(32);
  }
}

}  // namespace tensordsl::graph
