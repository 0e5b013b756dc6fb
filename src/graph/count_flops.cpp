#include "graph/count_flops.h"

#include <algorithm>

#include "classify/classify.h"
#include "graph/bounds_of_funcs.h"
#include "ir/expr_node.h"
#include "schedule/schedule.h"

namespace tensordsl {
namespace {

/// The Funcs that `last` reads, each after those it reads; it is the last one.
void add_funcs(const Func& last, const std::vector<Func>& all, std::vector<Func>& order) {
  const auto is = [](const Func& a, const ir::FunctionPtr& b) { return a.shared() == b; };
  if (std::ranges::any_of(order, [&](const Func& func) { return is(func, last.shared()); })) return;
  for (const ir::Definition& definition : last.contents().definitions) {
    for (const Expr& expr : definition.expressions()) {
      ir::visit(expr, [&](const Expr& e) {
        if (e->kind != ir::ExprKind::Call || !e->function) return true;
        const auto read = std::ranges::find_if(all, [&](const Func& func) { return is(func, e->function); });
        if (read != all.end()) add_funcs(*read, all, order);
        return true;
      });
    }
  }
  order.push_back(last);
}

}  // namespace

std::int64_t count_flops(const Group& group) {
  std::vector<Func> all = group.prologue, order;
  all.insert(all.end(), group.anchors.begin(), group.anchors.end());
  all.insert(all.end(), group.epilogue.begin(), group.epilogue.end());
  add_funcs(group.outputs[0], all, order);
  const auto bounds = bounds_of_funcs(order, group.stored[0].extents);
  std::int64_t flops = 0;
  for (const Func& anchor : group.anchors) {
    const ir::Function& function = anchor.contents();
    const classify::Classification c = classify::classify(function);
    const std::int64_t* steps = c.kind == classify::Class::Contraction ? ir::as_int(c.steps) : nullptr;
    const auto needed = bounds.find(&function);
    if (!steps || needed == bounds.end()) continue;
    std::int64_t elements = 1;
    for (const std::string& dim : function.dims) {
      const auto range = needed->second.find(dim);
      const bool is_known =
          range != needed->second.end() && range->second.low != INT64_MIN && range->second.high != INT64_MAX;
      if (is_known) elements *= range->second.high - range->second.low + 1;
    }
    flops += 2 * elements * *steps;
  }
  return flops;
}

}  // namespace tensordsl
