#include "schedules/attention/attention.h"

#include <algorithm>
#include <cstdint>
#include <variant>

#include "schedules/attention/attention_in_blocks.h"
#include "schedules/attention/attention_in_groups.h"
#include "schedules/attention/attention_parts.h"
#include "schedules/support/loops.h"

namespace tensordsl::schedules {
namespace {

void run_attention_on_cpu(const StoredGroup& group, ScheduledAttention p, int tile, int width) {
  const std::int64_t elements = elements_of(group, p);
  width = power_up_to(elements, width);
  const int vectors = power_up_to(elements / width, std::max(1, tile / p.lanes));
  const int keys = static_cast<int>(std::min<std::int64_t>(tile, keys_of(p)));

  const Var queries("queries_of"), lane("lane_of"), outer("outer"), vector("vector"), element("element"),
      inner("inner");
  p.out.split(dim_of(p.out, p.query), queries, lane, p.lanes)
      .split(dim_of(p.out, p.element), outer, inner, vectors * width, Tail::ShiftInwards)
      .split(inner, vector, element, width);
  const Var block = block_of_queries(group, p, queries, {outer, lane, vector, element});
  p.out.unroll(vector);
  if (width > 1) p.out.vectorize(element);
  run_added_sums(p, lane, width);

  for (Func f : {p.asked, p.score, p.highest, p.weight, p.total})
    f.compute_at(p.out, block).vectorize(from_last(f, 0));
  for (Func f : {p.highest, p.total}) {
    f.update().reorder({axis_of(f), from_last(f, 0)}).vectorize(from_last(f, 0));
  }
  p.score.split(from_last(p.score, 1), outer, inner, keys, Tail::ShiftInwards).unroll(inner);
  p.dot.compute_at(p.score, outer);
  for (int stage = 0; stage < 2; ++stage) {
    Stage dot = stage_of(p.dot, stage);
    std::vector<Var> loops = stage == 0 ? std::vector<Var>() : axes_of(p.dot);
    loops.insert(loops.end(), {from_last(p.dot, 1), from_last(p.dot, 0)});
    dot.reorder(loops).unroll(from_last(p.dot, 1)).vectorize(from_last(p.dot, 0));
    Stage part = stage_of(p.part, stage);
    if (stage == 0) p.part.compute_at(p.out, outer);
    part.split(from_last(p.part, 0), vector, element, width);
    loops = stage == 0 ? std::vector<Var>() : axes_of(p.part);
    loops.insert(loops.end(), {from_last(p.part, 1), vector, element});
    part.reorder(loops).unroll(from_last(p.part, 1)).unroll(vector);
    if (width > 1) part.vectorize(element);
  }
}

}  // namespace

std::map<std::size_t, Layout> layouts_for_attention(const StoredGroup& group, const Point&) {
  const ScheduledAttention parts = attention_of(group);
  std::map<std::size_t, Layout> layouts;
  for (const AttentionForm::Added& added : parts.added) {
    if (added.element) add_layouts_along(group, added.sum, *added.element, layouts);
  }
  return layouts;
}

bool applies_attention(const StoredGroup& group, const Target&) {
  return std::holds_alternative<AttentionForm>(group.form);
}

Space attention_space(const StoredGroup& group, const Target& target) {
  const bool is_cpu = target.group_items == 1;
  const int tile = is_cpu ? (target.accumulators < 16 ? 8 : 16) : 4;
  const int items =
      is_cpu ? 1 : items_of_attention(group, attention_of(group), tile, target.most_group_items);
  return {{{"tile", powers_of_two(std::max(16, tile))}, {"items", powers_of_two(target.most_group_items)}},
          {{"tile", tile}, {"items", items}}};
}

void apply_attention(const StoredGroup& group, const Point& point, const Target& target) {
  const ScheduledAttention parts = attention_of(group);
  if (target.group_items > 1) {
    run_attention_in_groups(group, parts, point["tile"], point["items"]);
  } else if (parts.run) {
    run_attention_in_blocks(group, parts, point["tile"], target.vector_width);
  } else {
    run_attention_on_cpu(group, parts, point["tile"], target.vector_width);
  }
}

}  // namespace tensordsl::schedules
