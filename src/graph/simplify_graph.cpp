#include "graph/simplify_graph.h"

#include <fmt/format.h>

#include "classify/movement.h"
#include "definitions/redirector.h"
#include "graph/remove_dead_tensors.h"
#include "schedule/schedule.h"

namespace tensordsl {
namespace {

/// The tensor that this one is element for element.
std::optional<std::size_t> source_of(const DefinitionGraph& graph, const TensorFuncs& funcs,
                                     std::size_t index) {
  const DefinedTensor& tensor = graph.tensors[index];
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

DefinitionGraph simplify_graph(DefinitionGraph graph, PassNotes* notes) {
  const TensorFuncs funcs(graph);
  Redirector redirector;
  std::vector<std::size_t> source(graph.tensors.size());
  std::vector<Func> made;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    const auto same = source_of(graph, funcs, i);
    source[i] = same ? source[*same] : i;
    if (same) {
      const std::string& name = graph.tensors[source[i]].name;
      if (notes)
        notes->push_back({graph.tensors[i].name, fmt::format("is %{}, element for element", name), {name}});
      redirector.redirect(graph.tensors[i].func, redirector.now(graph.tensors[*same].func));
    } else {
      for (const Func& func : funcs.funcs_of(i)) redirector.update(func);
    }
    made.push_back(redirector.now(graph.tensors[i].func));
  }
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) graph.tensors[i].func = made[i];
  for (DefinitionGraph::Output& output : graph.outputs) output.tensor = source[output.tensor];
  for (DefinitionGraph::Count& count : graph.counts) count.tensor = source[count.tensor];
  for (DefinitionGraph::Loop& loop : graph.loops) {
    for (std::size_t* tensor : loop.named()) *tensor = source[*tensor];
  }
  return remove_dead_tensors(std::move(graph));
}

}  // namespace tensordsl
