#include "schedules/attention/attention_parts.h"

#include <variant>

#include "ir/nodes/expr_node.h"
#include "schedule/schedule.h"
#include "schedules/support/loops.h"

namespace tensordsl::schedules {
namespace {

/// Vectors of elements, as many as are asked for, through all terms of the sum.
void run_in_vectors(const AttentionForm::Added& added, int stage, int width) {
  const Var vector("vector"), element("element");
  Stage sum = stage_of(added.sum, stage);
  sum.split(dim_of(added.sum, *added.element), vector, element, width).vectorize(element).unroll(vector);
  std::vector<Var> loops = stage == 0 ? std::vector<Var>() : axes_of(added.sum);
  for (int d = 0; d < added.sum.rank(); ++d) {
    if (d != *added.element) loops.push_back(dim_of(added.sum, d));
  }
  loops.insert(loops.end(), {vector, element});
  sum.reorder(loops);
}

std::int64_t likely_extent(const Expr& extent, std::int64_t likely) {
  const std::int64_t* value = ir::as_int(extent);
  return value ? *value : likely;
}

}  // namespace

ScheduledAttention attention_of(const StoredGroup& group) {
  const AttentionForm& form = std::get<AttentionForm>(group.form);
  return {form, group.outputs[0], form.block.queries};
}

Var from_last(const Func& f, int place) { return dim_of(f, f.rank() - 1 - place); }

Var axis_of(const Func& accumulated) {
  return Var(accumulated.contents().definitions.at(1).domain.back().name);
}

std::int64_t keys_of(const ScheduledAttention& p) {
  return likely_extent(p.total.contents().definitions.at(1).domain.back().extent, 64);
}

std::int64_t elements_of(const StoredGroup& group, const ScheduledAttention& p) {
  return likely_extent(group.stored[0].extents[static_cast<std::size_t>(p.element)], 64);
}

Var block_of_queries(const StoredGroup& group, const ScheduledAttention& p, const Var& queries,
                     const std::vector<Var>& inner) {
  Func out = p.out;
  std::vector<Var> rows, known;
  for (int d = 0; d < out.rank(); ++d) {
    if (d == p.query || d == p.element) continue;
    (is_known(group.stored[0], d) ? known : rows).push_back(dim_of(out, d));
  }
  rows.insert(rows.end(), known.begin(), known.end());
  if (is_known(group.stored[0], p.query) || rows.empty()) {
    rows.push_back(queries);
    return run_as_blocks(out, rows, inner);
  }
  std::vector<Var> order = rows;
  order.push_back(queries);
  order.insert(order.end(), inner.begin(), inner.end());
  out.reorder(order);
  out.gpu_blocks(queries, fuse_all(out, rows, "row"));
  return queries;
}

void run_added_sums(const ScheduledAttention& p, const Var& lane, int width) {
  for (const AttentionForm::Added& added : p.added) {
    Func(added.sum).compute_at(p.out, lane);
    for (int stage = 0; stage < 2 && added.element && width > 1; ++stage) run_in_vectors(added, stage, width);
  }
}

}  // namespace tensordsl::schedules
