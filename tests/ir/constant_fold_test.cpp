#include "ir/operations/constant_fold.h"

#include <doctest/doctest.h>

#include "ir/element_values.h"
#include "ir/operations/operations.h"
#include "ir/text/print.h"

using namespace tensordsl;
using namespace tensordsl::ir;

namespace {

Expr constant_of(Type type, Scalar value) {
  return type.is_float() ? make_float(type, value.f) : make_int(type, value.i);
}

}  // namespace

TEST_CASE(
    "fold_constants: gives what the operation computes, but for NaN, infinity, overflow and zeros of two "
    "signs") {
  int folded = 0, left = 0;
  const auto check_folded = [&](const Expr& e, Scalar a, Scalar b) {
    const Expr constant = fold_constants(e);
    const Scalar expected = operation_of(*e)(a, b, {});
    const Type type = (*e)[0].type();
    const bool is_not_finite = e.type().is_float() && !std::isfinite(expected.f);
    const bool is_extremum = e->kind == ExprKind::Min || e->kind == ExprKind::Max ||
                             e->kind == ExprKind::MinOrNan || e->kind == ExprKind::MaxOrNan;
    const bool has_both_zeros =
        type.is_float() && a.f == 0 && b.f == 0 && std::signbit(a.f) != std::signbit(b.f);
    const bool leaves_type =
        type.bits >= 32 && type.is_int() && e->kind != ExprKind::Div && overflows(e->kind, type, a.i, b.i);
    CAPTURE(print(e));
    CHECK(constant.defined() == !(is_not_finite || (is_extremum && has_both_zeros) || leaves_type));
    if (constant.defined()) CHECK(same(constant, constant_of(e.type(), expected)));
    ++(constant.defined() ? folded : left);
  };
  for (const Type type : kTypes) {
    with_element(type, [&]<typename Element>() {
      // Special values come first, negated ones last; both ends are kept.
      Values<Element> values = values_for_pairs<Element>();
      if (values.size() > 45) values.erase(values.begin() + 40, values.end() - 5);
      for (const Computed<Element> a : values) {
        const auto constant = [&](Computed<Element> v) { return constant_of(type, scalar_of<Element>(v)); };
        for (const Type to : kTypes) {
          if (to != type) check_folded(make_cast(to, constant(a)), scalar_of<Element>(a), {});
        }
        for (const Computed<Element> b : values) {
          for (int kind = 0; kind <= static_cast<int>(ExprKind::Call); ++kind) {
            const auto k = static_cast<ExprKind>(kind);
            if (!find_operator(k, type) || k == ExprKind::Not) continue;
            check_folded(make_binary(k, constant(a), constant(b)), scalar_of<Element>(a),
                         scalar_of<Element>(b));
          }
        }
      }
    });
  }
  CHECK(folded > 10000);
  CHECK(left > 100);
}
