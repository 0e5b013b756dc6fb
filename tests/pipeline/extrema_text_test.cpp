// How minima and maxima of integers are printed in OpenCL C: as what drivers compile right.
#include <doctest/doctest.h>

#include <string>

#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

const Var x("x");

/// Returns the value that the kernel of f(x) = value(a(x), b(x), c(x)) stores; s_0 is an element read twice.
template <typename Value>
std::string stored_value(Type type, Value value) {
  const Input a("a", type, {8}), b("b", type, {8}), c("c", type, {8});
  Func f("f");
  f(x) = value(a(x), b(x), c(x));
  f.bound({8});
  const std::string text = Pipeline(f).compile().kernels[0].text;
  const std::size_t first = text.find("f[f_x] = ") + 9;
  return text.substr(first, text.find(';', first) - first);
}

}  // namespace

TEST_CASE("extrema: the larger of a number and its negative is its magnitude, wherever they stand") {
  const std::string whole = "max(as_int(abs(max(s_0, s_1))), c[f_x])";
  CHECK(stored_value(Int(32), [](Expr a, Expr, Expr) { return max(a, 0 - a); }) == "as_int(abs(s_0))");
  CHECK(stored_value(Int(32), [](Expr a, Expr b, Expr c) { return max(max(max(0 - max(a, b), a), c), b); }) ==
        whole);
  CHECK(stored_value(Int(32), [](Expr a, Expr b, Expr c) { return max(c, max(max(a, b), 0 - max(a, b))); }) ==
        whole);
}

TEST_CASE("extrema: another maximum of a negative stays as it is") {
  CHECK(stored_value(Int(32), [](Expr a, Expr b, Expr) { return max(max(0 - max(a, b), a), 3); }) ==
        "max(max(0 - max(s_0, b[f_x]), s_0), 3)");
  CHECK(stored_value(Int(32), [](Expr a, Expr, Expr) { return min(a, 0 - a); }) == "min(0 - s_0, s_0)");
  CHECK(stored_value(UInt(32), [](Expr a, Expr, Expr) { return max(a, 0 - a); }) == "max(s_0, 0U - s_0)");
}

TEST_CASE("extrema: those of fewer than 32 bits are computed in 32") {
  CHECK(stored_value(Int(16), [](Expr a, Expr b, Expr) { return max(a + b, 0); }) ==
        "(short)max((int)(short)(a[f_x] + b[f_x]), (int)(short)0)");
  CHECK(stored_value(UInt(8), [](Expr a, Expr b, Expr) { return min(a, b); }) ==
        "(uchar)min((int)a[f_x], (int)b[f_x])");
}

}  // namespace tensordsl
