#include "schedules/pointwise/update_rows.h"

#include <algorithm>

#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"
#include "schedules/support/loops.h"

namespace tensordsl::schedules {
namespace {

/// True if the update reads and writes only its own row of dimension `d`.
bool keeps_to_row(const ir::Function& function, const ir::Definition& update, std::size_t d) {
  const auto is_row = [&](const Expr& index) {
    return index->kind == ir::ExprKind::Var && index->name == function.dims[d];
  };
  bool result = is_row(update.args[d]);
  for (const Expr& expr : update.expressions()) {
    ir::visit(expr, [&](const Expr& e) {
      if (e->kind == ir::ExprKind::Call && !e->function) result = result && is_row((*e)[d]);
      return result;
    });
  }
  return result;
}

}  // namespace

std::vector<Var> rows_of_update(const Func& func, int stage) {
  const ir::Function& function = func.contents();
  std::vector<Var> rows;
  for (int d = 0; d < func.rank(); ++d) {
    bool is_row = true;
    for (int k = 1; k <= func.updates(); ++k) {
      const auto& update = function.definitions[static_cast<std::size_t>(k)];
      is_row = is_row &&
               ((stage != 0 && stage != k) || keeps_to_row(function, update, static_cast<std::size_t>(d)));
    }
    if (is_row) rows.push_back(dim_of(func, d));
  }
  return rows;
}

std::vector<Var> with_other_dims(std::vector<Var> rows, const Func& func) {
  for (const Var& dim : dims_of(func)) {
    if (std::ranges::find(rows, dim.name(), &Var::name) == rows.end()) rows.push_back(dim);
  }
  return rows;
}

}  // namespace tensordsl::schedules
