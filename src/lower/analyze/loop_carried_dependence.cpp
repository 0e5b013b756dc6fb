#include "lower/analyze/loop_carried_dependence.h"

#include <optional>

#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"
#include "lower/place/infer_bounds.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

struct Part {
  std::optional<Box> box;  // empty if nothing is accessed
  bool meets_all = false;  // no bounds are known
};

Part accessed_box(const Stmt& stmt, const std::string& name, bool stores) {
  try {
    return {required_box(stmt, name, stores), false};
  } catch (const DefinitionError&) {
    return {std::nullopt, true};
  }
}

bool are_disjoint_boxes(const Box& a, const Box& b, const Bounds& bounds) {
  for (std::size_t d = 0; d < a.size(); ++d) {
    if (can_prove(a[d].min + a[d].extent <= b[d].min, bounds) ||
        can_prove(b[d].min + b[d].extent <= a[d].min, bounds))
      return true;
  }
  return false;
}

bool are_disjoint_boxes(const Stmt& one, const Stmt& other, const std::string& name, const Bounds& bounds) {
  for (const bool one_writes : {false, true}) {
    for (const bool other_writes : {false, true}) {
      if (!one_writes && !other_writes) continue;
      const auto a = accessed_box(one, name, one_writes), b = accessed_box(other, name, other_writes);
      if (a.meets_all || b.meets_all || (a.box && b.box && !are_disjoint_boxes(*a.box, *b.box, bounds)))
        return false;
    }
  }
  return true;
}

}  // namespace

bool has_loop_carried_dependence(const StmtNode& loop, const std::string& tensor, const Bounds& bounds) {
  const Expr half = make_var(loop.name + ".half");
  const auto iteration = [&](int i) {
    return substitute(loop.body[0], loop.name, loop.min() + half * 2 + i);
  };
  const Stmt even = simplify(iteration(0)), odd = simplify(iteration(1)), next = simplify(iteration(2));
  if (!even.defined() || !odd.defined() || !next.defined()) return true;
  return !are_disjoint_boxes(even, odd, tensor, bounds) || !are_disjoint_boxes(odd, next, tensor, bounds);
}

Bounds constant_loops(const Stmt& nest) {
  Bounds bounds;
  visit(nest, [&](const Stmt& s) {
    if (s->kind != StmtKind::For) return true;
    const std::int64_t *first = as_int(s->min()), *count = as_int(s->extent());
    const Interval range = first && count ? Interval{*first, *first + *count - 1} : range_of(Int(32));
    const auto [it, is_new] = bounds.emplace(s->name, range);
    if (!is_new) it->second = hull(it->second, range);
    return true;
  });
  return bounds;
}

}  // namespace tensordsl::lower
