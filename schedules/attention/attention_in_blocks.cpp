#include "schedules/attention/attention_in_blocks.h"

#include <algorithm>

#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"
#include "schedules/support/loops.h"

namespace tensordsl::schedules {
namespace {

/// The largest power of two that divides it and is at most `limit`.
int power_in(std::int64_t number, int limit) {
  int power = 1;
  while (power * 2 <= limit && number % (power * 2) == 0) power *= 2;
  return power;
}

/// Scores of one query: vectors of its elements, whose lanes are summed up last. `key`: the scores' loop.
void sum_up_one_query(ScheduledAttention p, const Var& key, int most_width) {
  const Var outer("outer"), inner("inner"), step("step"), lane("lane_of_sum"), part("part");
  p.weight.split(from_last(p.weight, 1), outer, inner, most_width, Tail::RoundUp);
  if (most_width > 1) p.weight.vectorize(inner);
  const ir::ReductionAxis& axis = p.dot.contents().definitions.at(1).domain.back();
  const int width = power_in(*ir::as_int(axis.extent), most_width);
  if (width == 1) return;
  Func parts = p.dot.update().split(Var(axis.name), step, lane, width).rfactor(lane, part);
  parts.compute_at(p.score, key).vectorize(part);
  std::vector<Var> loops = axes_of(parts);
  loops.push_back(part);
  parts.update().reorder(loops).vectorize(part);
}

}  // namespace

void run_attention_in_blocks(const definitions::StoredGroup& group, ScheduledAttention p, int tile,
                             int most_width) {
  // Vectors that divide the elements: values that are accumulated must not be computed twice.
  const std::int64_t elements = elements_of(group, p);
  const int width = power_in(elements, most_width);
  const int vectors = power_in(elements / width, std::max(1, tile / p.lanes));
  const int keys =
      static_cast<int>(std::min<std::int64_t>(p.lanes > 1 ? tile : std::min(tile, 4), keys_of(p)));
  Func run = *p.run;

  const Var outer("outer"), vector("vector"), element("element"), inner("inner");
  const Var block = run_averages(group, p, vectors, width, Tail::Exact);

  p.asked.compute_at(p.out, block);
  run.compute_at(p.out, block).split(from_last(run, 0), vector, element, width);
  if (width > 1) run.vectorize(element);
  const Var blocks = axis_of(run);
  Stage sum = run.update();
  sum.split(from_last(run, 0), outer, inner, vectors * width, Tail::Exact)
      .split(inner, vector, element, width)
      .reorder({blocks, outer, from_last(run, 1), vector, element})
      .unroll(vector);
  if (width > 1) sum.vectorize(element);

  for (Func f : {p.score, p.weight, p.highest, p.total}) f.compute_at(sum, blocks);
  p.score.split(from_last(p.score, 1), outer, inner, keys, Tail::RoundUp).unroll(inner);
  if (p.lanes > 1) {
    p.dot.compute_at(p.score, outer);
    sum_up_by_lanes(p);
  } else {
    p.dot.compute_at(p.score, inner);
    sum_up_one_query(p, inner, most_width);
  }
  p.part.compute_at(sum, outer);
  sum_up_vectors(p, width);
}

}  // namespace tensordsl::schedules
