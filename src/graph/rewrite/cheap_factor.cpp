#include "graph/rewrite/cheap_factor.h"

#include <algorithm>

#include "classify/classify.h"
#include "ir/nodes/expr_node.h"

namespace tensordsl::graph {

using classify::Class;

bool is_cheap_factor(const ir::Function& function) {
  const classify::Classification kind = classify::classify(function);
  if (kind.kind != Class::Pointwise || kind.reads.empty() || function.dims.empty()) return false;
  constexpr int kMostOperations = 2;
  int operations = 0;
  ir::visit(function.definitions[0].value(), [&](const Expr& e) {
    using ir::ExprKind;
    if (e->kind == ExprKind::Call) return false;  // indices cost nothing here
    const bool is_simple = e->kind == ExprKind::Add || e->kind == ExprKind::Sub || e->kind == ExprKind::Mul;
    const bool is_free = e->operands.empty() || e->kind == ExprKind::Cast;
    operations += is_simple ? 1 : is_free ? 0 : kMostOperations + 1;
    return true;
  });
  const auto runs = [&](const classify::Access& read) {
    return !read.indices.empty() && read.indices.back().coefficient_of(function.dims.back()) == 1;
  };
  return operations <= kMostOperations && runs(kind.reads[0]);
}

}  // namespace tensordsl::graph
