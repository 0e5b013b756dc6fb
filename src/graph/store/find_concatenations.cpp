#include "graph/store/find_concatenations.h"

#include <algorithm>
#include <optional>
#include <set>

#include "ir/nodes/expr_node.h"
#include "ir/simplify/simplify.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {

using definitions::DefinitionGraph;
using definitions::TensorFuncs;

using namespace ir;

namespace {

/// Normalizes an expression for comparison.
Expr plain(const Expr& expr) { return simplify(unmarked(expr)); }

/// The other operand of a Min or Max, if one is `bound`.
Expr without(const Expr& index, ExprKind kind, const Expr& bound) {
  if (index->kind != kind) return index;
  if (same((*index)[0], bound)) return Expr((*index)[1]);
  return same((*index)[1], bound) ? Expr((*index)[0]) : index;
}

/// min(max(i, 0), extent - 1)   ->   i: within the part the clamp changes nothing.
Expr unclamped(const Expr& index, const Expr& extent) {
  return without(without(plain(index), ExprKind::Min, plain(extent - 1)), ExprKind::Max, 0);
}

class PartFinder {
 public:
  PartFinder(const DefinitionGraph& graph, const TensorFuncs& funcs, std::size_t whole)
      : graph_(graph),
        funcs_(funcs),
        whole_(graph.tensors[whole]),
        function_(whole_.func.contents()),
        extents_(whole_.extents()) {}

  std::vector<Part> run() const {
    if (function_.definitions.size() != 1 || function_.is_tuple()) return {};
    std::vector<Part> parts;
    std::optional<std::size_t> dim;
    Expr begin(0), value = function_.definitions[0].value();
    while (value->kind == ExprKind::Select) {
      const auto bound = bound_of((*value)[0]);
      if (!bound || (dim && bound->first != *dim)) return {};
      dim = bound->first;
      const auto part = part_at((*value)[1], *dim, begin, bound->second);
      if (!part) return {};
      parts.push_back(*part);
      begin = bound->second;
      value = Expr((*value)[2]);
    }
    const auto last = dim ? part_at(value, *dim, begin, extents_[*dim]) : std::nullopt;
    if (!last) return {};
    parts.push_back(*last);
    std::set<std::size_t> once;
    for (const Part& part : parts) {
      if (!once.insert(part.tensor).second) return {};
    }
    return parts;
  }

 private:
  /// The dimension and the bound of `v < n`, v being a variable of the Func and n of none.
  std::optional<std::pair<std::size_t, Expr>> bound_of(const Expr& condition) const {
    if (condition->kind != ExprKind::Lt || (*condition)[0]->kind != ExprKind::Var) return std::nullopt;
    const Expr bound((*condition)[1]);
    const auto is_used = [&](const std::string& name) { return uses_var(bound, name); };
    const auto dim = std::ranges::find(function_.dims, (*condition)[0]->name);
    if (dim == function_.dims.end() || std::ranges::any_of(function_.dims, is_used)) return std::nullopt;
    return std::pair{static_cast<std::size_t>(dim - function_.dims.begin()), bound};
  }

  /// [begin, end) of `dim`, if `value` reads all of a tensor there.
  std::optional<Part> part_at(const Expr& value, std::size_t dim, const Expr& begin, const Expr& end) const {
    if (value->kind != ExprKind::Call || !value->function) return std::nullopt;
    const auto tensor = funcs_.tensor_of(*value->function);
    if (!tensor) return std::nullopt;
    const definitions::DefinedTensor& source = graph_.tensors[*tensor];
    const std::vector<Expr> extents = source.extents();
    if (source.type() != whole_.type() || extents.size() != extents_.size()) return std::nullopt;
    const Expr extent = plain(end - begin);
    for (std::size_t d = 0; d < extents.size(); ++d) {
      const Expr index = unclamped(value->operands[d], extents[d]), at = make_var(function_.dims[d]);
      if (!same(index, plain(d == dim ? at - begin : at))) return std::nullopt;
      if (!same(plain(extents[d]), d == dim ? extent : plain(extents_[d]))) return std::nullopt;
    }
    return Part{*tensor, dim, begin, extent};
  }

  const DefinitionGraph& graph_;
  const TensorFuncs& funcs_;
  const definitions::DefinedTensor& whole_;
  const Function& function_;
  std::vector<Expr> extents_;
};

}  // namespace

std::vector<Part> find_concatenations(const DefinitionGraph& graph, const TensorFuncs& funcs,
                                      std::size_t whole) {
  return PartFinder(graph, funcs, whole).run();
}

}  // namespace tensordsl::graph
