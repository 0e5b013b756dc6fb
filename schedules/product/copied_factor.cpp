#include "schedules/product/copied_factor.h"

#include <algorithm>

#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"
#include "schedules/product/factor_reads.h"
#include "schedules/support/loops.h"
#include "schedules/support/texels.h"

namespace tensordsl::schedules {

using classify::Classification;

namespace {

constexpr int kReadVector = 4;  // of a GPU's reads

bool reads_affine(const Func& func, const Func& input) {
  return std::ranges::any_of(classify::classify(func.contents()).reads, [&](const classify::Access& read) {
    return read.tensor == input.shared() && func.rank() == input.rank() &&
           read.kind() == classify::IndexKind::Affine;
  });
}

}  // namespace

std::optional<CopiedFactor> copied_factor(const definitions::StoredGroup& group, const Classification& anchor,
                                          const Target& target) {
  const Func& sum = group.anchors[0];
  // A copy would be read in place of both factors.
  if (!anchor.roles || anchor.roles->k.size() != 1 || anchor.roles->a.tensor == anchor.roles->b.tensor)
    return std::nullopt;
  const bool is_gpu = target.group_items > 1;
  const auto channel_dim = static_cast<std::size_t>(memory_order(group.stored[0].layout).back());
  const std::string& channel = sum.contents().dims[channel_dim];
  if (std::ranges::count(anchor.roles->batch, channel) > 0) return std::nullopt;
  const bool is_of_a = std::ranges::count(anchor.roles->m, channel) > 0;
  const classify::Access& access = is_of_a ? anchor.roles->b : anchor.roles->a;
  // Where an index is a quotient or a remainder, a tile would copy more than it reads.
  if (access.kind() != classify::IndexKind::Affine) return std::nullopt;
  CopiedFactor copied{sum, true, 0, anchor.roles->k[0], 0};
  const auto& domain = sum.contents().definitions[1].domain;
  if (is_gpu && domain.back().name != copied.axis) return std::nullopt;
  for (const ir::ReductionAxis& axis : domain) {
    const std::int64_t* steps = ir::as_int(axis.extent);
    if (axis.name == copied.axis && steps) copied.steps = *steps;
  }
  const auto lies_along = [&](const Layout& layout) {
    copied.dim = innermost_dim(layout);
    const bool has_dim = copied.dim < static_cast<int>(access.indices.size());
    return has_dim && access.indices[static_cast<std::size_t>(copied.dim)].is_axis(copied.axis);
  };
  const Func* made = maker_of(group, access);
  copied.is_input = made == nullptr;
  for (const definitions::GroupOperand& operand : group.operands) {
    if ((!is_gpu && operand.stored.type != Float(16)) || operand.stored.image) continue;
    copied.factor = copied.is_input ? operand.input : *made;
    if (copied.is_input ? operand.input.shared() == access.tensor
                        : made->type() == operand.stored.type && reads_affine(*made, operand.input)) {
      if (lies_along(operand.stored.layout)) return copied;
    }
  }
  return std::nullopt;
}

std::vector<int> copied_steps(const definitions::StoredGroup& group, const Classification& anchor,
                              std::int64_t elements, const Target& target) {
  std::vector<int> values{0};
  const auto copied = copied_factor(group, anchor, target);
  if (!copied || copied->steps == 0) return values;
  if (target.group_items > 1) {
    if (copied->steps % kReadVector != 0) return values;
    return target.has_local_memory ? std::vector{0, kReadVector} : std::vector{kReadVector, 0};
  }
  constexpr std::int64_t kFirstElements = 1024, kMostElements = 4096;  // 16 KB, of a core's nearest cache
  int first = 0;
  for (int steps = target.vector_width; steps <= copied->steps && steps * elements <= kMostElements;
       steps += target.vector_width) {
    if (copied->steps % steps != 0) continue;
    values.push_back(steps);
    if (first == 0 || steps * elements <= kFirstElements) first = steps;
  }
  std::rotate(values.begin(), std::ranges::find(values, first), values.end());
  return values;
}

}  // namespace tensordsl::schedules
