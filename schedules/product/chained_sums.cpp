#include "schedules/product/chained_sums.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/filter.hpp>
#include <range/v3/view/iota.hpp>
#include <range/v3/view/transform.hpp>

#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"
#include "schedules/reduce/row_parts.h"
#include "schedules/support/loops.h"

namespace tensordsl::schedules {
namespace {

using definitions::ChainForm;
using definitions::StoredGroup;

using Link = ChainForm::Link;

/// The loops over all dimensions but the channels.
std::vector<Var> other_loops(const Func& f, int channel) {
  return ranges::views::iota(0, f.rank()) | ranges::views::filter([&](int d) { return d != channel; }) |
         ranges::views::transform([&](int d) { return dim_of(f, d); }) | ranges::to<std::vector>();
}

/// Vectors of a tile: few tiles, and few vectors in all, though the last tile may begin earlier and overlap.
int chain_vectors(std::int64_t channels, int width, int most) {
  int best = 1;
  const auto cost = [&](int vectors) {
    const std::int64_t tile = static_cast<std::int64_t>(vectors) * width;
    return (channels + tile - 1) / tile * (vectors + 1);
  };
  for (int vectors = 2; vectors <= most && vectors * width <= channels; ++vectors) {
    if (cost(vectors) <= cost(best)) best = vectors;
  }
  return best;
}

void run_chain_on_cpu(const std::vector<Link>& links, int most_vectors, int most_width) {
  const Var outer("outer"), inner("inner"), vector("vector"), element("element");
  std::optional<Var> block;
  for (auto link = links.rbegin(); link != links.rend(); ++link) {
    const int width = power_up_to(link->channels, most_width);
    const int vectors = chain_vectors(link->channels, width, most_vectors);
    Func result = link->result, sum = link->sum;
    result.split(dim_of(result, link->channel), outer, inner, vectors * width, Tail::ShiftInwards)
        .split(inner, vector, element, width);
    if (!block) {
      block = run_as_blocks(result, other_loops(result, link->channel), {outer, vector, element});
    } else {
      std::vector<Var> order = other_loops(result, link->channel);
      order.insert(order.end(), {outer, vector, element});
      result.reorder(order).compute_at(links.back().result, *block);
    }
    result.unroll(vector);
    if (width > 1) result.vectorize(element);
    sum.compute_at(result, outer);
    for (int stage = 0; stage < 2; ++stage) {
      Stage s = stage_of(sum, stage);
      s.split(dim_of(sum, link->channel), vector, element, width);
      std::vector<Var> order = stage == 0 ? std::vector<Var>() : axes_of(sum);
      order.insert(order.end(), {vector, element});
      s.reorder(order).unroll(vector);
      if (width > 1) s.vectorize(element);
    }
  }
}

void run_on_gpu(const std::vector<Link>& links, int most) {
  const Var round("round"), item("item_of_row"), part("part");
  std::optional<Var> block;
  const Func& out = links.back().result;
  for (auto link = links.rbegin(); link != links.rend(); ++link) {
    Func result = link->result, sum = link->sum;
    const int items = power_up_to(2 * link->channels - 1, most);
    result.split(dim_of(result, link->channel), round, item, items, Tail::Guard);
    if (!block) {
      block = run_as_blocks(result, other_loops(result, link->channel), {round, item});
    } else {
      result.compute_at(out, *block).store_in(MemoryScope::Local);
    }
    result.gpu_threads(item);
    std::vector<std::string> axes;
    for (const ir::ReductionAxis& axis : sum.contents().definitions.at(1).domain) axes.push_back(axis.name);
    const int parts = power_up_to(steps_of(sum, axes), most / items);
    sum.compute_at(result, item);
    if (parts == 1) continue;
    Func partial = factor(sum, axes, parts, part);
    partial.compute_at(out, *block).store_in(MemoryScope::Local);
    for (int stage = 0; stage < 2; ++stage) {
      // A neighbor sums up the next channel, which is next in memory.
      Stage s = stage_of(partial, stage);
      const Var channel = dim_of(partial, link->channel + 1);
      const Var at("channel_of_round");
      s.split(channel, round, at, items, Tail::Guard);
      std::vector<Var> order = other_loops(partial, link->channel + 1);
      std::erase_if(order, [&](const Var& var) { return var.name() == part.name(); });
      order.insert(order.end(), {round, part, at});
      if (stage == 1) order.emplace_back("step");
      s.reorder(order);
      s.gpu_threads(fuse_all(s, {part, at}, "item"));
    }
  }
}

}  // namespace

bool applies_chained_sums(const StoredGroup& group, const Target&) {
  return std::holds_alternative<ChainForm>(group.form);
}

Space chained_sums_space(const StoredGroup&, const Target& target) {
  const int vectors = target.accumulators < 16 ? 2 : 4;
  return {{{"vectors", powers_of_two(8)}, {"items", powers_of_two(256)}},
          {{"vectors", vectors}, {"items", target.group_items}}};
}

WantedStorage storage_for_chained_sums(const StoredGroup& group, const Point&) {
  WantedStorage wanted;
  const std::vector<Link>& links = std::get<ChainForm>(group.form).links;
  for (const Link& link : links) add_layouts_along(group, link.sum, link.channel, wanted);
  return wanted;
}

void apply_chained_sums(const StoredGroup& group, const Point& point, const Target& target) {
  const std::vector<Link>& links = std::get<ChainForm>(group.form).links;
  if (target.group_items == 1) {
    run_chain_on_cpu(links, point["vectors"], target.vector_width);
  } else {
    run_on_gpu(links, point["items"]);
  }
}

}  // namespace tensordsl::schedules
