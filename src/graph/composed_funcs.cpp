#include "graph/composed_funcs.h"

#include <fmt/format.h>

#include "definitions/redirector.h"
#include "dsl/func_of.h"
#include "graph/remove_dead_tensors.h"
#include "ir/expr_node.h"
#include "ir/substitute.h"
#include "schedule/schedule.h"

namespace tensordsl {

using namespace ir;

namespace {

void note(DefinitionGraph& graph, std::size_t last, const Composition& composition, PassNotes* notes) {
  DefinedTensor& tensor = graph.tensors[last];
  std::vector<Origin> origins;
  for (const std::size_t member : composition.tensors) {
    if (member == last) continue;
    for (const Origin& origin : origins_of(graph.tensors[member])) origins.push_back(origin);
    if (notes)
      notes->push_back(
          {graph.tensors[member].name, fmt::format("{} %{}", composition.text, tensor.name), {tensor.name}});
  }
  tensor.fused.insert(tensor.fused.begin(), origins.begin(), origins.end());
}

}  // namespace

std::vector<Func> composed_funcs(const DefinitionGraph& graph, const TensorFuncs& funcs,
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
  const TensorFuncs funcs(graph);
  Redirector redirector;
  std::vector<Func> made;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    const auto composition = by_last.find(i);
    if (composition == by_last.end()) {
      for (const Func& func : funcs.funcs_of(i)) redirector.update(func);
    } else {
      const std::vector<Func> parts = composed_funcs(graph, funcs, composition->second.tensors);
      for (const Func& part : parts) redirector.update(part);
      redirector.redirect(graph.tensors[i].func, redirector.now(parts.back()));
      note(graph, i, composition->second, notes);
    }
    made.push_back(redirector.now(graph.tensors[i].func));
  }
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) graph.tensors[i].func = made[i];
  return remove_dead_tensors(std::move(graph));
}

}  // namespace tensordsl
