#include "schedules/reduce/row_forms.h"

#include "schedule/func_schedule.h"
#include "schedules/reduce/row_parts.h"
#include "schedules/support/loops.h"

namespace tensordsl::schedules {

void run_along_on_cpu(const definitions::StoredGroup& group, const Point& point, const Rows& rows) {
  Func out = group.outputs[0];
  RowLoops loops = split_into_rows(out, rows);
  const bool has_vectors = rows.dims.back().run != 1 && point["lanes"] > 1;
  if (has_vectors) {
    const Var vectors("vectors"), lane("lane");
    out.split(loops.elements.back(), vectors, lane, point["lanes"], Tail::ShiftInwards);
    loops.elements.back() = vectors;
    loops.elements.push_back(lane);
  }
  loops.reorder(out);
  if (has_vectors) out.vectorize(loops.elements.back());
  const Var block("block"), row("row_of_block");
  out.split(fuse_all(out, loops.rows, "row"), block, row, point["rows"], Tail::Guard).gpu_blocks(block);
  for (Func kept : group.kept) {
    kept.compute_at(out, row);
    if (point["lanes"] > 1 && kept.rank() > 0) kept.vectorize(dim_of(kept, kept.rank() - 1), point["lanes"]);
  }
  for (std::size_t i = 0; i < group.anchors.size(); ++i) {
    Func anchor = group.anchors[i];
    anchor.compute_at(out, row);
    if (rows.axes[i].empty() || !has_parts(anchor) || point["parts"] == 1) continue;
    const Var part("part");
    Func partial = factor(anchor, {rows.axes[i].back()}, point["parts"], part);
    partial.compute_at(out, row).vectorize(part);
    partial.update().vectorize(part);
    anchor.update().unroll(part);
  }
}

void run_across_on_cpu(const definitions::StoredGroup& group, const Point& point, const Rows& rows) {
  Func out = group.outputs[0];
  RowLoops loops = split_into_rows(out, rows);
  const bool has_vectors = rows.dims.back().run == 1 && point["lanes"] > 1;
  const Var vectors("vectors"), lane("lane");
  if (has_vectors) {
    out.split(loops.rows.back(), vectors, lane, point["lanes"], Tail::ShiftInwards);
    loops.rows.back() = vectors;
    loops.elements.push_back(lane);
  }
  loops.reorder(out);
  if (has_vectors) out.vectorize(lane);
  const Var block("block"), row("row_of_block");
  out.split(fuse_all(out, loops.rows, "row"), block, row, point["rows"], Tail::Guard).gpu_blocks(block);
  for (Func kept : group.kept) kept.compute_at(out, row);
  for (std::size_t i = 0; i < group.anchors.size(); ++i) {
    Func anchor = group.anchors[i];
    anchor.compute_at(out, row);
    if (!has_vectors || rows.innermost[i] < 0) continue;
    const Var across = dim_of(anchor, rows.innermost[i]);
    for (int stage = 0; stage <= anchor.updates(); ++stage) {
      Stage s = stage_of(anchor, stage);
      std::vector<Var> steps;
      for (const ir::ReductionAxis& axis :
           anchor.contents().definitions[static_cast<std::size_t>(stage)].domain) {
        steps.emplace_back(axis.name);
      }
      steps.push_back(across);
      if (steps.size() > 1) s.reorder(steps);
      s.vectorize(across, point["lanes"]).unroll(across);
    }
  }
}

}  // namespace tensordsl::schedules
