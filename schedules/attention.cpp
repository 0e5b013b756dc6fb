#include "schedules/attention.h"

#include <algorithm>
#include <cstdint>

#include "schedules/attention_in_blocks.h"
#include "schedules/attention_parts.h"
#include "schedules/loops.h"

namespace tensordsl::schedules {
namespace {

void run_on_cpu(const Group& group, AttentionParts p, int tile, int width) {
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

void run_on_gpu(const Group& group, AttentionParts p, int tile, int most) {
  const std::int64_t elements = elements_of(group, p);
  int each = 1;  // as few as give all items work
  while ((elements + each - 1) / each > most) each *= 2;
  const int items = static_cast<int>((elements + each - 1) / each);
  const int keys = static_cast<int>(std::min<std::int64_t>(tile, keys_of(p)));

  const Var queries("queries_of"), lane("lane_of"), item("item"), element("element_of_item"), outer("outer"),
      inner("inner"), rounds("rounds");
  p.out.split(dim_of(p.out, p.query), queries, lane, p.lanes)
      .split(dim_of(p.out, p.element), item, element, each);
  const Var block = block_of_queries(group, p, queries, {item, lane, element});
  p.out.gpu_threads(item);

  for (Func f : {p.asked, p.score, p.weight, p.highest, p.total})
    f.compute_at(p.out, block).store_in(MemoryScope::Local);
  p.asked.split(from_last(p.asked, 1), rounds, item, items).gpu_threads(item).unroll(from_last(p.asked, 0));
  for (Func f : {p.score, p.weight}) {
    f.split(from_last(f, 1), outer, inner, keys, Tail::ShiftInwards)
        .split(outer, rounds, item, items)
        .gpu_threads(item)
        .unroll(inner)
        .unroll(from_last(f, 0));
  }
  p.dot.compute_at(p.score, item);
  p.part.compute_at(p.out, item);
  run_added_sums(p, lane, 1);
  for (int stage = 0; stage < 2; ++stage) {
    for (Func f : {p.dot, p.part}) {
      Stage s = stage_of(f, stage);
      std::vector<Var> loops = stage == 0 ? std::vector<Var>() : axes_of(f);
      loops.insert(loops.end(), {from_last(f, 1), from_last(f, 0)});
      s.reorder(loops).unroll(from_last(f, 1)).unroll(from_last(f, 0));
    }
    for (Func f : {p.highest, p.total}) {
      Stage s = stage_of(f, stage);
      s.split(from_last(f, 0), lane, item, power_up_to(p.lanes, items));
      if (stage == 1) s.reorder({lane, item, axis_of(f)});
      s.gpu_threads(item);
    }
  }
}

}  // namespace

std::map<std::size_t, Layout> layouts_for_attention(const Group& group, const Point&) {
  const AttentionParts parts = *attention_parts_of(group);
  std::map<std::size_t, Layout> layouts;
  for (const AddedSum& added : parts.added) {
    if (added.element) add_layouts_along(group, added.sum, *added.element, layouts);
  }
  return layouts;
}

bool applies_attention(const Group& group, const Target&) { return attention_parts_of(group).has_value(); }

Space attention_space(const Group&, const Target& target) {
  const bool is_gpu = target.group_items > 1;
  const int tile = is_gpu ? 2 : target.accumulators < 16 ? 8 : 16;
  return {{{"tile", powers_of_two(std::max(16, tile))}, {"items", powers_of_two(256)}},
          {{"tile", tile}, {"items", target.group_items}}};
}

void apply_attention(const Group& group, const Point& point, const Target& target) {
  const AttentionParts parts = *attention_parts_of(group);
  if (parts.run) {
    run_attention_in_blocks(group, parts, point, target);
  } else if (target.group_items == 1) {
    run_on_cpu(group, parts, point["tile"], target.vector_width);
  } else {
    run_on_gpu(group, parts, point["tile"], point["items"]);
  }
}

}  // namespace tensordsl::schedules
