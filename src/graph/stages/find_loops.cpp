#include "graph/stages/find_loops.h"

#include <algorithm>
#include <string>
#include <utility>

#include "ir/nodes/function.h"
#include "ir/nodes/size_conversion.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {
namespace {

using definitions::DefinitionGraph;

using Loops = std::set<std::size_t>;

/// Adds; true if that changes anything.
bool add(Loops& to, const Loops& loops) {
  const std::size_t before = to.size();
  to.insert(loops.begin(), loops.end());
  return to.size() != before;
}

/// Returns the tensors that each step computes or begins with, by the loop's record.
std::vector<std::size_t> tensors_inside(const DefinitionGraph::Loop& loop) {
  std::vector<std::size_t> tensors;
  for (const auto& carried : loop.carried) tensors.insert(tensors.end(), {carried.now, carried.next});
  for (const auto& row : loop.rows) tensors.push_back(row.row);
  if (loop.condition) tensors.push_back(*loop.condition);
  return tensors;
}

/// Adds the loops that the number of steps depends on.
void add_of_steps(const DefinitionGraph& graph, const Expr& steps, const std::vector<Loops>& loops,
                  Loops& to) {
  for (const std::string& name : names_in(ir::to_size(steps))) {
    for (const DefinitionGraph::Count& count : graph.counts) {
      if (count.param == name) add(to, loops[count.tensor]);
    }
    for (std::size_t l = 0; l < graph.loops.size(); ++l) {
      if (graph.loops[l].step == name) to.insert(l);
    }
  }
}

class LoopFinder {
 public:
  explicit LoopFinder(const DefinitionGraph& graph)
      : graph_(graph), funcs_(graph), loops_(graph.tensors.size()), reads_(graph.tensors.size()) {
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
      const std::vector<Func> funcs = funcs_.funcs_of(i);
      reads_[i] = funcs_.reads_of(funcs);
      std::vector<ir::FunctionPtr> functions;
      for (const Func& func : funcs) functions.push_back(func.shared());
      for (const auto& [name, type] : ir::params_of(functions)) note_param(i, name);
      for (const Expr& extent : graph.tensors[i].shape) {
        if (graph.tensors[i].func.is_input()) continue;
        for (const std::string& name : names_in(ir::to_size(extent))) note_param(i, name);
      }
    }
    for (std::size_t l = 0; l < graph.loops.size(); ++l) {
      for (const std::size_t tensor : tensors_inside(graph.loops[l])) loops_[tensor].insert(l);
    }
  }

  std::vector<Loops> run() {
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (std::size_t i = 0; i < loops_.size(); ++i) {
        for (const std::size_t read : reads_[i]) is_changed |= add(loops_[i], loops_[read]);
      }
      // Each loop that encloses one tensor of a loop encloses them all, and the loop's results.
      const std::vector<Loops> around = loops_around(graph_, loops_);
      for (std::size_t i = 0; i < loops_.size(); ++i) {
        for (const std::size_t loop : Loops(loops_[i])) is_changed |= add(loops_[i], around[loop]);
      }
      for (const auto& [tensor, loop] : behind_) is_changed |= add(loops_[tensor], around[loop]);
      for (std::size_t l = 0; l < graph_.loops.size(); ++l) {
        // Each time that the loop begins, its first values do, though no loop around it changes them.
        for (const auto& carried : graph_.loops[l].carried) {
          for (const std::size_t tensor : {carried.begin, carried.end})
            is_changed |= add(loops_[tensor], around[l]);
        }
        for (const auto& row : graph_.loops[l].rows) is_changed |= add(loops_[row.whole], around[l]);
      }
    }
    return std::move(loops_);
  }

 private:
  /// A tensor that uses the Param waits for the tensor that holds the count, for the step, or for the loop's
  /// end.
  void note_param(std::size_t tensor, const std::string& name) {
    for (const DefinitionGraph::Count& count : graph_.counts) {
      if (count.param == name) reads_[tensor].push_back(count.tensor);
    }
    for (std::size_t l = 0; l < graph_.loops.size(); ++l) {
      if (graph_.loops[l].step == name) loops_[tensor].insert(l);
      if (graph_.loops[l].taken == name) behind_.emplace_back(tensor, l);
    }
  }

  const DefinitionGraph& graph_;
  definitions::TensorFuncs funcs_;
  std::vector<Loops> loops_;
  std::vector<std::vector<std::size_t>> reads_;
  std::vector<std::pair<std::size_t, std::size_t>> behind_;  // tensors, and loops whose steps they count
};

}  // namespace

std::vector<Loops> find_loops(const DefinitionGraph& graph) {
  if (graph.loops.empty()) return std::vector<Loops>(graph.tensors.size());
  return LoopFinder(graph).run();
}

std::vector<Loops> loops_around(const DefinitionGraph& graph, const std::vector<Loops>& loops) {
  std::vector<Loops> around(graph.loops.size());
  for (std::size_t l = 0; l < graph.loops.size(); ++l) {
    const DefinitionGraph::Loop& loop = graph.loops[l];
    for (const std::size_t tensor : tensors_inside(loop)) add(around[l], loops[tensor]);
    for (const auto& carried : loop.carried) add(around[l], loops[carried.begin]);
    add_of_steps(graph, loop.steps, loops, around[l]);
    around[l].erase(l);
  }
  return around;
}

}  // namespace tensordsl::graph
