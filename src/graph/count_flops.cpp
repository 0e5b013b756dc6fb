#include "graph/count_flops.h"

#include "classify/classify.h"
#include "ir/expr_node.h"
#include "schedule/schedule.h"

namespace tensordsl {

std::int64_t count_flops(const Group& group) {
  std::int64_t elements = 1;
  for (const Expr& extent : group.stored[0].extents) {
    if (const std::int64_t* value = ir::as_int(extent)) elements *= *value;
  }
  std::int64_t flops = 0;
  for (const Func& anchor : group.anchors) {
    const classify::Classification c = classify::classify(anchor.contents());
    const std::int64_t* steps = c.kind == classify::Class::Contraction ? ir::as_int(c.steps) : nullptr;
    if (steps) flops += 2 * elements * *steps;
  }
  return flops;
}

}  // namespace tensordsl
