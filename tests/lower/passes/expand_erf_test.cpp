// The error function as arithmetic.
#include "lower/passes/arithmetic/expand_erf.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "ir/text/print.h"
#include "lower/pass_text.h"
#include "tensordsl/pipeline.h"

namespace tensordsl::lower {

TEST_CASE("erf: of f32 it is a quotient of polynomials, and what is no number stays that") {
  const std::string text = ir::print(expand_erf(ir::parse_stmt("store y[0] = erf(x:f32x4)*w:f32x4")));
  CHECK(text.find("erf") == std::string::npos);
  CHECK(text.starts_with("store y[0] = select(x:f32x4 == x:f32x4, min(max("));
}

TEST_CASE("erf: of other types, and other functions, stay calls") {
  check_unchanged(expand_erf, "store y[0] = erf(x:f64)");
  check_unchanged(expand_erf, "store y[0] = erf(x:f16)");
  check_unchanged(expand_erf, "store y[0] = erfc(x:f32)");
}

TEST_CASE("erf: within 16 units in the last place of the host's, odd, and at most 1") {
  const Var i("i");
  Input x("x", Float(32), {4001});
  Func y("y");
  y(i) = erf(x(i));
  y.bound({4001}).gpu_blocks(i);
  Buffer values(Float(32), {4001});
  for (std::int64_t k = 0; k < 4001; ++k) values.set(k, static_cast<double>(k - 2000) / 400.0);
  values.set(0, std::numeric_limits<double>::quiet_NaN());
  values.set(1, std::numeric_limits<double>::infinity());
  values.set(2, 1e-38);
  const Buffer found = Pipeline(y).simulate({{"x", values}}).at(0);
  CHECK(std::isnan(found.get(0)));
  CHECK(found.get(1) == 1);
  for (std::int64_t k = 2; k < 4001; ++k) {
    const auto expected = static_cast<float>(std::erf(values.get(k)));
    const float unit = std::nextafter(std::abs(expected), 2.0F) - std::abs(expected);
    CHECK(std::abs(found.get(k) - expected) <= 16 * unit);
    CHECK(std::abs(found.get(k)) <= 1);
  }
}

}  // namespace tensordsl::lower
