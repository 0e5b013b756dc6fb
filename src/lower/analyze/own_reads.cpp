#include "lower/analyze/own_reads.h"

namespace tensordsl::lower {

using namespace ir;

bool reads_own_element_only(const Definition& definition, const std::string& function) {
  bool result = true;
  const auto check = [&](const Expr& e) {
    if (e->kind != ExprKind::Load || e->name != function) return result;
    for (std::size_t d = 0; d < e->operands.size(); ++d)
      result = result && tensordsl::same((*e)[d], definition.args[d]);
    return result;
  };
  for (const Expr& value : definition.values) visit(value, check);
  if (definition.predicate.defined()) visit(definition.predicate, check);
  for (const Expr& arg : definition.args) {
    visit(arg, [&](const Expr& e) {
      result = result && !(e->kind == ExprKind::Load && e->name == function);
      return result;
    });
  }
  return result;
}

}  // namespace tensordsl::lower
