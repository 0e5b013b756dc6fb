#include "graph/fuse/fuse.h"

#include <algorithm>
#include <map>
#include <set>

#include "classify/classify.h"
#include "graph/fuse/find_prologue.h"
#include "graph/fuse/why_stored.h"
#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"
#include "tensordsl/error.h"

namespace tensordsl::graph {
namespace {

using classify::Class;
using definitions::DefinedTensor;
using definitions::FusedGroup;
using definitions::GroupForm;

// A longer chain gains little from not storing its intermediate results, and a kernel of it is hard to read.
constexpr std::size_t kMaxTensors = 32;
// Limits recomputation: each branch that joins another one again has its producers inlined.
constexpr std::size_t kMaxEvaluations = 32;

bool have_same_extents(const DefinedTensor& a, const DefinedTensor& b) {
  return std::ranges::equal(a.extents(), b.extents(), ir::ExprSame());
}

/// Returns the parts of an attention among the Funcs of its tensor: passes rebuild Funcs and keep their
/// names.
definitions::AttentionForm attention_form(const definitions::AttentionNames& names,
                                          const std::vector<Func>& funcs) {
  const auto named = [&](const std::string& name) {
    const auto found = std::ranges::find(funcs, name, &Func::name);
    if (found == funcs.end())
      throw InternalError(fmt::format("a pass has removed {} from an attention", name));
    return *found;
  };
  definitions::AttentionForm form{{named(names.asked), named(names.dot), named(names.score),
                                   named(names.highest), named(names.weight), named(names.total),
                                   named(names.part)}};
  if (names.run) form.run = named(*names.run);
  form.block = names.block;
  form.query = names.query;
  form.element = names.element;
  return form;
}

class Fuser {
 public:
  /// `most`: tensors in a group.
  Fuser(const definitions::DefinitionGraph& graph, const FusionBarriers& apart, std::size_t most)
      : graph_(graph),
        apart_(apart),
        most_(most),
        funcs_(graph),
        readers_(funcs_.readers()),
        prologue_(graph, funcs_, readers_, apart) {}

  std::vector<FusedGroup> run() {
    std::vector<bool> taken(graph_.tensors.size(), false);
    std::vector<FusedGroup> groups;
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
      if (taken[i] || graph_.tensors[i].func.is_input()) continue;
      if (const auto reader = most_ > 1 ? prologue_.product_of(i) : std::nullopt) {
        prologues_[*reader].push_back(i);
        continue;
      }
      const std::vector<std::size_t> members = grow(i, taken);
      for (const std::size_t member : members) taken[member] = true;
      groups.push_back(group_of(members));
    }
    // A group waits for the operands of its last tensor, and every reader of its output comes later still.
    std::ranges::stable_sort(groups, {}, [](const FusedGroup& group) { return group.tensors.back(); });
    const StoredReasons reasons(graph_, funcs_, readers_, apart_, most_ > 1 ? &prologue_ : nullptr, groups);
    for (FusedGroup& group : groups) group.reason = reasons.why_stored(group.stored_tensors[0]);
    return groups;
  }

 private:
  /// Grows a group from `first` by element-wise consumers, as long as one result is left: a chain, and
  /// branches that meet again.
  std::vector<std::size_t> grow(std::size_t first, const std::vector<bool>& taken) const {
    std::vector<std::size_t> members{first};
    std::map<std::size_t, std::size_t> evaluations{{first, 1}};
    std::size_t with_one_result = 1;
    while (members.size() < most_) {
      const auto next = next_reader(members, taken, evaluations);
      if (!next) break;
      members.push_back(*next);
      if (has_one_result(members)) with_one_result = members.size();
    }
    members.resize(with_one_result);
    return members;
  }

  /// The first reader of a member that may become one.
  std::optional<std::size_t> next_reader(const std::vector<std::size_t>& members,
                                         const std::vector<bool>& taken,
                                         std::map<std::size_t, std::size_t>& evaluations) const {
    std::set<std::size_t> readers;
    for (const std::size_t member : members) {
      for (const std::size_t reader : readers_[member]) {
        if (!taken[reader] && !evaluations.contains(reader)) readers.insert(reader);
      }
    }
    for (const std::size_t reader : readers) {
      if (members.size() == 1 && is_left_to_another(members[0], reader, taken)) continue;
      const std::size_t count = evaluations_of(reader, members[0], evaluations);
      if (count == 0 || count > kMaxEvaluations) continue;
      evaluations.emplace(reader, count);
      return reader;
    }
    return std::nullopt;
  }

