#include "schedules/product/split_product.h"

#include <algorithm>

#include "classify/classify.h"
#include "schedule/func_schedule.h"
#include "schedules/product/product_parts.h"
#include "schedules/product/weight_layouts.h"
#include "schedules/support/loops.h"

namespace tensordsl::schedules {
namespace {

using definitions::StoredGroup;

/// Numbers of one access.
constexpr int kAccessLanes = 4;
/// The number of sums in the second of the two steps that add up slices.
constexpr int kSums = 8;

bool are_channels_whole(const ProductParts& parts, int channels) {
  return parts.problem.channels % channels == 0;
}

/// Returns the parts of a product of one row with constant weights, whose layout is free; else nullopt.
std::optional<ProductParts> one_row_parts(const StoredGroup& group) {
  auto parts = product_parts(group);
  const bool is_one_row = parts && !parts->pixel && parts->problem.others == 1 && !parts->depth.empty();
  return is_one_row && parts->has_constant_weights ? parts : std::nullopt;
}

/// Runs the dimensions of which a tile has one index each, and then the channels: a work-group for each tile
/// of these.
Var run_slices_as_groups(const ProductParts& p, int channels) {
  const Var block("channel_block"), in_block("in_channels");
  Func out = p.out;
  out.split(dim_of(out, p.channel), block, in_block, channels,
            are_channels_whole(p, channels) ? Tail::Exact : Tail::ShiftInwards);
  std::vector<Var> blocks;
  for (const int dim : p.others) blocks.push_back(dim_of(out, dim));
  blocks.push_back(block);
  return run_as_blocks(out, blocks, {in_block});
}

/// Vectors of `channels` are work-items, and so is `slices` where there is one.
Var run_slices_by_items(Func f, const Var& channels, const std::optional<Var>& slices) {
  const Var item("channel_item"), lane("lane");
  f.split(channels, item, lane, kAccessLanes, Tail::Exact);
  std::vector<Var> order{item, lane};
  if (slices) order.insert(order.begin(), *slices);
  f.reorder(order).vectorize(lane);
  if (slices) {
    f.gpu_threads(item, *slices);
  } else {
    f.gpu_threads(item);
  }
  return item;
}

/// Puts the combined parts in local memory, and the partial sums of each work-item in registers. `partial`
/// has its slices first, then the dimensions of the sum.
void share(Func partial, const Func& reader, const ProductParts& p, const Var& group) {
  Func shared = partial.in(reader);
  shared.compute_at(p.out, group).store_in(Local);
  partial.compute_at(shared, run_slices_by_items(shared, dim_of(shared, p.channel + 1), dim_of(shared, 0)));
  partial.vectorize(dim_of(partial, p.channel + 1), kAccessLanes);
}

}  // namespace

bool applies_split_product(const StoredGroup& group, const Target& target) {
  constexpr std::int64_t kFewestSteps = 64;
  if (target.group_items == 1 || target.most_group_items < kSums || target.prefers_images) return false;
  const auto parts = one_row_parts(group);
  return parts && parts->problem.channels >= kAccessLanes && parts->problem.depth >= kFewestSteps;
}

Space split_product_space(const StoredGroup& group, const Target& target) {
  const StagedProblem problem = one_row_parts(group)->problem;
  // Wide groups read the row less often; but each unit needs two groups, so that one reads while the other
  // adds up.
  constexpr std::int64_t kGroupsOfUnit = 2;
  constexpr int kMostThreads = 8, kFewestRounds = 4, kUnrolled = 4;
  int threads = 1;
  while (threads < kMostThreads && 2 * threads * kSums <= target.most_group_items &&
         problem.channels / (2 * threads * kAccessLanes) >= kGroupsOfUnit * target.compute_units)
    threads *= 2;
  const int slices =
      std::max(kSums, power_up_to(problem.depth / kFewestRounds, target.most_group_items / threads));
  return {{{"channel_threads", powers_of_two(64)},
           {"slices", {8, 16, 32, 64, 128, 256}},
           {"unrolled", {1, 2, 4, 8}}},
          {{"channel_threads", threads}, {"slices", slices}, {"unrolled", kUnrolled}}};
}

WantedStorage split_product_storage(const StoredGroup& group, const Point& point) {
  const ProductParts parts = *one_row_parts(group);
  const int channels = kAccessLanes * point["channel_threads"];
  const std::string& channel = parts.sum.contents().dims[static_cast<std::size_t>(parts.channel)];
  WantedStorage wanted;
  add_weight_layouts(group, group.class_of(parts.sum), channel,
                     are_channels_whole(parts, channels) ? channels : 1, wanted);
  return wanted;
}

void apply_split_product(const StoredGroup& group, const Point& point, const Target&) {
  ProductParts p = *one_row_parts(group);
  const Var round("round"), slice("slice"), part("part"), in_part("in_part"), slices("slices"), sums("sums");
  p.sum.update().split(Var(p.depth), round, slice, point["slices"], Tail::Guard);
  Func sliced = p.sum.update().rfactor(slice, slices);
  p.sum.update().split(slices, in_part, part, kSums, Tail::Exact);
  Func summed = p.sum.update().rfactor(part, sums);

  const Var in_tile("in_channels"),
      group_loop = run_slices_as_groups(p, kAccessLanes * point["channel_threads"]);
  p.sum.compute_at(p.out, run_slices_by_items(p.out, in_tile, std::nullopt));
  p.sum.vectorize(dim_of(p.sum, p.channel), kAccessLanes);
  p.sum.update().vectorize(dim_of(p.sum, p.channel), kAccessLanes);
  share(summed, p.sum, p, group_loop);
  summed.update().vectorize(dim_of(summed, p.channel + 1), kAccessLanes);
  share(sliced, summed, p, group_loop);
  sliced.update().vectorize(dim_of(sliced, p.channel + 1), kAccessLanes);
  if (point["unrolled"] > 1) sliced.update().unroll(round, point["unrolled"], Tail::Guard);
}

}  // namespace tensordsl::schedules
