#include "runtime/values/bounds_of_size.h"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <string>

using namespace tensordsl;
using ir::Interval;

namespace {

using Intervals = std::map<std::string, Interval>;

Interval bounds_in(const SizeExpr& size, const Intervals& intervals) {
  return runtime::bounds_of(size, [&](const std::string& name) { return intervals.at(name); });
}

/// Draws a size over n and m.
SizeExpr drawn_size(std::mt19937& random, int depth) {
  using Kind = SizeExpr::Kind;
  if (depth == 0) {
    if (random() % 3 == 0) return static_cast<int>(random() % 9) - 2;
    return SizeExpr::param(random() % 2 == 0 ? "n" : "m");
  }
  constexpr Kind kKinds[] = {Kind::Add, Kind::Sub, Kind::Mul, Kind::Div, Kind::Mod, Kind::Min, Kind::Max};
  constexpr Kind kComparisons[] = {Kind::Eq, Kind::Ne, Kind::Lt, Kind::Le};
  const auto operand = [&] { return drawn_size(random, depth - 1); };
  if (random() % 6 != 0) return SizeExpr::operation(kKinds[random() % 7], {operand(), operand()});
  SizeExpr condition = SizeExpr::operation(kComparisons[random() % 4], {operand(), operand()});
  if (random() % 3 == 0) condition = SizeExpr::operation(Kind::Not, {condition});
  if (random() % 3 == 0) {
    const SizeExpr other = SizeExpr::operation(Kind::Lt, {operand(), operand()});
    condition = SizeExpr::operation(random() % 2 == 0 ? Kind::And : Kind::Or, {condition, other});
  }
  return SizeExpr::operation(Kind::Select, {condition, operand(), operand()});
}

}  // namespace

TEST_CASE("bounds of sizes: those of counts, as allocations take them") {
  const Intervals counts{{"boxes", {0, 6}}, {"n", Interval::point(4)}};
  CHECK(bounds_in("boxes*n", counts) == Interval{0, 24});
  CHECK(bounds_in("(boxes + 3)/4*4", counts) == Interval{0, 8});
  CHECK(bounds_in("max(n - boxes, 1)", counts) == Interval{1, 4});
  CHECK(bounds_in("min(boxes, 3) + n%3", counts) == Interval{1, 4});
  CHECK(bounds_in("select(n < 2, boxes, 1)", counts) == Interval{1, 1});
  CHECK(bounds_in("select(boxes < 2, boxes, 9)", counts) == Interval{0, 9});
  CHECK(bounds_in("u8(boxes*100)", counts) == Interval{0, 255});
}

TEST_CASE("bounds of sizes: no value is outside") {
  std::mt19937 random(5);
  for (int i = 0; i < 3000; ++i) {
    const SizeExpr size = drawn_size(random, 3);
    const Intervals intervals{{"n", {-2, 5}}, {"m", {0, 3}}};
    const Interval bounds = bounds_in(size, intervals);
    CAPTURE(to_string(size));
    for (std::int64_t n = -2; n <= 5; ++n) {
      for (std::int64_t m = 0; m <= 3; ++m)
        REQUIRE(bounds.contains(size.evaluate([&](const std::string& name) { return name == "n" ? n : m; })));
    }
  }
}