  /// True if a layout transformation is not fused into its reader, because a sum that only the reader reads
  /// is fused instead of the producer: then the layout transformation may become an alias of its source.
  bool is_left_to_another(std::size_t first, std::size_t reader, const std::vector<bool>& taken) const {
    const ir::Function& function = graph_.tensors[reader].func.contents();
    const classify::Classification kind = classify::classify(graph_.tensors[first].func.contents());
    if (funcs_.funcs_of(first).size() != 1 || kind.kind != Class::Movement) return false;
    return std::ranges::any_of(funcs_.reads_of(funcs_.funcs_of(reader)), [&](std::size_t other) {
      const DefinedTensor& tensor = graph_.tensors[other];
      if (other == first || taken[other] || tensor.func.is_input() || graph_.is_read_by_host(other))
        return false;
      if (!apart_.may_meet(graph_, other, reader)) return false;
      return funcs_.funcs_of(other).size() > 1 && readers_[other] == std::vector<std::size_t>{reader} &&
             have_same_extents(tensor, graph_.tensors[reader]) &&
             classify::reads_in_place(function, tensor.func.name());
    });
  }

  /// Counts the uses of the first member's value in a reader's, with everything inlined; 0 if it is not
  /// applied element by element.
  std::size_t evaluations_of(std::size_t reader, std::size_t first,
                             const std::map<std::size_t, std::size_t>& evaluations) const {
    const DefinedTensor& tensor = graph_.tensors[reader];
    if (!apart_.may_meet(graph_, reader, first)) return 0;
    if (funcs_.funcs_of(reader).size() != 1 || !have_same_extents(tensor, graph_.tensors[first])) return 0;
    const classify::Classification classification = classify::classify(tensor.func.contents());
    if (classification.kind != Class::Pointwise) return 0;
    std::size_t count = 0;
    for (const classify::Access& read : classification.reads) {
      const auto source = funcs_.tensor_of(*read.tensor);
      const auto member = source ? evaluations.find(*source) : evaluations.end();
      if (member == evaluations.end()) continue;
      if (!classify::reads_in_place(tensor.func.contents(), graph_.tensors[*source].func.name())) return 0;
      count += member->second;
    }
    return count;
  }

  /// True if only the last member is read by others.
  bool has_one_result(const std::vector<std::size_t>& members) const {
    const auto is_inner = [&](std::size_t member) {
      return !graph_.is_read_by_host(member) &&
             std::ranges::all_of(readers_[member], [&](std::size_t reader) {
               return std::ranges::find(members, reader) != members.end();
             });
    };
    return std::all_of(members.begin(), members.end() - 1, is_inner);
  }

  FusedGroup group_of(const std::vector<std::size_t>& members) const {
    FusedGroup group;
    const auto add = [&](std::size_t tensor) {
      group.tensors.push_back(tensor);
      for (const definitions::Origin& origin : origins_of(graph_.tensors[tensor]))
        group.label += (group.label.empty() ? "" : "+") + origin.kind;
    };
    if (const auto before = prologues_.find(members.front()); before != prologues_.end()) {
      for (const std::size_t tensor : before->second) {
        add(tensor);
        group.prologue.push_back(graph_.tensors[tensor].func);
      }
    }
    for (const std::size_t tensor : members) {
      add(tensor);
      for (const Func& func : funcs_.funcs_of(tensor)) place(group, func, members.front());
    }
    group.outputs = {graph_.tensors[members.back()].func};
    group.stored_tensors = {members.back()};
    if (const auto& names = graph_.tensors[members.front()].attention)
      group.form = attention_form(*names, funcs_.funcs_of(members.front()));
    return group;
  }

  /// Accumulated Funcs are anchors; pure Funcs before them are the prologue, those after them the epilogue.
  void place(FusedGroup& group, const Func& func, std::size_t first) const {
    if (func.updates() > 0) {
      group.anchors.push_back(func);
    } else if (!group.anchors.empty()) {
      group.epilogue.push_back(func);
    } else if (funcs_.tensor_of(func.contents()) == first) {
      group.anchors.push_back(func);  // nothing is accumulated
    } else {
      group.prologue.push_back(func);
    }
  }

  const definitions::DefinitionGraph& graph_;
  const FusionBarriers& apart_;
  std::size_t most_;
  definitions::TensorFuncs funcs_;
  std::vector<std::vector<std::size_t>> readers_;
  PrologueFinder prologue_;
  std::map<std::size_t, std::vector<std::size_t>> prologues_;  // by the tensor that computes them again
};

}  // namespace

void fuse(Graph& graph, const GraphContext&) {
  const FusionBarriers barriers = barriers_of(graph, graph.fallbacks.refused(Refusal::Together));
  graph.groups = Fuser(graph.definitions, barriers, kMaxTensors).run();
}

void separate(Graph& graph, const GraphContext&) {
  const FusionBarriers none;
  graph.groups = Fuser(graph.definitions, none, 1).run();
}

}  // namespace tensordsl::graph
