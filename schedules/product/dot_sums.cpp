#include "schedules/product/dot_sums.h"

#include "ir/nodes/dot_product.h"
#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"
#include "schedules/product/copied_factor.h"
#include "schedules/product/factor_reads.h"

namespace tensordsl::schedules {
namespace {

bool has_bytes(const classify::Access& factor) {
  return !factor.tensor->is_tuple() && ir::is_dot_product_type(factor.tensor->type());
}

}  // namespace

bool has_dot_sums(const definitions::StoredGroup& group, const classify::Classification& anchor,
                  const Target& target) {
  if (!target.has_integer_dot_product || target.group_items == 1 || !anchor.roles) return false;
  if (group.anchors[0].type() != Int(32) || !has_bytes(anchor.roles->a) || !has_bytes(anchor.roles->b))
    return false;
  const auto copied = copied_factor(group, anchor, target);
  if (!copied || copied->steps % ir::kDotProductLanes != 0) return false;
  const auto is_weights = [&](const classify::Access& factor) {
    const definitions::GroupOperand* operand = operand_of(group, factor);
    return operand && operand->is_constant && !operand->stored.image;
  };
  return is_weights(anchor.roles->a) || is_weights(anchor.roles->b);
}

}  // namespace tensordsl::schedules
