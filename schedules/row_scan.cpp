#include "schedules/row_scan.h"

#include <algorithm>

#include "ir/expr_node.h"
#include "schedule/schedule.h"
#include "schedules/data_movement.h"
#include "schedules/loops.h"

namespace tensordsl::schedules {

namespace {

/// Whether the update stays in its row of dimension `d`: it writes and reads the Func at its variable alone.
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

std::vector<Var> dims_of(const Func& func) {
  std::vector<Var> dims;
  for (int d = 0; d < func.rank(); ++d) dims.push_back(dim_of(func, d));
  return dims;
}

/// `rows`, and the other dimensions inside them.
std::vector<Var> with_others(std::vector<Var> rows, const Func& func) {
  for (const Var& dim : dims_of(func)) {
    if (std::ranges::find(rows, dim.name(), &Var::name) == rows.end()) rows.push_back(dim);
  }
  return rows;
}

/// The dimensions whose rows the update keeps apart; for the start of the Func those of all updates.
std::vector<Var> rows_of(const Func& func, int stage) {
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

}  // namespace

bool applies_row_scan(const Group& group, const Target&) {
  return std::ranges::all_of(group.anchors, [](const Func& anchor) { return anchor.updates() > 0; });
}

Space row_scan_space(const Group& group, const Target& target) { return data_movement_space(group, target); }

void apply_row_scan(const Group& group, const Point& point, const Target& target) {
  for (Func anchor : group.anchors) {
    anchor.compute_root();
    for (int stage = 0; stage <= anchor.updates(); ++stage) {
      Stage s = stage_of(anchor, stage);
      // Groups of one work-item are for cores: such a core fills its rows, too, from begin to end.
      std::vector<Var> rows = stage == 0 && point["items"] > 1 ? dims_of(anchor) : rows_of(anchor, stage);
      if (stage == 0 && rows.empty()) rows = dims_of(anchor);
      if (rows.empty()) continue;
      if (stage == 0) s.reorder(with_others(rows, anchor));
      run_as_items(s, rows, point["items"]);
    }
  }
  apply_data_movement(group, point, target);
}

}  // namespace tensordsl::schedules
