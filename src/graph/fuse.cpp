#include "graph/fuse.h"

#include <algorithm>

#include "classify/classify.h"
#include "ir/expr_node.h"
#include "schedule/schedule.h"

namespace tensordsl {
namespace {

using classify::Class;

// A longer chain gains little from not storing its intermediate results, and a kernel of it is hard to read.
constexpr std::size_t kMaxTensors = 32;

bool have_same_extents(const DefinedTensor& a, const DefinedTensor& b) {
  return std::ranges::equal(a.extents(), b.extents(), ir::ExprSame());
}

class Fuser {
 public:
  Fuser(const DefinitionGraph& graph, const std::vector<std::string>& on_host)
      : graph_(graph), on_host_(on_host), funcs_(graph), readers_(readers_of(graph)) {}

  std::vector<Group> run() {
    std::vector<bool> taken(graph_.tensors.size(), false);
    std::vector<Group> groups;
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
      if (taken[i] || graph_.tensors[i].func.is_input()) continue;
      std::vector<std::size_t> chain{i};
      while (chain.size() < kMaxTensors) {
        const auto next = fusible_reader(chain.back());
        if (!next || taken[*next]) break;  // a sum of two convolutions goes with the first of them
        taken[*next] = true;
        chain.push_back(*next);
      }
      groups.push_back(group_of(chain));
    }
    // A group waits for the operands of its last tensor, and every reader of its output comes later still.
    std::ranges::stable_sort(groups, {}, [](const Group& group) { return group.tensors.back(); });
    return groups;
  }

 private:
  /// The one tensor that reads `tensor`, if it can be applied element by element as that is made.
  std::optional<std::size_t> fusible_reader(std::size_t tensor) const {
    if (graph_.is_read_by_host(tensor) || readers_[tensor].size() != 1) return std::nullopt;
    const std::size_t reader = readers_[tensor][0];
    const DefinedTensor& next = graph_.tensors[reader];
    if (!on_host_.empty() && on_host_[reader] != on_host_[tensor]) return std::nullopt;
    const bool is_pointwise = funcs_.funcs_of(reader).size() == 1 &&
                              classify::classify(next.func.contents()).kind == Class::Pointwise;
    const bool fits = is_pointwise && have_same_extents(next, graph_.tensors[tensor]) &&
                      classify::reads_in_place(next.func.contents(), graph_.tensors[tensor].func.name());
    return fits ? std::optional(reader) : std::nullopt;
  }

  Group group_of(const std::vector<std::size_t>& chain) const {
    Group group;
    group.tensors = chain;
    for (const std::size_t tensor : chain) {
      group.label += (group.label.empty() ? "" : "+") + graph_.tensors[tensor].origin.kind;
      for (const Func& func : funcs_.funcs_of(tensor)) place(group, func, chain);
    }
    group.outputs = {graph_.tensors[chain.back()].func};
    group.stored_tensors = {chain.back()};
    return group;
  }

  /// Accumulated Funcs are anchors; what is pure before them is their prologue, behind them the epilogue.
  void place(Group& group, const Func& func, const std::vector<std::size_t>& chain) const {
    if (func.updates() > 0) {
      group.anchors.push_back(func);
    } else if (!group.anchors.empty()) {
      group.epilogue.push_back(func);
    } else if (funcs_.tensor_of(func.contents()) == chain.front()) {
      group.anchors.push_back(func);  // nothing is accumulated
    } else {
      group.prologue.push_back(func);
    }
  }

  const DefinitionGraph& graph_;
  const std::vector<std::string>& on_host_;
  TensorFuncs funcs_;
  std::vector<std::vector<std::size_t>> readers_;
};

}  // namespace

std::vector<Group> fuse(const DefinitionGraph& graph, const std::vector<std::string>& on_host) {
  return Fuser(graph, on_host).run();
}

}  // namespace tensordsl
