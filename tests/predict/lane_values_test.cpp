#include "predict/lane_values.h"

#include <doctest/doctest.h>

#include "ir/text/parse.h"

namespace tensordsl::predict {
namespace {

/// Evaluates for i = -3, 0 and 5, and an unknown m.
std::optional<Lanes> evaluated(const char* text) {
  LaneValues values(3);
  values.set("i", Lanes{-3, 0, 5});
  values.set("m", std::nullopt);
  return values.evaluate(ir::parse_expr(text));
}

}  // namespace

TEST_CASE("lane values: integers as the language computes them") {
  CHECK(evaluated("i*2 + 1") == Lanes{-5, 1, 11});
  CHECK(evaluated("i/2") == Lanes{-2, 0, 2});
  CHECK(evaluated("i % 4") == Lanes{1, 0, 1});
  CHECK(evaluated("min(i, 1) - max(i, 1)") == Lanes{-4, -1, -4});
  CHECK(evaluated("truncating_div(i, 2)") == Lanes{-1, 0, 2});
  CHECK(evaluated("shift_right(i, 1)") == Lanes{-2, 0, 2});
  CHECK(evaluated("bitwise_and(i, 5)") == Lanes{5, 0, 5});
}

TEST_CASE("lane values: tests are 1 or 0, and choose") {
  CHECK(evaluated("i < 1 && !(i == 0)") == Lanes{1, 0, 0});
  CHECK(evaluated("i < 0 || 4 <= i") == Lanes{1, 0, 1});
  CHECK(evaluated("select(i < 1, 7, i)") == Lanes{7, 7, 5});
  CHECK(evaluated("ramp(i, 1, 4)") == Lanes{-3, 0, 5});
}

TEST_CASE("lane values: nothing of what is in memory, of no integers, or divided by zero") {
  CHECK(!evaluated("m + 1"));
  CHECK(!evaluated("unknown"));
  CHECK(!evaluated("a[i]:i32"));
  CHECK(!evaluated("2.5"));
  CHECK(!evaluated("truncating_div(7, i)"));
}

}  // namespace tensordsl::predict
