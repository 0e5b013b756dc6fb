#include "definitions/unit_axes.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "dsl/func_of.h"
#include "ir/nodes/expr_node.h"
#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"
#include "schedule/func_schedule.h"

namespace tensordsl::definitions {

using namespace ir;

void drop_unit_axes(Definition& definition) {
  for (std::size_t i = 0; i < definition.domain.size() && definition.domain.size() > 1;) {
    const ReductionAxis axis = definition.domain[i];
    const std::int64_t* extent = as_int(axis.extent);
    if (!extent || *extent != 1) {
      ++i;
      continue;
    }
    const auto dropped = [&](const Expr& expr) {
      return rewrite(expr, [&](const Expr& e) {
        if (e->kind != ExprKind::Call) return e;
        return map_operands(e, [&](const Expr& index) {
          return uses_var(index, axis.name) ? simplify(substitute(index, axis.name, axis.min)) : index;
        });
      });
    };
    for (Expr& arg : definition.args) arg = substitute(dropped(arg), axis.name, axis.min);
    for (Expr& value : definition.values) value = substitute(dropped(value), axis.name, axis.min);
    if (definition.predicate.defined())
      definition.predicate = substitute(dropped(definition.predicate), axis.name, axis.min);
    definition.domain.erase(definition.domain.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

Func without_unit_axes(const Func& func) {
  std::vector<Definition> definitions = func.contents().definitions;
  for (Definition& definition : definitions) drop_unit_axes(definition);
  return func_of(func.name(), func.contents().dims, std::move(definitions));
}

}  // namespace tensordsl::definitions
