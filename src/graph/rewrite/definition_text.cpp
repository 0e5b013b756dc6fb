#include "graph/rewrite/definition_text.h"

#include <fmt/format.h>

#include "ir/expr_node.h"
#include "ir/print.h"
#include "ir/substitute.h"

namespace tensordsl::graph {

using namespace ir;

namespace {

std::string text_of_definition(const Function& function, const Definition& definition,
                               const NameOfFunction& name_of) {
  Substitution axes;
  for (std::size_t d = 0; d < function.dims.size(); ++d)
    axes.emplace(function.dims[d], make_var(fmt::format("$d{}", d)));
  for (std::size_t a = 0; a < definition.domain.size(); ++a)
    axes.emplace(definition.domain[a].name, make_var(fmt::format("$r{}", a)));
  const auto canonical = [&](const Expr& expr) {
    return print(rewrite(substitute(expr, axes), [&](const Expr& e) {
      if (e->kind != ExprKind::Call) return e;
      const std::string name = name_of(e->function ? *e->function : function);
      return make_call(e.type(), nullptr, name, e->operands, e->component);
    }));
  };
  std::string text;
  for (const Expr& arg : definition.args) text += canonical(arg) + ", ";
  for (const Expr& value : definition.values)
    text += fmt::format("= {}: {} ", canonical(value), to_string(value.type()));
  for (const ReductionAxis& axis : definition.domain)
    text += fmt::format("for [{}, {}) ", canonical(axis.min), canonical(axis.extent));
  if (definition.predicate.defined()) text += "where " + canonical(definition.predicate);
  return text + "\n";
}

}  // namespace

std::string definition_text(const Function& function, const NameOfFunction& name_of) {
  std::string text;
  for (const Definition& definition : function.definitions)
    text += text_of_definition(function, definition, name_of);
  return text;
}

}  // namespace tensordsl::graph
