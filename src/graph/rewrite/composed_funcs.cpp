#include "graph/rewrite/composed_funcs.h"

#include <fmt/format.h>

#include "dsl/func_of.h"
#include "graph/rewrite/graph_rewriter.h"
#include "ir/nodes/expr_node.h"
#include "ir/nodes/substitute.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {

using definitions::DefinitionGraph;
using definitions::Origin;

using namespace ir;

namespace {

/// The tensor has the others in it from now on.
void take_in(GraphRewriter& rewriter, std::size_t last, const Composition& composition) {
  const std::vector<definitions::DefinedTensor>& tensors = rewriter.graph().tensors;
  const std::string& name = tensors[last].name;
  std::vector<Origin> origins;
  for (const std::size_t member : composition.tensors) {
    if (member == last) continue;
    for (const Origin& origin : origins_of(tensors[member])) origins.push_back(origin);
    rewriter.note(member, PassOutcome::Merged, fmt::format("{} %{}", composition.text, name), {name});
  }
  std::vector<Origin>& fused = rewriter.visited().fused;
  fused.insert(fused.begin(), origins.begin(), origins.end());
}

}  // namespace

std::vector<Func> composed_funcs(const DefinitionGraph& graph, const definitions::TensorFuncs& funcs,
                                 const std::set<std::size_t>& tensors) {
  std::map<const Function*, Func> values;  // that are written out
  std::map<const Function*, Func> kept;    // by the Func that was
  std::vector<Func> result;
  const auto replaced = [&](const Expr& call) -> Expr {
    if (const auto known = kept.find(call->function.get()); known != kept.end())
      return make_call(call.type(), known->second.shared(), known->second.name(), call->operands,
                       call->component);
    const auto value = values.find(call->function.get());
    if (value == values.end()) return call;
    const Function& function = value->second.contents();
    Substitution at;
    for (std::size_t d = 0; d < function.dims.size(); ++d) at.emplace(function.dims[d], call->operands[d]);
    return make_cast(call.type(), substitute(function.definitions[0].value(), at));
  };
  const Func& last = graph.tensors[*tensors.rbegin()].func;
  for (const std::size_t tensor : tensors) {
    for (const Func& func : funcs.funcs_of(tensor)) {
      const Func copy = copy_with_reads(func, func.name(), replaced);
      if (func.updates() == 0 && func.shared() != last.shared()) {
        values.emplace(&func.contents(), copy);
        continue;
      }
      kept.emplace(&func.contents(), copy);
      result.push_back(copy);
    }
  }
  return result;
}

DefinitionGraph with_compositions(DefinitionGraph graph, const std::map<std::size_t, Composition>& by_last,
                                  PassNotes* notes) {
  if (by_last.empty()) return graph;
  GraphRewriter rewriter(std::move(graph), notes);
  return rewriter.run([&](std::size_t tensor) {
    const auto composition = by_last.find(tensor);
    if (composition == by_last.end()) return;
    rewriter.replace(tensor, composed_funcs(rewriter.graph(), rewriter.funcs(), composition->second.tensors));
    take_in(rewriter, tensor, composition->second);
  });
}

}  // namespace tensordsl::graph
