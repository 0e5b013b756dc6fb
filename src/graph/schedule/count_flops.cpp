#include "graph/schedule/count_flops.h"

#include "classify/classify.h"
#include "definitions/bounds_of_funcs.h"
#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {

std::int64_t count_flops(const definitions::StoredGroup& group) {
  std::vector<ir::FunctionPtr> inputs;
  for (const definitions::GroupOperand& operand : group.operands) inputs.push_back(operand.input.shared());
  const auto functions = ir::reachable({group.outputs[0].shared()}, inputs);
  const auto bounds = definitions::bounds_of_funcs(functions, group.stored[0].extents);
  std::int64_t flops = 0;
  for (const Func& anchor : group.anchors) {
    const ir::Function& function = anchor.contents();
    const classify::Classification c = classify::classify(function);
    if (c.kind != classify::Class::Contraction) continue;
    const std::int64_t* steps = ir::as_int(c.steps);
    const auto needed = bounds.find(&function);
    if (needed == bounds.end()) continue;
    if (!steps) return 0;
    std::int64_t elements = 1;
    for (const std::string& dim : function.dims) {
      const auto range = needed->second.find(dim);
      const bool is_known =
          range != needed->second.end() && range->second.low != INT64_MIN && range->second.high != INT64_MAX;
      if (!is_known) return 0;
      elements *= range->second.high - range->second.low + 1;
    }
    flops += 2 * elements * *steps;
  }
  return flops;
}

}  // namespace tensordsl::graph
