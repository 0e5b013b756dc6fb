#include "definitions/definition_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"

namespace tensordsl::definitions {

using namespace ir;

namespace {

/// Calls `f` for the tensors and Funcs that a definition reads, in the order of the text; not for itself.
template <typename F>
void for_each_read(const Function& function, F f) {
  for (const Definition& definition : function.definitions) {
    for (const Expr& expr : definition.expressions()) {
      visit(expr, [&](const Expr& e) {
        if (e->kind == ExprKind::Call && e->function) f(e->function);
        return true;
      });
    }
  }
}

/// The front end made it, and hands out handles that change it.
Func handle_of(const FunctionPtr& function) {
  return Func(std::const_pointer_cast<schedule::ScheduledFunction>(
      std::dynamic_pointer_cast<const schedule::ScheduledFunction>(function)));
}

}  // namespace

std::vector<Origin> origins_of(const DefinedTensor& tensor) {
  std::vector<Origin> origins = tensor.fused;
  origins.push_back(tensor.origin);
  return origins;
}

std::string to_string(const Origin& origin) {
  return fmt::format("node '{}' ({})", origin.node, origin.kind);
}

std::vector<std::size_t*> DefinitionGraph::Loop::named() {
  std::vector<std::size_t*> tensors;
  for (Carried& c : carried) tensors.insert(tensors.end(), {&c.begin, &c.now, &c.next, &c.end});
  for (Row& r : rows) tensors.insert(tensors.end(), {&r.row, &r.whole});
  if (condition) tensors.push_back(&*condition);
  return tensors;
}

bool DefinitionGraph::is_handed_on(std::size_t tensor) const {
  return std::ranges::any_of(loops, [&](const Loop& loop) {
    return std::ranges::count(loop.carried, tensor, &Loop::Carried::begin) > 0 ||
           std::ranges::count(loop.carried, tensor, &Loop::Carried::next) > 0 ||
           std::ranges::count(loop.rows, tensor, &Loop::Row::row) > 0 || loop.condition == tensor;
  });
}

bool DefinitionGraph::is_read_by_host(std::size_t tensor) const {
  const auto is_of = [&](const Loop& loop) {
    return std::ranges::count(loop.carried, tensor, &Loop::Carried::now) > 0 ||
           std::ranges::count(loop.carried, tensor, &Loop::Carried::end) > 0 ||
           std::ranges::count(loop.rows, tensor, &Loop::Row::whole) > 0;
  };
  if (is_handed_on(tensor) || std::ranges::any_of(loops, is_of)) return true;
  return std::ranges::any_of(outputs, [&](const Output& output) { return output.tensor == tensor; }) ||
         std::ranges::any_of(counts, [&](const Count& count) { return count.tensor == tensor; });
}

TensorFuncs::TensorFuncs(const DefinitionGraph& graph) : graph_(graph) {
  for (std::size_t i = 0; i < graph.tensors.size(); ++i)
    tensors_.emplace(&graph.tensors[i].func.contents(), i);
}

std::optional<std::size_t> TensorFuncs::tensor_of(const Function& function) const {
  const auto found = tensors_.find(&function);
  return found == tensors_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<Func> TensorFuncs::funcs_of(std::size_t tensor) const {
  std::vector<Func> funcs;
  std::set<const Function*> seen;
  const auto add = [&](const auto& self, const Func& func) -> void {
    if (!seen.insert(&func.contents()).second) return;
    for_each_read(func.contents(), [&](const FunctionPtr& read) {
      if (!tensor_of(*read)) self(self, handle_of(read));
    });
    funcs.push_back(func);
  };
  if (!graph_.tensors[tensor].func.is_input()) add(add, graph_.tensors[tensor].func);
  return funcs;
}

std::vector<std::size_t> TensorFuncs::reads_of(const std::vector<Func>& funcs) const {
  std::vector<std::size_t> reads;
  for (const Func& func : funcs) {
    for_each_read(func.contents(), [&](const FunctionPtr& read) {
      const auto tensor = tensor_of(*read);
      if (tensor && std::ranges::find(reads, *tensor) == reads.end()) reads.push_back(*tensor);
    });
  }
  return reads;
}

std::vector<std::vector<std::size_t>> TensorFuncs::readers() const {
  std::vector<std::vector<std::size_t>> readers(graph_.tensors.size());
  for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
    for (const std::size_t read : reads_of(funcs_of(i))) readers[read].push_back(i);
  }
  return readers;
}

std::vector<std::vector<std::size_t>> readers_of(const DefinitionGraph& graph) {
  return TensorFuncs(graph).readers();
}

}  // namespace tensordsl::definitions
