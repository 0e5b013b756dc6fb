#include "graph/bake_constants.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>

#include "classify/classify.h"
#include "definitions/redirector.h"
#include "dsl/func_of.h"
#include "graph/remove_dead_tensors.h"
#include "ir/expr_node.h"
#include "ir/print.h"
#include "schedule/schedule.h"

namespace tensordsl {

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

class Baker {
 public:
  Baker(DefinitionGraph graph, PassNotes* notes) : graph_(std::move(graph)), notes_(notes), funcs_(graph_) {}

  DefinitionGraph run() {
    for (const DefinedTensor& tensor : graph_.tensors) {
      const auto number = tensor.constant ? number_of(*tensor.constant) : std::nullopt;
      if (number)
        numbers_.emplace(&tensor.func.contents(), Number{*number, tensor.constant->elements() == 1});
    }
    if (numbers_.empty()) return std::move(graph_);
    std::vector<Func> made;
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
      for (const Func& func : funcs_.funcs_of(i)) rebuild(func);
      made.push_back(redirector_.now(graph_.tensors[i].func));
    }
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
      if (notes_ && baked_.contains(&graph_.tensors[i].func.contents())) note(i);
      graph_.tensors[i].func = made[i];
    }
    return remove_dead_tensors(std::move(graph_));
  }

 private:
  struct Number {
    Expr value;
    bool is_single;  ///< of one element
  };

  void rebuild(const Func& func) {
    const std::vector<std::size_t> reads = funcs_.reads_of({func});
    const bool reads_number = std::ranges::any_of(
        reads, [&](std::size_t read) { return numbers_.contains(&graph_.tensors[read].func.contents()); });
    if (!reads_number) return redirector_.update(func);
    const auto roles = classify::classify(func.contents()).roles;
    const auto is_factor = [&](const Expr& call) {
      return roles && (roles->a.tensor == call->function || roles->b.tensor == call->function);
    };
    redirector_.replace(func, copy_with_reads(func, func.name(), [&](const Expr& call) {
                          const auto number = numbers_.find(call->function.get());
                          if (number == numbers_.end()) return call;
                          if (!number->second.is_single && is_factor(call)) return call;
                          if (!number->second.is_single) baked_.insert(call->function.get());
                          return number->second.value;
                        }));
  }

  /// Of numbers for themselves there is nothing to tell.
  void note(std::size_t tensor) const {
    const DefinedTensor& t = graph_.tensors[tensor];
    const Expr& value = numbers_.at(&t.func.contents()).value;
    notes_->push_back({t.name, fmt::format("is {} at each place", ir::print(value)), {}});
  }

  DefinitionGraph graph_;
  PassNotes* notes_;
  TensorFuncs funcs_;
  std::map<const Function*, Number> numbers_;
  std::set<const Function*> baked_;  // of more than one element
  Redirector redirector_;
};

}  // namespace

DefinitionGraph bake_constants(DefinitionGraph graph, PassNotes* notes) {
  return Baker(std::move(graph), notes).run();
}

}  // namespace tensordsl
