#include "schedules/attention/attention_in_groups.h"

#include <algorithm>
#include <cstdint>

#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"
#include "schedules/support/ceil_div.h"
#include "schedules/support/loops.h"

namespace tensordsl::schedules {
namespace {

using definitions::StoredGroup;

/// Queries that a work-item has, and steps along a query that it reads at a time.
constexpr int kItemQueries = 4;

/// The split of the work among work-items.
struct Cut {
  int items = 1;
  int lanes = 1;     ///< queries of a work-item
  int elements = 1;  ///< of the averages of a work-item
  int keys = 1;      ///< of the scores of a work-item
  int parts = 1;     ///< work-items that add up the scores of one query
};

Cut cut_of(const StoredGroup& group, const ScheduledAttention& p, int keys, int items) {
  Cut cut;
  cut.items = items;
  cut.lanes = std::min(kItemQueries, p.lanes);
  while (p.lanes / cut.lanes > items) cut.lanes *= 2;
  const auto averages = [&] { return p.lanes / cut.lanes * ceil_div(elements_of(group, p), cut.elements); };
  while (averages() > items) cut.elements *= 2;
  // Blocks of keys are separated by barriers, which all items of the group must reach: none may be idle.
  if (p.run) cut.items = static_cast<int>(averages());
  cut.keys = static_cast<int>(std::min<std::int64_t>(keys, keys_of(p)));
  constexpr int kFewestKeys = 4;
  cut.parts = power_up_to(keys_of(p) / kFewestKeys, std::max(1, cut.items / p.lanes));
  return cut;
}

/// Distributes all iterations of `loops` over the work-items, in rounds if there are more iterations.
void run_places(Stage stage, const std::vector<Var>& loops, const Cut& cut) {
  const Var rounds("rounds"), item("item");
  stage.split(fuse_all(stage, loops, "place"), rounds, item, cut.items, Tail::Guard).gpu_threads(item);
}

/// The dimension along which neighboring work-items differ.
enum class Neighbors { Places, Queries };

/// Gives each work-item a few queries for each index of `f`'s dimension before the last.
void share_lanes(Func f, const Cut& cut, Neighbors neighbors) {
  const Var some("lanes_of_item"), lane("lane_of_item"), along = from_last(f, 1);
  const std::vector<Var> places =
      neighbors == Neighbors::Places ? std::vector<Var>{some, along} : std::vector<Var>{along, some};
  f.split(from_last(f, 0), some, lane, cut.lanes, Tail::Exact).unroll(lane);
  f.reorder({places[0], places[1], lane});
  run_places(f, places, cut);
}

/// Sums of products of a query and a key, in vectors along both where these are whole.
void sum_up_products(const Func& dot, int stage) {
  Stage sum = stage_of(dot, stage);
  std::vector<Var> loops = stage == 0 ? std::vector<Var>() : axes_of(dot);
  const std::int64_t* steps =
      stage == 0 ? nullptr : ir::as_int(dot.contents().definitions.at(1).domain.back().extent);
  if (steps && *steps % kItemQueries == 0) {
    const Var vector("vector"), step("step");
    sum.split(loops.back(), vector, step, kItemQueries, Tail::Exact).unroll(step);
    loops.back() = vector;
    loops.push_back(step);
  }
  loops.insert(loops.end(), {from_last(dot, 1), from_last(dot, 0)});
  sum.reorder(loops).unroll(from_last(dot, 1)).unroll(from_last(dot, 0));
}

/// Gives each work-item a tile of the scores of some keys and queries; neighbors have the same keys. `tail`:
/// of the last tile.
void share_scores(const ScheduledAttention& p, const Cut& cut, Tail tail) {
  const Var some("lanes_of_item"), lane("lane_of_item"), tile("keys_of_item"), key("key_of_item");
  Func scores = p.score, dot = p.dot;
  scores.split(from_last(scores, 0), some, lane, cut.lanes, Tail::Exact)
      .split(from_last(scores, 1), tile, key, cut.keys, tail)
      .reorder({tile, some, key, lane})
      .unroll(key)
      .unroll(lane);
  run_places(scores, {tile, some}, cut);
  dot.compute_at(scores, Var("item"));
  for (int stage = 0; stage < 2; ++stage) sum_up_products(dot, stage);
}

/// Accumulates `f` in two steps: several work-items reduce a part of each query, then one combines the parts.
/// `place` sets where a Func that the whole group shares is computed.
template <typename Place>
void add_up(Func f, const Cut& cut, const Place& place) {
  const Var steps("steps"), part("part"), parts("parts");
  if (cut.parts > 1) {
    f.update().split(axis_of(f), steps, part, cut.parts, Tail::Guard);
    Func partial = f.update().rfactor(part, parts);
    // The combined parts are in local memory, the partial sums of each work-item in its registers.
    Func shared = partial.in(f);
    place(shared);
    // Puts the dimensions of rows, of which there is one, around the shared ones.
    std::vector<Var> order = dims_of(shared);
    std::rotate(order.begin(), order.begin() + 1, order.end() - 1);
    shared.reorder(order);
    run_places(shared, {order.end() - 2, order.end()}, cut);
    partial.compute_at(shared, Var("item"));
  }
  place(f);
  run_places(f, {from_last(f, 0)}, cut);
  f.update().reorder({from_last(f, 0), axis_of(f)});
  run_places(f.update(), {from_last(f, 0)}, cut);
}

/// The queries and elements of one work-item.
void unroll_averages(Stage stage, const Func& f, std::vector<Var> outer) {
  outer.insert(outer.end(), {from_last(f, 1), from_last(f, 0)});
  stage.reorder(outer).unroll(from_last(f, 1)).unroll(from_last(f, 0));
}

}  // namespace

int items_of_attention(const StoredGroup& group, const ScheduledAttention& p, int keys, int most) {
  const Cut cut = cut_of(group, p, keys, most);
  const std::int64_t lanes = p.lanes / cut.lanes;
  const std::int64_t places =
      std::max(lanes * ceil_div(keys_of(p), cut.keys), lanes * ceil_div(elements_of(group, p), cut.elements));
  return power_up_to(2 * places - 1, most);
}

void run_attention_in_groups(const StoredGroup& group, ScheduledAttention p, int keys, int items) {
  const Cut cut = cut_of(group, p, keys, items);
  const Var queries("queries_of"), in_queries("in_queries"), some("lanes_of_item"), lane("lane_of_item"),
      elements("elements_of_item"), element("element_of_item"), item("item");
  p.out.split(dim_of(p.out, p.query), queries, in_queries, p.lanes)
      .split(in_queries, some, lane, cut.lanes, Tail::Exact)
      .split(dim_of(p.out, p.element), elements, element, cut.elements);
  const Var block = block_of_queries(group, p, queries, {some, elements, lane, element});
  // All iterations at once: each average belongs to one work-item.
  p.out.fuse(some, elements, item).gpu_threads(item).unroll(lane).unroll(element);
  run_added_sums(p, lane, std::min(cut.elements, kItemQueries));

  p.asked.compute_at(p.out, block).store_in(MemoryScope::Local);
  share_lanes(p.asked, cut, Neighbors::Places);
  if (p.run) {
    Func run = *p.run;
    run.compute_at(p.out, item);
    const Var blocks = axis_of(run);
    unroll_averages(run, run, {});
    unroll_averages(run.update(), run, {blocks});
    p.part.compute_at(run.update(), blocks);
  } else {
    p.part.compute_at(p.out, item);
  }
  unroll_averages(p.part, p.part, {});
  unroll_averages(p.part.update(), p.part, axes_of(p.part));

  const auto share = [&](Func f) {
    if (p.run) {
      f.compute_at(p.run->update(), axis_of(*p.run)).store_in(MemoryScope::Local);
    } else {
      f.compute_at(p.out, block).store_in(MemoryScope::Local);
    }
  };
  for (const Func& f : {p.score, p.weight}) share(f);
  share_scores(p, cut, p.run ? Tail::RoundUp : Tail::ShiftInwards);
  share_lanes(p.weight, cut, Neighbors::Queries);
  add_up(p.highest, cut, share);
  add_up(p.total, cut, share);
}

}  // namespace tensordsl::schedules
