#include "graph/schedule/choose_in_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "graph/memory/lifetimes.h"
#include "graph/schedule/find_in_place.h"
#include "graph/stages/find_loops.h"
#include "ir/nodes/expr_node.h"

namespace tensordsl::graph {
namespace {

using definitions::DefinitionGraph;
using definitions::GroupOperand;
using definitions::StoredGroup;

/// Finds lifetimes before kernels exist: a step is the number of a group, and the tensors are those between
/// groups that have memory of their own. The kernels that a group may become are not known yet.
class Steps {
 public:
  Steps(const DefinitionGraph& graph, const TensorStorage& storage, const std::vector<ScheduledGroup>& groups)
      : storage_(storage), groups_(groups) {
    std::set<std::size_t> kept;  // inputs, constants, outputs, and tensors that the host reads
    for (const std::size_t input : graph.inputs) kept.insert(storage.owner(input));
    for (const DefinitionGraph::Output& output : graph.outputs) kept.insert(storage.owner(output.tensor));
    for (const DefinitionGraph::Count& count : graph.counts) kept.insert(storage.owner(count.tensor));
    for (const DefinitionGraph::Loop& loop : graph.loops) {
      for (const auto& carried : loop.carried) {
        kept.insert(carried.begin);
        kept.insert(carried.next);
      }
      for (const auto& row : loop.rows) kept.insert(row.whole);
    }
    const std::vector<std::set<std::size_t>> loops = find_loops(graph);
    const auto is_kept_for_steps = [&](std::size_t tensor, std::size_t reader) {
      return loops[tensor] != loops[reader] || graph.is_read_by_host(tensor);
    };
    for (std::size_t step = 0; step < groups.size(); ++step) {
      const StoredGroup& group = groups[step].group;
      for (const GroupOperand& operand : group.operands) {
        // The next step reads it again.
        if (!graph.loops.empty() && is_kept_for_steps(operand.tensor, group.stored_tensors[0]))
          kept.insert(storage.owner(operand.tensor));
      }
      for (const GroupOperand& operand : group.operands) {
        if (operand.is_constant) continue;
        use(storage.owner(operand.tensor), operand.stored, step);
      }
      for (std::size_t i = 0; i < group.stored_tensors.size(); ++i)
        use(storage.owner(group.stored_tensors[i]), group.stored[i], step);
    }
    std::erase_if(lives_, [&](const auto& life) {
      return kept.contains(life.first) || graph.tensors[life.first].constant;
    });
  }

  /// The steps that need most, and how much that is.
  std::pair<std::vector<std::size_t>, std::int64_t> peaks() const {
    std::vector<std::int64_t> change(groups_.size() + 1, 0);
    for (const auto& [tensor, life] : lives_) {
      change[static_cast<std::size_t>(life.first)] += life.bytes;
      change[static_cast<std::size_t>(life.last) + 1] -= life.bytes;
    }
    std::int64_t needed = 0, most = 0;
    std::vector<std::size_t> steps;
    for (std::size_t step = 0; step < groups_.size(); ++step) {
      needed += change[step];
      if (needed > most) steps.clear();
      most = std::max(most, needed);
      if (needed == most) steps.push_back(step);
    }
    return {steps, most};
  }

  /// The operand that is not needed any more and lies as the output does, which is needed later.
  std::optional<std::size_t> candidate(std::size_t step) const {
    const StoredGroup& group = groups_[step].group;
    if (!groups_[step].refusal.empty() || group.stored_tensors.size() != 1) return std::nullopt;
    const auto output = lives_.find(storage_.owner(group.stored_tensors[0]));
    const int at = static_cast<int>(step);
    if (output == lives_.end() || output->second.first != at) return std::nullopt;
    for (const std::size_t i : overwritable_operands(group)) {
      const std::size_t owner = storage_.owner(group.operands[i].tensor);
      // Under another name it may be read elsewhere.
      const auto is_same = [&](const GroupOperand& other) { return storage_.owner(other.tensor) == owner; };
      if (std::ranges::count_if(group.operands, is_same) > 1) continue;
      const auto operand = lives_.find(block(owner));
      if (operand != lives_.end() && operand->second.last == at &&
          operand->second.bytes == output->second.bytes)
        return i;
    }
    return std::nullopt;
  }

  /// Makes the output overwrite the operand from now on.
  void merge(std::size_t step, std::size_t operand) {
    const StoredGroup& group = groups_[step].group;
    const std::size_t output = storage_.owner(group.stored_tensors[0]),
                      into = block(storage_.owner(group.operands[operand].tensor));
    lives_.at(into).last = lives_.at(output).last;
    lives_.erase(output);
    within_[output] = into;
  }

 private:
  void use(std::size_t tensor, const StoredTensor& stored, std::size_t step) {
    const Expr elements = stored.elements();
    const std::int64_t* number = ir::as_int(elements);
    const int at = static_cast<int>(step);
    Lifetime& life = lives_.try_emplace(tensor, Lifetime{0, at, at}).first->second;
    life.last = at;
    if (number) life.bytes = std::max(life.bytes, *number * stored.type.bytes());
  }

  /// Returns the tensor whose memory it overwrites.
  std::size_t block(std::size_t tensor) const {
    for (auto at = within_.find(tensor); at != within_.end(); at = within_.find(tensor)) tensor = at->second;
    return tensor;
  }

  const TensorStorage& storage_;
  const std::vector<ScheduledGroup>& groups_;
  std::map<std::size_t, Lifetime> lives_;      // by owner
  std::map<std::size_t, std::size_t> within_;  // of outputs that overwrite an operand
};

}  // namespace

void choose_in_place(Graph& graph, const GraphContext&) {
  std::vector<ScheduledGroup>& groups = graph.scheduled;
  Steps steps(graph.definitions, graph.storage, groups);
  for (;;) {
    const auto [peaks, bytes] = steps.peaks();
    std::vector<std::pair<std::size_t, std::size_t>> chosen;
    for (const std::size_t step : peaks) {
      if (const auto operand = steps.candidate(step)) chosen.emplace_back(step, *operand);
    }
    // A tensor that is not stored in place keeps the peak.
    if (bytes == 0 || chosen.size() < peaks.size()) return;
    for (const auto& [step, operand] : chosen) {
      steps.merge(step, operand);
      groups[step].overwritten = operand;
      groups[step].key += fmt::format("overwrites {}\n", operand);
    }
  }
}

}  // namespace tensordsl::graph
