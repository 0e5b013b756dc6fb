#include "graph/store/place_concatenations.h"

#include <optional>
#include <set>

#include "graph/store/find_concatenations.h"
#include "ir/nodes/expr_node.h"

namespace tensordsl::graph {

using namespace ir;

namespace {

/// Returns the layout of a part, given the layout of the whole; nullopt if the dimension is cut in it, or a
/// size is open.
std::optional<Layout> layout_of_part(const Layout& whole, const Part& part, const Expr& of_whole) {
  const std::int64_t *begin = as_int(part.begin), *extent = as_int(part.extent), *all = as_int(of_whole);
  if (!begin || !extent || !all) return std::nullopt;
  std::vector<Layout::Term> terms = whole.terms();
  for (Layout::Term& term : terms) {
    if (term.dim != static_cast<int>(part.dim)) continue;
    if (term.part != Layout::Term::Part::Whole || term.swizzle) return std::nullopt;
    term.lead += static_cast<int>(*begin);
    term.gap += static_cast<int>(*all - *begin - *extent);
  }
  return Layout::of(terms);
}

}  // namespace

std::map<std::size_t, std::size_t> place_concatenations(
    const definitions::DefinitionGraph& graph, const std::vector<definitions::FusedGroup>& groups,
    std::vector<Layout>& layouts, const std::map<std::size_t, std::size_t>& placed_before) {
  // A part that is computed at its final location has a kernel of its own. For many parts, one kernel that
  // computes them all and a copy are built sooner.
  constexpr std::size_t kMostParts = 16;
  const definitions::TensorFuncs funcs(graph);
  std::set<std::size_t> computed;
  for (const definitions::FusedGroup& group : groups)
    computed.insert(group.stored_tensors.begin(), group.stored_tensors.end());
  std::map<std::size_t, std::size_t> whole_of;
  // The last first, so that a whole that is itself a part is placed before its parts.
  for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
    if (group->tensors.size() != 1 || !group->prologue.empty() || !group->epilogue.empty()) continue;
    const std::size_t whole = group->tensors[0];
    const std::vector<Part> parts = find_concatenations(graph, funcs, whole);
    if (parts.empty() || parts.size() > kMostParts) continue;
    std::vector<Layout> placed;
    for (const Part& part : parts) {
      const bool has_no_place = computed.contains(part.tensor) && !graph.is_read_by_host(part.tensor) &&
                                !whole_of.contains(part.tensor) && !placed_before.contains(part.tensor);
      const auto layout = layout_of_part(layouts[whole], part, graph.tensors[whole].extents()[part.dim]);
      if (layout && has_no_place) placed.push_back(*layout);
    }
    if (placed.size() != parts.size()) continue;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      whole_of.emplace(parts[i].tensor, whole);
      layouts[parts[i].tensor] = placed[i];
    }
  }
  return whole_of;
}

}  // namespace tensordsl::graph
