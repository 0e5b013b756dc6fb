#include "graph/rewrite/simplify_graph.h"

#include <fmt/format.h>

#include "classify/movement.h"
#include "graph/rewrite/graph_rewriter.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {
namespace {

/// The tensor that this one is element for element.
std::optional<std::size_t> source_of(const definitions::DefinitionGraph& graph,
                                     const definitions::TensorFuncs& funcs, std::size_t index) {
  const definitions::DefinedTensor& tensor = graph.tensors[index];
  if (tensor.func.is_input() || graph.is_handed_on(index) || funcs.funcs_of(index).size() != 1)
    return std::nullopt;
  const std::vector<std::size_t> reads = funcs.reads_of({tensor.func});
  if (reads.size() != 1 || graph.tensors[reads[0]].type() != tensor.type()) return std::nullopt;
  // A scalar and a tensor of one element have equal Funcs, and are not the same to the model's user.
  if (graph.tensors[reads[0]].shape.size() != tensor.shape.size()) return std::nullopt;
  const auto movement =
      classify::movement_of(tensor.func.contents(), tensor.extents(), graph.tensors[reads[0]].extents());
  return movement && movement->is_identity ? std::optional(reads[0]) : std::nullopt;
}

}  // namespace

void simplify_graph(Graph& graph, const GraphContext& context) {
  GraphRewriter rewriter(std::move(graph.definitions), context.notes);
  const definitions::DefinitionGraph& before = rewriter.graph();
  std::vector<std::size_t> source(before.tensors.size());
  graph.definitions = rewriter.run([&](std::size_t tensor) {
    const auto same = source_of(before, rewriter.funcs(), tensor);
    source[tensor] = same ? source[*same] : tensor;
    if (!same) return;
    rewriter.merge(tensor, source[tensor],
                   fmt::format("equals %{}, element by element", before.tensors[source[tensor]].name));
  });
}

}  // namespace tensordsl::graph
