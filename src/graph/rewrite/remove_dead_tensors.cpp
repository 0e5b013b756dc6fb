#include "graph/rewrite/remove_dead_tensors.h"

#include <algorithm>

#include "graph/rewrite/renumber_tensors.h"
#include "ir/nodes/size_conversion.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {
namespace {

using definitions::DefinitionGraph;
using definitions::TensorFuncs;

/// Calls `f` with every Param in the tensor's shape and definition.
template <typename F>
void for_each_param(const DefinitionGraph& graph, const TensorFuncs& funcs, std::size_t tensor, F f) {
  std::vector<ir::FunctionPtr> functions;
  for (const Func& func : funcs.funcs_of(tensor)) functions.push_back(func.shared());
  for (const auto& [name, type] : ir::params_of(functions)) f(name);
  for (const Expr& extent : graph.tensors[tensor].shape) {
    for (const std::string& name : names_in(ir::to_size(extent))) f(name);
  }
}

/// Marks the tensors of the counts that a tensor depends on.
class NeededCounts {
 public:
  explicit NeededCounts(const DefinitionGraph& graph) {
    for (const DefinitionGraph::Count& count : graph.counts) counts_.emplace(count.param, &count);
  }

  /// Marks those that the number of its steps depends on, if anything of it is needed.
  void mark(const DefinitionGraph::Loop& loop, std::vector<bool>& needed) const {
    using Loop = DefinitionGraph::Loop;
    const auto is_needed = [&](std::size_t tensor) { return needed[tensor]; };
    if (std::ranges::none_of(loop.carried, is_needed, &Loop::Carried::now) &&
        std::ranges::none_of(loop.rows, is_needed, &Loop::Row::whole) &&
        !(loop.condition && needed[*loop.condition]))
      return;
    for (const std::string& name : names_in(ir::to_size(loop.steps))) mark(name, needed);
  }

  void mark(const DefinitionGraph& graph, const TensorFuncs& funcs, std::size_t tensor,
            std::vector<bool>& needed) const {
    if (counts_.empty()) return;
    for_each_param(graph, funcs, tensor, [&](const std::string& param) { mark(param, needed); });
  }

  void mark(const ReadRequirement& requirement, std::vector<bool>& needed) const {
    for (const SizeExpr& part : {requirement.when, requirement.begin, requirement.end, requirement.extent}) {
      for (const std::string& name : names_in(part)) mark(name, needed);
    }
  }

 private:
  void mark(const std::string& param, std::vector<bool>& needed) const {
    const auto found = counts_.find(param);
    if (found == counts_.end() || needed[found->second->tensor]) return;
    needed[found->second->tensor] = true;
    for (const std::string& name : names_in(ir::to_size(found->second->bound))) mark(name, needed);
  }

  std::map<std::string, const DefinitionGraph::Count*> counts_;
};

/// Marks the tensors that a loop needs to compute its needed tensors.
void mark_loop(const DefinitionGraph::Loop& loop, bool is_counted, std::vector<bool>& needed) {
  bool is_needed = is_counted;
  for (const DefinitionGraph::Loop::Carried& c : loop.carried) {
    if (!needed[c.end] && !needed[c.now]) continue;
    for (const std::size_t tensor : {c.begin, c.now, c.next, c.end}) needed[tensor] = true;
    is_needed = true;
  }
  for (const DefinitionGraph::Loop::Row& row : loop.rows) {
    if (!needed[row.whole]) continue;
    needed[row.row] = true;
    is_needed = true;
  }
  if (is_needed && loop.condition) needed[*loop.condition] = true;
}

/// A needed tensor has the Param, or it is in what such a one needs.
bool is_param_needed(const DefinitionGraph& graph, const TensorFuncs& funcs, const std::string& param,
                     const std::vector<bool>& needed) {
  bool is_needed = false;
  for (std::size_t i = 0; i < needed.size() && !param.empty(); ++i) {
    if (needed[i])
      for_each_param(graph, funcs, i, [&](const std::string& name) { is_needed |= name == param; });
  }
  return is_needed;
}

std::vector<bool> needed_tensors(const DefinitionGraph& graph) {
  const NeededCounts counts(graph);
  const TensorFuncs funcs(graph);
  std::vector<bool> needed(graph.tensors.size(), false);
  for (const std::size_t input : graph.inputs) needed[input] = true;
  for (const DefinitionGraph::Output& output : graph.outputs) needed[output.tensor] = true;
  for (const ReadRequirement& requirement : graph.requirements) counts.mark(requirement, needed);
  for (std::vector<bool> before; before != needed;) {
    before = needed;
    for (std::size_t i = graph.tensors.size(); i-- > 0;) {
      if (!needed[i]) continue;
      for (const std::size_t read : funcs.reads_of(funcs.funcs_of(i))) needed[read] = true;
      counts.mark(graph, funcs, i, needed);
    }
    for (const DefinitionGraph::Loop& loop : graph.loops) {
      mark_loop(loop, is_param_needed(graph, funcs, loop.taken, needed), needed);
      counts.mark(loop, needed);
    }
  }
  return needed;
}

/// Removes from loops everything that is not needed.
void keep_loops(DefinitionGraph& graph, const std::vector<bool>& needed) {
  for (DefinitionGraph::Loop& loop : graph.loops) {
    std::erase_if(loop.carried, [&](const auto& carried) { return !needed[carried.now]; });
    std::erase_if(loop.rows, [&](const auto& row) { return !needed[row.whole]; });
  }
  std::erase_if(graph.loops, [&](const DefinitionGraph::Loop& loop) {
    return loop.carried.empty() && loop.rows.empty() && !(loop.condition && needed[*loop.condition]);
  });
}

void keep_only(DefinitionGraph& graph, const std::vector<bool>& needed) {
  std::vector<std::size_t> position(graph.tensors.size());
  std::vector<definitions::DefinedTensor> kept;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    position[i] = kept.size();
    if (needed[i]) kept.push_back(std::move(graph.tensors[i]));
  }
  graph.tensors = std::move(kept);
  keep_loops(graph, needed);
  std::erase_if(graph.counts, [&](const DefinitionGraph::Count& count) { return !needed[count.tensor]; });
  renumber_tensors(graph, position);
}

}  // namespace

DefinitionGraph remove_dead_tensors(DefinitionGraph graph) {
  keep_only(graph, needed_tensors(graph));
  return graph;
}

}  // namespace tensordsl::graph
