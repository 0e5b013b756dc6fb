#include "schedules/attention/attention_parts.h"

#include <variant>

#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"
#include "schedules/support/loops.h"

namespace tensordsl::schedules {
namespace {

/// Orders the loops of a sum's stage: its terms, of which the pure definition has none, around `inner`.
Stage terms_outside(const Func& sum, int stage, const std::vector<Var>& inner) {
  std::vector<Var> loops = stage == 0 ? std::vector<Var>() : axes_of(sum);
  loops.insert(loops.end(), inner.begin(), inner.end());
  return stage_of(sum, stage).reorder(loops);
}

/// Vectors of elements, as many as are asked for, through all terms of the sum.
void run_in_vectors(const definitions::AttentionForm::Added& added, int stage, int width) {
  const Var vector("vector"), element("element");
  Stage sum = stage_of(added.sum, stage);
  sum.split(dim_of(added.sum, *added.element), vector, element, width).vectorize(element).unroll(vector);
  std::vector<Var> loops;
  for (int d = 0; d < added.sum.rank(); ++d) {
    if (d != *added.element) loops.push_back(dim_of(added.sum, d));
  }
  loops.insert(loops.end(), {vector, element});
  terms_outside(added.sum, stage, loops);
}

std::int64_t likely_extent(const Expr& extent, std::int64_t likely) {
  const std::int64_t* value = ir::as_int(extent);
  return value ? *value : likely;
}

}  // namespace

ScheduledAttention attention_of(const definitions::StoredGroup& group) {
  const definitions::AttentionForm& form = std::get<definitions::AttentionForm>(group.form);
  return {form, group.outputs[0], form.block.queries};
}

Var from_last(const Func& f, int place) { return dim_of(f, f.rank() - 1 - place); }

Var axis_of(const Func& accumulated) {
  return Var(accumulated.contents().definitions.at(1).domain.back().name);
}

std::int64_t keys_of(const ScheduledAttention& p) {
  return likely_extent(p.total.contents().definitions.at(1).domain.back().extent, 64);
}

std::int64_t elements_of(const definitions::StoredGroup& group, const ScheduledAttention& p) {
  return likely_extent(group.stored[0].extents[static_cast<std::size_t>(p.element)], 64);
}

Var block_of_queries(const definitions::StoredGroup& group, const ScheduledAttention& p, const Var& queries,
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
  for (const definitions::AttentionForm::Added& added : p.added) {
    Func(added.sum).compute_at(p.out, lane);
    for (int stage = 0; stage < 2 && added.element && width > 1; ++stage) run_in_vectors(added, stage, width);
  }
}

Var run_averages(const definitions::StoredGroup& group, const ScheduledAttention& p, int vectors, int width,
                 Tail tail) {
  const Var queries("queries_of"), lane("lane_of"), outer("outer"), vector("vector"), element("element"),
      inner("inner");
  Func out = p.out;
  out.split(dim_of(out, p.query), queries, lane, p.lanes)
      .split(dim_of(out, p.element), outer, inner, vectors * width, tail)
      .split(inner, vector, element, width);
  const Var block = block_of_queries(group, p, queries, {outer, lane, vector, element});
  out.unroll(vector);
  if (width > 1) out.vectorize(element);
  run_added_sums(p, lane, width);
  return block;
}

void sum_up_by_lanes(const ScheduledAttention& p) {
  for (Func f : {p.asked, p.score, p.weight, p.highest, p.total}) f.vectorize(from_last(f, 0));
  for (Func f : {p.highest, p.total})
    f.update().reorder({axis_of(f), from_last(f, 0)}).vectorize(from_last(f, 0));
  for (int stage = 0; stage < 2; ++stage)
    terms_outside(p.dot, stage, {from_last(p.dot, 1), from_last(p.dot, 0)})
        .unroll(from_last(p.dot, 1))
        .vectorize(from_last(p.dot, 0));
}

void sum_up_vectors(const ScheduledAttention& p, int width) {
  const Var vector("vector"), element("element");
  for (int stage = 0; stage < 2; ++stage) {
    stage_of(p.part, stage).split(from_last(p.part, 0), vector, element, width);
    Stage part = terms_outside(p.part, stage, {from_last(p.part, 1), vector, element});
    part.unroll(from_last(p.part, 1)).unroll(vector);
    if (width > 1) part.vectorize(element);
  }
}

}  // namespace tensordsl::schedules
