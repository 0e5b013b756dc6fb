#include "graph/attention/match_definition.h"

#include <algorithm>
#include <cstddef>

#include "ir/nodes/expr_node.h"
#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::graph {

using namespace ir;

Expr without_casts(Expr expr) {
  while (expr->kind == ExprKind::Cast && expr.type().is_float() && (*expr)[0].type().is_float())
    expr = (*expr)[0];
  return expr;
}

std::optional<Expr> guarded(const Expr& expr, double value, double other) {
  if (expr->kind != ExprKind::Select || !is_const((*expr)[1], other)) return std::nullopt;
  const Expr &condition = (*expr)[0], &x = (*expr)[2];
  if (condition->kind != ExprKind::Eq || !same((*condition)[0], x) || !is_const((*condition)[1], value))
    return std::nullopt;
  return x;
}

std::optional<Accumulation> accumulation_of(const Function& function, ExprKind op) {
  if (function.definitions.size() != 2 || function.is_tuple()) return std::nullopt;
  const Definition& update = function.definitions[1];
  if (update.predicate.defined() || update.domain.empty()) return std::nullopt;
  for (std::size_t d = 0; d < function.dims.size(); ++d) {
    const Expr& arg = update.args[d];
    if (arg->kind != ExprKind::Var || arg->name != function.dims[d]) return std::nullopt;
  }
  for (const ReductionAxis& axis : update.domain) {
    if (!is_const(axis.min, 0)) return std::nullopt;
  }
  const Expr value = without_casts(update.value());
  if (value->kind != op) return std::nullopt;
  for (const std::size_t self : {0U, 1U}) {
    const Expr own = without_casts((*value)[self]);
    if (own->kind == ExprKind::Call && !own->function &&
        std::ranges::equal(own->operands, update.args, ExprSame()))
      return Accumulation{(*value)[1 - self], update.domain};
  }
  return std::nullopt;
}

std::optional<Accumulation> contraction_of(const Function& function) {
  auto sum = accumulation_of(function, ExprKind::Add);
  if (!sum || !is_const(function.definitions[0].value(), 0)) return std::nullopt;
  sum->value = without_casts(sum->value);
  if (sum->value->kind != ExprKind::Mul || !function.type().is_float()) return std::nullopt;
  return sum;
}

Expr at_dims(const Expr& expr, const std::vector<std::string>& dims, const std::vector<Expr>& indices,
             const std::vector<std::pair<std::string, std::string>>& renamed) {
  Substitution values;
  for (std::size_t d = 0; d < dims.size(); ++d) values.emplace(dims[d], indices[d]);
  for (const auto& [from, to] : renamed) values.insert_or_assign(from, make_var(to));
  return substitute(expr, values);
}

std::optional<Expr> only_read(const Expr& expr, const Function& function) {
  std::optional<Expr> found;
  bool is_one = true;
  visit(expr, [&](const Expr& e) {
    if (e->kind != ExprKind::Call || e->function.get() != &function) return true;
    is_one = is_one && (!found || same(*found, e));
    found = e;
    return true;
  });
  return is_one ? found : std::nullopt;
}

Expr replaced(const Expr& expr, const Expr& call, const char* name) {
  return rewrite(expr, [&](const Expr& e) { return same(e, call) ? make_var(name, e.type()) : e; });
}

Expr with_simple_indices(const Expr& expr, const Bounds& bounds) {
  return rewrite(expr, [&](const Expr& e) {
    if (e->kind != ExprKind::Call) return e;
    return map_operands(e, [&](const Expr& index) { return simplify(index, bounds); });
  });
}

bool divides_by(const Expr& expr, const std::string& name) {
  bool result = false;
  visit(expr, [&](const Expr& e) {
    result = result || ((e->kind == ExprKind::Div || e->kind == ExprKind::Mod) && uses_var(e, name));
    return !result;
  });
  return result;
}

}  // namespace tensordsl::graph
