#include "schedules/reduce/row_parts.h"

#include <algorithm>

#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"
#include "schedules/support/loops.h"

namespace tensordsl::schedules {

void RowLoops::reorder(Func out) const {
  std::vector<Var> order = rows;
  order.insert(order.end(), elements.begin(), elements.end());
  out.reorder(order);
}

RowLoops split_into_rows(Func out, const Rows& rows) {
  RowLoops loops;
  for (const RowDim& row : rows.dims) {
    const Var dim = dim_of(out, row.dim);
    if (row.run == 1) {
      loops.rows.push_back(dim);
    } else if (row.run == 0) {
      loops.elements.push_back(dim);
    } else {
      const Var run("run" + std::to_string(row.dim)), member("member" + std::to_string(row.dim));
      out.split(dim, run, member, row.run, Tail::Exact);
      loops.rows.push_back(run);
      loops.elements.push_back(member);
    }
  }
  return loops;
}

bool has_parts(const Func& anchor) {
  const schedule::ScheduledFunction& function = anchor.contents();
  return anchor.updates() == 1 && !function.is_tuple() &&
         schedule::traits_of(function, function.definitions[1]).is_associative;
}

std::int64_t steps_of(const Func& anchor, const std::vector<std::string>& axes) {
  std::int64_t steps = 1;
  for (const ir::ReductionAxis& axis : anchor.contents().definitions[1].domain) {
    if (std::ranges::find(axes, axis.name) == axes.end()) continue;
    const std::int64_t* extent = ir::as_int(axis.extent);
    steps *= std::max<std::int64_t>(1, extent ? *extent : 64);
  }
  return steps;
}

std::vector<std::string> innermost_axes(const Func& anchor, const std::vector<std::string>& axes,
                                        std::int64_t wanted) {
  std::vector<std::string> found;
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    if (!found.empty() && steps_of(anchor, found) >= wanted) break;
    found.insert(found.begin(), *axis);
  }
  return found;
}

Func factor(Func anchor, const std::vector<std::string>& axes, int parts, const Var& part) {
  const Var step("step"), at("at_part");
  std::vector<Var> order, factored;
  for (const ir::ReductionAxis& other : anchor.contents().definitions[1].domain) {
    if (std::ranges::count(axes, other.name) == 0) order.emplace_back(other.name);
  }
  for (const std::string& axis : axes) factored.emplace_back(axis);
  Stage update = anchor.update();
  if (axes.size() > 1) {
    std::vector<Var> loops = order;
    loops.insert(loops.end(), factored.begin(), factored.end());
    update.reorder(loops);
  }
  update.split(fuse_all(update, factored, "along"), step, at, parts, Tail::Guard);
  Func partial = update.rfactor(at, part);
  order.push_back(step);
  order.push_back(part);
  partial.update().reorder(order);
  return partial;
}

}  // namespace tensordsl::schedules
