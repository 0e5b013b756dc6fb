#include "graph/rewrite/propagate_scalars.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>

#include "classify/classify.h"
#include "dsl/func_of.h"
#include "graph/rewrite/graph_rewriter.h"
#include "ir/nodes/expr_node.h"
#include "ir/text/print.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {

using definitions::DefinitionGraph;

using namespace ir;

namespace {

/// The number that every element is.
std::optional<Expr> number_of(const Buffer& constant) {
  if (constant.elements() == 0) return std::nullopt;
  const auto bytes = constant.bytes();
  const auto element = static_cast<std::size_t>(constant.type().bytes());
  // Each byte is the one that an element before it has there.
  if (std::memcmp(bytes.data(), bytes.data() + element, bytes.size() - element) != 0) return std::nullopt;
  const Type type = constant.type();
  return type.is_float() ? make_float(type, constant.get(0)) : make_int(type, constant.get_int(0));
}

class ScalarPropagator {
 public:
  ScalarPropagator(DefinitionGraph graph, PassNotes* notes) : rewriter_(std::move(graph), notes) {}

  DefinitionGraph run() {
    const std::vector<definitions::DefinedTensor>& tensors = rewriter_.graph().tensors;
    for (const definitions::DefinedTensor& tensor : tensors) {
      const auto number = tensor.constant ? number_of(*tensor.constant) : std::nullopt;
      if (number)
        numbers_.emplace(&tensor.func.contents(), Number{*number, tensor.constant->elements() == 1});
    }
    DefinitionGraph result = rewriter_.run([&](std::size_t tensor) {
      if (numbers_.empty()) return;
      for (const Func& func : rewriter_.funcs().funcs_of(tensor)) rebuild(func);
    });
    for (std::size_t i = 0; i < tensors.size(); ++i) note(i);
    return result;
  }

 private:
  struct Number {
    Expr value;
    bool is_single;  ///< of one element
  };

  void rebuild(const Func& func) {
    bool reads_number = false;
    for (const std::size_t read : rewriter_.funcs().reads_of({func}))
      reads_number = reads_number || numbers_.contains(&rewriter_.graph().tensors[read].func.contents());
    if (!reads_number) return rewriter_.update(func);
    const auto roles = classify::classify(func.contents()).roles;
    const auto is_factor = [&](const Expr& call) {
      return roles && (roles->a.tensor == call->function || roles->b.tensor == call->function);
    };
    rewriter_.replace(func, copy_with_reads(func, func.name(), [&](const Expr& call) {
                        const auto number = numbers_.find(call->function.get());
                        if (number == numbers_.end()) return call;
                        if (!number->second.is_single && is_factor(call)) return call;
                        if (!number->second.is_single) propagated_.insert(call->function.get());
                        return number->second.value;
                      }));
  }

  /// Says so only for constants with several elements.
  void note(std::size_t tensor) const {
    const Function* function = &rewriter_.graph().tensors[tensor].func.contents();
    if (propagated_.contains(function))
      rewriter_.note(tensor, PassOutcome::Described,
                     fmt::format("is {} everywhere", ir::print(numbers_.at(function).value)));
  }

  GraphRewriter rewriter_;
  std::map<const Function*, Number> numbers_;
  std::set<const Function*> propagated_;  // of more than one element
};

}  // namespace

void propagate_scalars(Graph& graph, const GraphContext& context) {
  graph.definitions = ScalarPropagator(std::move(graph.definitions), context.notes).run();
}

}  // namespace tensordsl::graph
