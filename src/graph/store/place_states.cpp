#include "graph/store/place_states.h"

#include <algorithm>
#include <optional>
#include <set>

#include "graph/store/find_concatenations.h"
#include "ir/nodes/expr_node.h"

namespace tensordsl::graph {
namespace {

using definitions::DefinitionGraph;
using definitions::FusedGroup;

/// The dimension first, the others in their order.
Layout outermost(std::size_t dim, int rank, const std::string& begin) {
  Layout::Term first{.dim = static_cast<int>(dim)};
  first.lead_param = begin;
  std::vector<Layout::Term> terms{first};
  for (int d = 0; d < rank; ++d) {
    if (d != first.dim) terms.push_back({.dim = d});
  }
  return Layout::of(terms);
}

class StatePlacer {
 public:
  StatePlacer(const DefinitionGraph& graph, const std::vector<FusedGroup>& groups)
      : graph_(graph), funcs_(graph) {
    for (const FusedGroup& group : groups) {
      computed_.insert(group.stored_tensors.begin(), group.stored_tensors.end());
      if (group.tensors.size() == 1 && group.prologue.empty() && group.epilogue.empty())
        single_.insert(group.tensors[0]);
    }
  }

  std::map<std::size_t, std::size_t> run(std::vector<Layout>& layouts) const {
    std::map<std::size_t, std::size_t> within;
    for (const DefinitionGraph::State& state : graph_.states) {
      const std::size_t input = graph_.inputs[state.input], whole = graph_.outputs[state.output].tensor;
      const auto added = added_to(state, input, whole);
      if (!added || within.contains(added->tensor) || within.contains(input)) continue;
      const int rank = graph_.tensors[whole].func.rank();
      layouts[input] = layouts[whole] = outermost(added->dim, rank, "");
      layouts[added->tensor] = outermost(added->dim, rank, added->begin->name);
      within.emplace(input, whole);
      within.emplace(added->tensor, whole);
    }
    return within;
  }

 private:
  /// Returns the part that the output appends to the state, if it has only these two and a kernel may write
  /// the part in place.
  std::optional<Part> added_to(const DefinitionGraph::State& state, std::size_t input,
                               std::size_t whole) const {
    if (state.axis < 0 || !single_.contains(whole) || graph_.is_read_by_host(input)) return std::nullopt;
    const std::vector<Part> parts = find_concatenations(graph_, funcs_, whole);
    if (parts.size() != 2 || parts[0].tensor != input) return std::nullopt;
    const Part& added = parts[1];
    const bool has_no_place = computed_.contains(added.tensor) && !graph_.is_read_by_host(added.tensor);
    const bool begins_at_param = added.begin->kind == ir::ExprKind::Var;
    return has_no_place && begins_at_param ? std::optional(added) : std::nullopt;
  }

  const DefinitionGraph& graph_;
  definitions::TensorFuncs funcs_;
  std::set<std::size_t> computed_, single_;
};

}  // namespace

std::map<std::size_t, std::size_t> place_states(const DefinitionGraph& graph,
                                                const std::vector<FusedGroup>& groups,
                                                std::vector<Layout>& layouts) {
  return StatePlacer(graph, groups).run(layouts);
}

}  // namespace tensordsl::graph
