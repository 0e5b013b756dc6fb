#include "dsl/make_func.h"

#include <algorithm>

#include "dsl/func_of.h"
#include "schedule/func_schedule.h"
#include "schedule/reduction.h"

namespace tensordsl {

using namespace ir;

std::vector<Expr> vars_of(const std::vector<std::string>& names) {
  std::vector<Expr> vars;
  for (const std::string& name : names) vars.push_back(make_var(name));
  return vars;
}

Func pure_func(const std::string& name, const std::vector<std::string>& dims, const Expr& value) {
  return func_of(name, dims, {Definition{vars_of(dims), {value}, {}}});
}

Func accumulated_func(const std::string& name, const std::vector<std::string>& dims, ExprKind op,
                      const Expr& value, const std::vector<ReductionAxis>& axes) {
  const std::vector<Expr> vars = vars_of(dims);
  const Expr self = make_call(value.type(), nullptr, name, vars);
  return func_of(name, dims,
                 {Definition{vars, {schedule::identity_of(op, value.type())}, {}},
                  Definition{vars, {make_binary(op, self, value)}, axes}});
}

Expr read_of(const Func& func, const std::vector<Expr>& indices) {
  return make_call(func.type(), func.shared(), func.name(), indices);
}

std::string fresh_name(std::string name, const std::vector<std::string>& taken) {
  while (std::ranges::count(taken, name) > 0) name += "_";
  return name;
}

}  // namespace tensordsl
