#include "graph/absorb_movement.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "classify/classify.h"
#include "classify/movement.h"
#include "ir/expr_node.h"
#include "schedule/schedule.h"

namespace tensordsl {
namespace {

/// Whether it is put together from several tensors, which may be stored as parts of it.
bool is_joined(const DefinedTensor& tensor) {
  const ir::Function& function = tensor.func.contents();
  return function.definitions.size() == 1 && function.definitions[0].value()->kind == ir::ExprKind::Select &&
         classify::classify(function).kind == classify::Class::Movement;
}

/// The order in which `reader` takes the dimensions of `source`; nothing if it is no such movement.
std::optional<std::vector<int>> wanted_order(const DefinitionGraph& graph, const TensorFuncs& funcs,
                                             std::size_t reader, std::size_t source) {
  const DefinedTensor& tensor = graph.tensors[reader];
  if (graph.is_read_by_host(reader) || funcs.funcs_of(reader).size() != 1 ||
      tensor.type() != graph.tensors[source].type())
    return std::nullopt;
  const auto movement =
      classify::movement_of(tensor.func.contents(), tensor.extents(), graph.tensors[source].extents());
  if (!movement || movement->source_order.empty()) return std::nullopt;
  return movement->source_order;
}

/// The last dimension that has several places.
int innermost(const DefinedTensor& tensor, const std::vector<int>& order) {
  const std::vector<Expr> extents = tensor.extents();
  for (auto dim = order.rbegin(); dim != order.rend(); ++dim) {
    const std::int64_t* extent = ir::as_int(extents[static_cast<std::size_t>(*dim)]);
    if (!extent || *extent != 1) return *dim;
  }
  return -1;
}

/// Whether neighbors in memory stay so: a kernel writes them together.
bool keeps_innermost(const DefinedTensor& tensor, const std::vector<int>& order) {
  std::vector<int> in_order(order.size());
  std::iota(in_order.begin(), in_order.end(), 0);
  return innermost(tensor, order) == innermost(tensor, in_order);
}

}  // namespace

void absorb_movement(const DefinitionGraph& graph, std::vector<Layout>& layouts) {
  const TensorFuncs funcs(graph);
  const std::vector<std::vector<std::size_t>> readers = readers_of(graph);
  for (std::size_t source = 0; source < graph.tensors.size(); ++source) {
    const DefinedTensor& tensor = graph.tensors[source];
    if (tensor.func.is_input() || graph.is_read_by_host(source) || readers[source].empty()) continue;
    if (!layouts[source].is_row_major() || is_joined(tensor)) continue;
    const auto order = wanted_order(graph, funcs, readers[source][0], source);
    const auto agrees = [&](std::size_t reader) {
      return layouts[reader].is_row_major() && wanted_order(graph, funcs, reader, source) == order;
    };
    if (!order || !keeps_innermost(tensor, *order) || !std::ranges::all_of(readers[source], agrees)) continue;
    std::vector<Layout::Term> terms;
    for (const int dim : *order) terms.push_back({.dim = dim});
    layouts[source] = Layout::of(terms);
  }
}

}  // namespace tensordsl
