#include "graph/views/propagate_layouts.h"

#include <algorithm>
#include <optional>
#include <set>

#include "classify/classify.h"
#include "graph/views/layout_of_source.h"
#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {
namespace {

using definitions::DefinedTensor;
using definitions::FusedGroup;

/// True if the tensor is a concatenation of several tensors, which may be stored as parts of it.
bool is_joined(const DefinedTensor& tensor) {
  const ir::Function& function = tensor.func.contents();
  return function.definitions.size() == 1 && function.definitions[0].value()->kind == ir::ExprKind::Select &&
         classify::classify(function).kind == classify::Class::Movement;
}

/// True if neighbors in memory stay neighbors, so that a kernel writes them together.
bool keeps_innermost(const DefinedTensor& tensor, const Layout& layout) {
  const std::vector<Expr> extents = tensor.extents();
  for (std::size_t d = extents.size(); d-- > 0;) {
    const std::int64_t* extent = ir::as_int(extents[d]);
    if (extent && *extent == 1) continue;
    const Layout::Term& last = layout.terms().back();
    return last.dim == static_cast<int>(d) && last.part == Layout::Term::Part::Whole;
  }
  return false;
}

/// The tensors that are groups by themselves.
std::set<std::size_t> single_tensors(const std::vector<FusedGroup>& groups) {
  std::set<std::size_t> single;
  for (const FusedGroup& group : groups) {
    if (group.tensors.size() == 1 && group.prologue.empty() && group.epilogue.empty())
      single.insert(group.tensors[0]);
  }
  return single;
}

}  // namespace

void propagate_layouts(const definitions::DefinitionGraph& graph, const std::vector<FusedGroup>& groups,
                       const std::map<std::size_t, std::size_t>& within, std::vector<Layout>& layouts) {
  const std::vector<std::vector<std::size_t>> readers = readers_of(graph);
  const std::set<std::size_t> single = single_tensors(groups);
  // The last first: a layout transformation's layout is decided with its source's.
  for (std::size_t source = graph.tensors.size(); source-- > 0;) {
    const DefinedTensor& tensor = graph.tensors[source];
    if (tensor.func.is_input() || graph.is_read_by_host(source) || readers[source].empty()) continue;
    if (!layouts[source].is_row_major() || within.contains(source) || is_joined(tensor)) continue;
    const auto wanted_by = [&](std::size_t reader) -> std::optional<Layout> {
      if (!single.contains(reader)) return std::nullopt;
      const auto layout = layout_of_source(graph.tensors[reader], tensor, layouts[reader]);
      return layout ? std::optional(canonical(*layout, tensor.extents())) : std::nullopt;
    };
    const auto wanted = wanted_by(readers[source][0]);
    const auto agrees = [&](std::size_t reader) { return wanted_by(reader) == wanted; };
    if (!wanted || *wanted == canonical(layouts[source], tensor.extents())) continue;
    if (keeps_innermost(tensor, *wanted) && std::ranges::all_of(readers[source], agrees))
      layouts[source] = *wanted;
  }
}

}  // namespace tensordsl::graph
