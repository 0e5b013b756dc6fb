#include "schedules/pointwise/update_in_parts.h"

#include <algorithm>

#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"
#include "schedules/pointwise/update_rows.h"
#include "schedules/support/loops.h"

namespace tensordsl::schedules {
namespace {

using definitions::StoredGroup;

constexpr std::int64_t kFewestSteps = 16;  // of the outermost axis: less is not worth a second kernel

/// The outermost axis of the update.
const ir::ReductionAxis& outermost(const StoredGroup& group) {
  return group.outputs[0].contents().definitions[1].domain[0];
}

}  // namespace

bool applies_update_in_parts(const StoredGroup& group, const Target&) {
  if (group.outputs.size() != 1 || group.outputs[0].updates() != 1) return false;
  const ir::Function& function = group.outputs[0].contents();
  const ir::Definition& update = function.definitions[1];
  if (function.is_tuple() || update.domain.empty() || !schedule::traits_of(function, update).is_associative)
    return false;
  const std::int64_t* extent = ir::as_int(outermost(group).extent);
  return extent && *extent >= kFewestSteps;
}

Space update_in_parts_space(const StoredGroup& group, const Target& target) {
  const std::int64_t steps = *ir::as_int(outermost(group).extent);
  // A few parts of each core; of a GPU as many work-items as keep it busy, but parts of some steps.
  const std::int64_t wanted = target.group_items > 1 ? target.parallel_items : 2 * target.compute_units;
  const int parts = std::max(2, power_up_to(std::min(wanted, steps / 4), 4096));
  return {{{"parts", powers_of_two(4096)}, {"items", powers_of_two(target.group_items > 1 ? 256 : 1)}},
          {{"parts", parts}, {"items", target.group_items}}};
}

void apply_update_in_parts(const StoredGroup& group, const Point& point, const Target&) {
  Func out = group.outputs[0];
  const std::int64_t steps = *ir::as_int(outermost(group).extent);
  const auto of_part = static_cast<int>((steps + point["parts"] - 1) / point["parts"]);
  const Var axis(outermost(group).name), part_of_axis("part_of_axis"), step("step"), part("part");
  const std::vector<Var> own_rows = rows_of_update(out, 1);
  Func parts = out.update().split(axis, part_of_axis, step, of_part, Tail::Guard).rfactor(part_of_axis, part);

  // Each part starts from zero and runs through its steps; then each element sums its values in all parts.
  parts.compute_root();
  run_as_items(parts, dims_of(parts), point["items"]);
  std::vector<Var> rows{part};
  rows.insert(rows.end(), own_rows.begin(), own_rows.end());
  run_as_items(parts.update(), rows, point["items"]);
  const std::vector<Var> dims = dims_of(out);
  if (dims.empty()) return;
  run_as_items(out, dims, point["items"]);
  std::vector<Var> order = dims;
  order.push_back(part);
  out.update().reorder(order);
  run_as_items(out.update(), dims, point["items"]);
}

}  // namespace tensordsl::schedules
