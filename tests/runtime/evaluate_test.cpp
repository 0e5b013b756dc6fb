#include "runtime/values/evaluate.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>

#include "tensordsl/error.h"

using namespace tensordsl;

TEST_CASE("evaluate: sizes as launch manifests write them") {
  CHECK(runtime::evaluate("12544", {}) == 12544);
  CHECK(runtime::evaluate("(n + 7)/8*64", {{"n", 17}}) == 192);
  CHECK(runtime::evaluate("max(n - 4, 0)*min(m, 3)", {{"n", 3}, {"m", 9}}) == 0);
  CHECK(runtime::evaluate("max(n - 4, 0)*min(m, 3)", {{"n", 6}, {"m", 9}}) == 6);
  CHECK(runtime::evaluate("select(n < 4, 1, n % 4)", {{"n", 3}}) == 1);
  CHECK(runtime::evaluate("select(n < 4, 1, n % 4)", {{"n", 7}}) == 3);
}

TEST_CASE("evaluate: division and remainder floor, and give 0 for a divisor of 0") {
  const std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
  for (std::int64_t a = -9; a <= 9; ++a) {
    for (std::int64_t b = -4; b <= 4; ++b) {
      const std::int64_t quotient = runtime::evaluate("a/b", {{"a", a}, {"b", b}});
      const std::int64_t remainder = runtime::evaluate("a % b", {{"a", a}, {"b", b}});
      if (b == 0) {
        CHECK(quotient == 0);
        CHECK(remainder == 0);
      } else {
        CHECK(quotient * b + remainder == a);
        CHECK((b > 0 ? remainder >= 0 && remainder < b : remainder <= 0 && remainder > b));
      }
    }
  }
  CHECK(runtime::evaluate("a % b", {{"a", lowest}, {"b", -1}}) == 0);
  CHECK_THROWS_WITH_AS(runtime::evaluate("a/b", {{"a", lowest}, {"b", -1}}), "\"a/b\" overflows 64 bits",
                       Error);
}

TEST_CASE("evaluate: values are 64 bits wide, overflow is an error") {
  CHECK(runtime::evaluate("a*b", {{"a", 1 << 20}, {"b", 1 << 20}}) == std::int64_t{1} << 40);
  CHECK_THROWS_WITH_AS(runtime::evaluate("a*b", {{"a", std::int64_t{1} << 40}, {"b", 1 << 23}}),
                       "\"a*b\" overflows 64 bits", Error);
}

TEST_CASE("evaluate: what wraps in kernels wraps here") {
  CHECK(runtime::evaluate("p:u32 - 1:u32 < 5:u32", {{"p", 0}}) == 0);
  CHECK(runtime::evaluate("p:u32 - 1:u32", {{"p", 0}}) == 4294967295);
  CHECK(runtime::evaluate("u8(n) + 100:u8", {{"n", 200}}) == 44);
  CHECK(runtime::evaluate("bitwise_and(n, 3) == 1", {{"n", 5}}) == 1);
  CHECK(runtime::evaluate("shift_left(n, 1)", {{"n", 5}}) == 10);
  CHECK(runtime::evaluate("popcount(n)", {{"n", 255}}) == 8);
}

TEST_CASE("evaluate: unknown names, other types and malformed text are refused") {
  CHECK_THROWS_WITH_AS(runtime::evaluate("n + m", {{"n", 1}}), "\"n + m\": m has no value", Error);
  CHECK_THROWS_WITH_AS(runtime::evaluate("1.5", {}), "\"1.5\" is not an integer expression", Error);
  CHECK_THROWS_WITH_AS(runtime::evaluate("a[0]", {{"a", 1}}), "\"a[0]\" is not an integer expression", Error);
  CHECK_THROWS_AS(runtime::evaluate("", {}), ParseError);
  CHECK_THROWS_AS(runtime::evaluate("n +", {{"n", 1}}), ParseError);
}
