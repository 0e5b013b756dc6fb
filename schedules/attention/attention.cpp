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

using definitions::StoredGroup;

void run_attention_on_cpu(const StoredGroup& group, ScheduledAttention p, int tile, int width) {
  const std::int64_t elements = elements_of(group, p);
  width = power_up_to(elements, width);
  const int vectors = power_up_to(elements / width, std::max(1, tile / p.lanes));
  const int keys = static_cast<int>(std::min<std::int64_t>(tile, keys_of(p)));

  const Var block = run_averages(group, p, vectors, width, Tail::ShiftInwards);
  const Var outer("outer"), inner("inner");
  for (Func f : {p.asked, p.score, p.highest, p.weight, p.total}) f.compute_at(p.out, block);
  p.score.split(from_last(p.score, 1), outer, inner, keys, Tail::ShiftInwards).unroll(inner);
  p.dot.compute_at(p.score, outer);
  sum_up_by_lanes(p);
  p.part.compute_at(p.out, outer);
  sum_up_vectors(p, width);
}

}  // namespace

WantedStorage storage_for_attention(const StoredGroup& group, const Point&) {
  const ScheduledAttention parts = attention_of(group);
  WantedStorage wanted;
  for (const definitions::AttentionForm::Added& added : parts.added) {
    if (added.element) add_layouts_along(group, added.sum, *added.element, wanted);
  }
  return wanted;
}

bool applies_attention(const StoredGroup& group, const Target&) {
  return std::holds_alternative<definitions::AttentionForm>(group.form);
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
