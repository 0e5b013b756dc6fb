#include "definitions/bounds_of_funcs.h"

#include <algorithm>

namespace tensordsl::definitions {

using namespace ir;

namespace {

void add_domain(Bounds& bounds, const Definition& definition) {
  for (const ReductionAxis& axis : definition.domain) {
    const std::int64_t *min = as_int(axis.min), *extent = as_int(axis.extent);
    if (min && extent && *extent > 0) bounds.insert_or_assign(axis.name, Interval{*min, *min + *extent - 1});
  }
}

bool is_one_of(const FunctionPtr& function, const std::vector<FunctionPtr>& funcs) {
  return std::ranges::find(funcs, function) != funcs.end();
}

void widen(std::map<const Function*, Bounds>& bounds, const ExprNode& call, const Bounds& of_reader) {
  const Function& read = *call.function;
  const bool is_first = !bounds.contains(&read);
  Bounds& of_read = bounds[&read];
  for (std::size_t d = 0; d < read.dims.size(); ++d) {
    const Interval at = ir::bounds_of(call.operands[d], of_reader);
    const auto known = of_read.find(read.dims[d]);
    if (is_first) {
      of_read.insert_or_assign(read.dims[d], at);
    } else if (known != of_read.end()) {
      known->second = {std::min(known->second.low, at.low), std::max(known->second.high, at.high)};
    }
  }
}

}  // namespace

Bounds bounds_of_dims(const std::vector<std::string>& dims, const std::vector<Expr>& extents) {
  Bounds bounds;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (const std::int64_t* extent = as_int(extents[d]); extent && *extent > 0)
      bounds.insert_or_assign(dims[d], Interval{0, *extent - 1});
  }
  return bounds;
}

std::map<const Function*, Bounds> bounds_of_funcs(const std::vector<FunctionPtr>& funcs,
                                                  const std::vector<Expr>& extents) {
  std::map<const Function*, Bounds> result;
  const Function& last = *funcs.back();
  result[&last] = bounds_of_dims(last.dims, extents);
  for (auto func = funcs.rbegin(); func != funcs.rend(); ++func) {
    const Function& function = **func;
    Bounds& own = result[&function];
    for (const Definition& definition : function.definitions) add_domain(own, definition);
    for (const Definition& definition : function.definitions) {
      for (const Expr& expr : definition.expressions()) {
        visit(expr, [&](const Expr& e) {
          if (e->kind == ExprKind::Call && e->function && is_one_of(e->function, funcs))
            widen(result, *e, own);
          return true;
        });
      }
    }
  }
  return result;
}

}  // namespace tensordsl::definitions
