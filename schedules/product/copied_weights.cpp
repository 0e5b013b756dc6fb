#include "schedules/product/copied_weights.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "schedule/func_schedule.h"
#include "schedules/product/factor_reads.h"
#include "schedules/product/weight_layouts.h"
#include "schedules/support/loops.h"

namespace tensordsl::schedules {
namespace {

/// The dimension along which neighbors in memory lie: the innermost one of more than one element.
int dim_of_neighbors(const StoredTensor& stored) {
  const std::vector<int> order = memory_order(stored.layout);
  const std::vector<std::int64_t> extents = likely_shape(stored);
  const auto found = std::find_if(order.rbegin(), order.rend(),
                                  [&](int dim) { return extents[static_cast<std::size_t>(dim)] > 1; });
  return found == order.rend() ? order.back() : *found;
}

/// The dimension that is the channels'; nothing if others move with them too.
std::optional<int> channel_of(const classify::Access& factor, const std::string& channel) {
  std::optional<int> found;
  for (std::size_t d = 0; d < factor.indices.size(); ++d) {
    if (factor.indices[d].coefficient_of(channel) == 0) continue;
    if (found || !factor.indices[d].is_axis(channel)) return std::nullopt;
    found = static_cast<int>(d);
  }
  return found;
}

/// Returns the number of batches of the factor.
std::int64_t batches_of(const classify::Access& factor, const classify::Contraction& roles,
                        const std::vector<std::int64_t>& extents) {
  std::int64_t batches = 1;
  for (std::size_t d = 0; d < factor.indices.size(); ++d) {
    const auto is_index = [&](const std::string& dim) { return factor.indices[d].is_axis(dim); };
    if (std::ranges::any_of(roles.batch, is_index)) batches *= extents[d];
  }
  return batches;
}

/// Vectors of the channels as far as their number is known to have them.
int lanes_of(const StoredTensor& stored, int channel, const Target& target) {
  if (!is_known(stored, channel)) return 1;
  return power_up_to(likely_shape(stored)[static_cast<std::size_t>(channel)], target.vector_width);
}

}  // namespace

bool copies_weights(const Point& point) {
  const auto knob = point.values().find(kCopiesWeights);
  return knob != point.values().end() && knob->second == 1;
}

std::optional<StridedWeights> strided_weights(const definitions::StoredGroup& group,
                                              const classify::Classification& sum,
                                              const std::string& channel) {
  // A copy would be read in place of both factors.
  if (!sum.roles || sum.roles->a.tensor == sum.roles->b.tensor) return std::nullopt;
  for (const classify::Access* factor : {&sum.roles->a, &sum.roles->b}) {
    const definitions::GroupOperand* operand = operand_of(group, *factor);
    if (!operand || operand->is_constant || operand->stored.image) continue;
    const auto dim = channel_of(*factor, channel);
    if (!dim || dim_of_neighbors(operand->stored) == *dim) continue;
    if (!weight_layout(group, sum, operand->input, channel, 1)) continue;
    const std::vector<std::int64_t> extents = likely_shape(operand->stored);
    return StridedWeights{
        static_cast<std::size_t>(operand - group.operands.data()), *dim,
        std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>()),
        batches_of(*factor, *sum.roles, extents)};
  }
  return std::nullopt;
}

bool does_copy_pay(const StridedWeights& weights, std::int64_t reads, int lanes, const Target& target) {
  // Counts vector operations: where lanes are not neighbors in memory, each is a load of its own. The copy
  // loads each element once, and stores vectors.
  const double vectors = static_cast<double>(weights.elements) / lanes;
  const double saved = vectors * static_cast<double>(reads) * (lanes - 1);
  const double copy = vectors * (lanes + 1);
  // Each of the work-items that run side by side has its startup cost again.
  const double launch = static_cast<double>(target.work_per_group) * target.parallel_items;
  return saved > copy + launch;
}

Func copy_weights(const definitions::StoredGroup& group, const classify::Classification& anchor,
                  const StridedWeights& weights, const Func& sum, const std::string& channel, int tile,
                  const Target& target) {
  const definitions::GroupOperand& operand = group.operands[weights.operand];
  const Layout layout = *weight_layout(group, anchor, operand.input, channel, tile);
  Func copy = operand.input.in(sum);
  copy.compute_root().bound(operand.stored.extents).layout(layout);
  const Var vector("vector"), lane("lane");
  const int lanes = lanes_of(operand.stored, weights.channel, target);
  // Rows of the weights side by side, in the order of memory: lines of a cache are read once.
  std::vector<Var> loops{vector};
  for (const int dim : memory_order(operand.stored.layout)) {
    if (dim != weights.channel) loops.push_back(dim_of(copy, dim));
  }
  copy.split(dim_of(copy, weights.channel), vector, lane, lanes,
             lanes > 1 ? Tail::ShiftInwards : Tail::Exact);
  loops.push_back(lane);
  copy.reorder(loops);
  loops.pop_back();
  if (lanes > 1) copy.vectorize(lane);
  run_as_items(copy, loops, target.group_items);
  return copy;
}

}  // namespace tensordsl::schedules
