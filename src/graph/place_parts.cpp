#include "graph/place_parts.h"

#include <algorithm>
#include <optional>
#include <set>

#include "classify/access_map.h"
#include "ir/expr_node.h"
#include "ir/simplify.h"
#include "schedule/schedule.h"

namespace tensordsl {

using namespace ir;

namespace {

/// Elements [begin, begin + extent) of dimension `dim` of the whole are those of `tensor`.
struct Part {
  std::size_t tensor = 0;
  std::size_t dim = 0;
  std::int64_t begin = 0;
};

/// The dimension and the number of `v < n`, v being a variable of the Func.
std::optional<std::pair<std::size_t, std::int64_t>> bound_of(const Expr& condition,
                                                             const Function& function) {
  if (condition->kind != ExprKind::Lt || (*condition)[0]->kind != ExprKind::Var) return std::nullopt;
  const std::int64_t* bound = as_int((*condition)[1]);
  const auto dim = std::ranges::find(function.dims, (*condition)[0]->name);
  if (!bound || dim == function.dims.end()) return std::nullopt;
  return std::pair{static_cast<std::size_t>(dim - function.dims.begin()), *bound};
}

/// Whether a clamped index is min(max(.., 0), extent - 1): within the part it changes nothing.
bool keeps_to(const Expr& index, const Expr& extent) {
  const Expr simple = simplify(unmarked(index));
  const auto is = [](const Expr& e, std::int64_t value) {
    const std::int64_t* number = as_int(e);
    return number && *number == value;
  };
  const std::int64_t* size = as_int(extent);
  if (!size) return false;
  Expr inner = simple;
  if (inner->kind == ExprKind::Min) {
    if (!is((*inner)[1], *size - 1)) return false;
    inner = Expr((*inner)[0]);
  }
  return inner->kind != ExprKind::Max || is((*inner)[1], 0);
}

class PartFinder {
 public:
  PartFinder(const DefinitionGraph& graph, const std::vector<Group>& groups) : graph_(graph), funcs_(graph) {
    for (const Group& group : groups)
      computed_.insert(group.stored_tensors.begin(), group.stored_tensors.end());
  }

  /// The parts of a tensor that is nothing but its parts; none if it is anything else.
  std::vector<Part> parts_of(const Group& group) const {
    if (group.tensors.size() != 1 || !group.prologue.empty() || !group.epilogue.empty()) return {};
    const std::size_t whole = group.tensors[0];
    const Function& function = graph_.tensors[whole].func.contents();
    if (function.definitions.size() != 1 || function.is_tuple()) return {};
    std::vector<Part> parts;
    std::optional<std::size_t> dim;
    std::int64_t begin = 0;
    Expr value = function.definitions[0].value();
    while (value->kind == ExprKind::Select) {
      const auto bound = bound_of((*value)[0], function);
      if (!bound || (dim && bound->first != *dim)) return {};
      dim = bound->first;
      const auto part = part_at((*value)[1], whole, {0, *dim, begin}, bound->second);
      if (!part) return {};
      parts.push_back(*part);
      begin = bound->second;
      value = Expr((*value)[2]);
    }
    const std::int64_t* end = dim ? as_int(graph_.tensors[whole].extents()[*dim]) : nullptr;
    const auto last = end ? part_at(value, whole, {0, *dim, begin}, *end) : std::nullopt;
    if (!last) return {};
    parts.push_back(*last);
    std::set<std::size_t> once;
    for (const Part& part : parts) {
      if (!once.insert(part.tensor).second) return {};
    }
    return parts;
  }

 private:
  /// `at` with the tensor that `value` reads all of; nothing if it is another read, or no such tensor.
  std::optional<Part> part_at(const Expr& value, std::size_t whole, Part at, std::int64_t end) const {
    if (value->kind != ExprKind::Call || !value->function) return std::nullopt;
    const auto tensor = funcs_.tensor_of(*value->function);
    if (!tensor || !computed_.contains(*tensor) || graph_.is_read_by_host(*tensor)) return std::nullopt;
    const DefinedTensor& source = graph_.tensors[*tensor];
    const std::vector<Expr> extents = source.extents(), of_whole = graph_.tensors[whole].extents();
    if (source.type() != graph_.tensors[whole].type() || extents.size() != of_whole.size())
      return std::nullopt;
    const std::vector<std::string>& dims = graph_.tensors[whole].func.contents().dims;
    for (std::size_t d = 0; d < extents.size(); ++d) {
      const classify::IndexMap index = classify::index_map_of(value->operands[d]);
      const bool is_axis = index.kind == classify::IndexKind::Affine && index.form.terms().size() == 1 &&
                           index.coefficient_of(dims[d]) == 1;
      const bool is_cut = d == at.dim;
      if (index.is_clamped && !keeps_to(value->operands[d], extents[d])) return std::nullopt;
      const std::int64_t* extent = as_int(extents[d]);
      const bool fits = is_cut ? extent && *extent == end - at.begin : same(extents[d], of_whole[d]);
      if (!is_axis || !fits || index.form.constant != (is_cut ? -at.begin : 0)) return std::nullopt;
    }
    at.tensor = *tensor;
    return at;
  }

  const DefinitionGraph& graph_;
  TensorFuncs funcs_;
  std::set<std::size_t> computed_;
};

/// The layout of a part, in that of the whole; nothing if the dimension is cut in it.
std::optional<Layout> layout_of_part(const Layout& whole, const Part& part, std::int64_t extent,
                                     std::int64_t of_whole) {
  std::vector<Layout::Term> terms = whole.terms();
  for (Layout::Term& term : terms) {
    if (term.dim != static_cast<int>(part.dim)) continue;
    if (term.part != Layout::Term::Part::Whole || term.swizzle) return std::nullopt;
    term.lead += static_cast<int>(part.begin);
    term.gap += static_cast<int>(of_whole - part.begin - extent);
  }
  return Layout::of(terms);
}

}  // namespace

std::map<std::size_t, std::size_t> place_parts(const DefinitionGraph& graph, const std::vector<Group>& groups,
                                               std::vector<Layout>& layouts) {
  // A part that is computed in its place has a kernel of its own, as no other has that place. Of many, one
  // kernel that computes them all and a copy are built sooner.
  constexpr std::size_t kMostParts = 16;
  const PartFinder finder(graph, groups);
  std::map<std::size_t, std::size_t> whole_of;
  // The last first, so that a whole that is itself a part has its place when its parts get theirs.
  for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
    const std::vector<Part> parts = finder.parts_of(*group);
    if (parts.size() > kMostParts) continue;
    const std::size_t whole = group->tensors[0];
    std::vector<Layout> placed;
    for (const Part& part : parts) {
      const auto extent = [&](std::size_t tensor) {
        return *as_int(graph.tensors[tensor].extents()[part.dim]);
      };
      const auto layout = layout_of_part(layouts[whole], part, extent(part.tensor), extent(whole));
      if (layout && !whole_of.contains(part.tensor)) placed.push_back(*layout);
    }
    if (placed.size() != parts.size()) continue;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      whole_of.emplace(parts[i].tensor, whole);
      layouts[parts[i].tensor] = placed[i];
    }
  }
  return whole_of;
}

}  // namespace tensordsl
