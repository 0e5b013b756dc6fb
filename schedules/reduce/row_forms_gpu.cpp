#include "schedules/reduce/row_forms.h"

#include "schedule/func_schedule.h"
#include "schedules/reduce/row_parts.h"
#include "schedules/support/loops.h"

namespace tensordsl::schedules {

void run_along_on_gpu(const definitions::StoredGroup& group, const Point& point, const Rows& rows) {
  Func out = group.outputs[0];
  RowLoops loops = split_into_rows(out, rows);
  loops.reorder(out);
  const Var row = fuse_all(out, loops.rows, "row");
  out.gpu_blocks(row);
  if (!loops.elements.empty()) {
    const Var round("round"), item("item");
    out.split(fuse_all(out, loops.elements, "element"), round, item, point["items"], Tail::Guard);
    out.gpu_threads(item);
  }
  for (Func kept : group.kept) {
    kept.compute_at(out, row).store_in(Local);
    share_elements(kept, point["items"]);
  }
  for (std::size_t i = 0; i < group.anchors.size(); ++i) {
    Func anchor = group.anchors[i];
    anchor.compute_at(out, row).store_in(Local);
    if (rows.axes[i].empty() || !has_parts(anchor) || point["parts"] == 1) continue;
    const Var part("part"), sum("sum_of_parts");
    const auto axes = innermost_axes(anchor, rows.axes[i], kRounds * point["parts"]);
    Func partial = factor(anchor, axes, point["parts"], part);
    partial.compute_at(out, row).store_in(Local).gpu_threads(part);
    partial.update().gpu_threads(part);
    constexpr int kSums = 8;  // parts are added up in two steps
    if (point["parts"] <= kSums) continue;
    Func sums = factor(anchor, {part.name()}, kSums, sum);
    sums.compute_at(out, row).store_in(Local).gpu_threads(sum);
    sums.update().gpu_threads(sum);
  }
}

void run_across_on_gpu(const definitions::StoredGroup& group, const Point& point, const Rows& rows) {
  Func out = group.outputs[0];
  RowLoops loops = split_into_rows(out, rows);
  loops.reorder(out);
  const Var block("block"), item("item");
  out.split(fuse_all(out, loops.rows, "row"), block, item, point["items"], Tail::Guard);
  out.gpu_blocks(block).gpu_threads(item);
  for (Func kept : group.kept) kept.compute_at(out, item);
  for (Func anchor : group.anchors) anchor.compute_at(out, item);
}

}  // namespace tensordsl::schedules
