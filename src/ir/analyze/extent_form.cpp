#include "ir/analyze/extent_form.h"

namespace tensordsl::ir {

bool has_extent_form(const Expr& e, ExtentIs what,
                     const std::function<bool(const std::string&)>& may_be_one) {
  const std::int64_t least = what == ExtentIs::Positive ? 1 : 0;
  switch (e->kind) {
    case ExprKind::Var:
      return may_be_one(e->name);
    case ExprKind::IntImm:
      return *as_int(e) >= least;
    case ExprKind::Add:
    case ExprKind::Mul:
      return has_extent_form((*e)[0], what, may_be_one) && has_extent_form((*e)[1], what, may_be_one);
    case ExprKind::Div: {
      const std::int64_t* divisor = as_int((*e)[1]);
      return what == ExtentIs::NotNegative && divisor && *divisor > 0 &&
             has_extent_form((*e)[0], what, may_be_one);
    }
    default:
      return false;
  }
}

}  // namespace tensordsl::ir
