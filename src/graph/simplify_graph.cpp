#include "graph/simplify_graph.h"

#include "classify/movement.h"
#include "dsl/func_of.h"
#include "ir/expr_node.h"
#include "schedule/schedule.h"

namespace tensordsl {
namespace {

/// The tensor that this one is element for element.
std::optional<std::size_t> source_of(const DefinitionGraph& graph, const TensorFuncs& funcs,
                                     std::size_t index) {
  const DefinedTensor& tensor = graph.tensors[index];
  if (tensor.func.is_input() || funcs.funcs_of(index).size() != 1) return std::nullopt;
  const std::vector<std::size_t> reads = funcs.reads_of({tensor.func});
  if (reads.size() != 1 || graph.tensors[reads[0]].type() != tensor.type()) return std::nullopt;
  // A scalar and a tensor of one element have equal Funcs, and are not the same to the model's user.
  if (graph.tensors[reads[0]].shape.size() != tensor.shape.size()) return std::nullopt;
  const auto movement =
      classify::movement_of(tensor.func.contents(), tensor.extents(), graph.tensors[reads[0]].extents());
  return movement && movement->is_identity ? std::optional(reads[0]) : std::nullopt;
}

template <typename F>
void for_each_name(const Expr& expr, F f) {
  ir::visit(expr, [&](const Expr& e) {
    if (e->kind == ir::ExprKind::Var) f(e->name);
    return true;
  });
}

/// A tensor's Funcs again, over the tensors that stay.
class Redirector {
 public:
  /// From now on `from` is read as `to`.
  void redirect(const Func& from, const Func& to) { now_.insert_or_assign(&from.contents(), to); }
  Func now(const Func& func) const {
    const auto found = now_.find(&func.contents());
    return found == now_.end() ? func : found->second;
  }

  /// A new Func if one that it reads is another now.
  void update(const Func& func) {
    bool is_changed = false;
    const Func copy = copy_with_reads(func, func.name(), [&](const Expr& call) {
      const auto found = now_.find(call->function.get());
      if (found == now_.end()) return call;
      is_changed = true;
      return ir::make_call(call.type(), found->second.shared(), found->second.name(), call->operands,
                           call->component);
    });
    if (is_changed) redirect(func, copy);
  }

 private:
  std::map<const ir::Function*, Func> now_;
};

/// Calls `f` with every Param in the tensor's shape and definition.
template <typename F>
void for_each_param(const DefinitionGraph& graph, const TensorFuncs& funcs, std::size_t tensor, F f) {
  std::vector<ir::FunctionPtr> functions;
  for (const Func& func : funcs.funcs_of(tensor)) functions.push_back(func.shared());
  for (const auto& [name, type] : ir::params_of(functions)) f(name);
  for (const Expr& extent : graph.tensors[tensor].shape) for_each_name(extent, f);
}

/// Marks the tensors of the counts that a tensor depends on.
class NeededCounts {
 public:
  explicit NeededCounts(const DefinitionGraph& graph) {
    for (const DefinitionGraph::Count& count : graph.counts) counts_.emplace(count.param, &count);
  }

  void mark(const DefinitionGraph& graph, const TensorFuncs& funcs, std::size_t tensor,
            std::vector<bool>& needed) const {
    if (counts_.empty()) return;
    for_each_param(graph, funcs, tensor, [&](const std::string& param) { mark(param, needed); });
  }

 private:
  void mark(const std::string& param, std::vector<bool>& needed) const {
    const auto found = counts_.find(param);
    if (found == counts_.end() || needed[found->second->tensor]) return;
    needed[found->second->tensor] = true;
    for_each_name(found->second->bound, [&](const std::string& other) { mark(other, needed); });
  }

  std::map<std::string, const DefinitionGraph::Count*> counts_;
};

std::vector<bool> needed_tensors(const DefinitionGraph& graph) {
  const NeededCounts counts(graph);
  const TensorFuncs funcs(graph);
  std::vector<bool> needed(graph.tensors.size(), false);
  for (const std::size_t input : graph.inputs) needed[input] = true;
  for (const DefinitionGraph::Output& output : graph.outputs) needed[output.tensor] = true;
  for (std::size_t i = graph.tensors.size(); i-- > 0;) {
    if (!needed[i]) continue;
    for (const std::size_t read : funcs.reads_of(funcs.funcs_of(i))) needed[read] = true;
    counts.mark(graph, funcs, i, needed);
  }
  return needed;
}

void keep_only(DefinitionGraph& graph, const std::vector<bool>& needed) {
  std::vector<std::size_t> position(graph.tensors.size());
  std::vector<DefinedTensor> kept;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    position[i] = kept.size();
    if (needed[i]) kept.push_back(std::move(graph.tensors[i]));
  }
  graph.tensors = std::move(kept);
  for (std::size_t& input : graph.inputs) input = position[input];
  for (DefinitionGraph::Output& output : graph.outputs) output.tensor = position[output.tensor];
  std::erase_if(graph.counts, [&](const DefinitionGraph::Count& count) { return !needed[count.tensor]; });
  for (DefinitionGraph::Count& count : graph.counts) count.tensor = position[count.tensor];
}

}  // namespace

DefinitionGraph simplify_graph(DefinitionGraph graph) {
  const TensorFuncs funcs(graph);
  Redirector redirector;
  std::vector<std::size_t> source(graph.tensors.size());
  std::vector<Func> made;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    const auto same = source_of(graph, funcs, i);
    source[i] = same ? source[*same] : i;
    if (same) {
      redirector.redirect(graph.tensors[i].func, redirector.now(graph.tensors[*same].func));
    } else {
      for (const Func& func : funcs.funcs_of(i)) redirector.update(func);
    }
    made.push_back(redirector.now(graph.tensors[i].func));
  }
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) graph.tensors[i].func = made[i];
  for (DefinitionGraph::Output& output : graph.outputs) output.tensor = source[output.tensor];
  for (DefinitionGraph::Count& count : graph.counts) count.tensor = source[count.tensor];
  std::vector<bool> needed = needed_tensors(graph);
  for (std::size_t i = 0; i < source.size(); ++i) needed[i] = needed[i] && source[i] == i;
  keep_only(graph, needed);
  return graph;
}

}  // namespace tensordsl
