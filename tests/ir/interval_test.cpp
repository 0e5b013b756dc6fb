#include "ir/nodes/interval.h"

#include <doctest/doctest.h>

#include "base/arithmetic.h"
#include "ir/simplify/congruence.h"

using namespace tensordsl;
using namespace tensordsl::ir;

namespace {

constexpr std::int64_t kUnknownLow = INT64_MIN, kUnknownHigh = INT64_MAX;

/// Calls f(a, b) with all intervals within [-4, 4].
template <typename F>
void for_small_intervals(const F& f) {
  for (std::int64_t a = -4; a <= 4; ++a) {
    for (std::int64_t b = a; b <= 4; ++b) {
      for (std::int64_t c = -4; c <= 4; ++c) {
        for (std::int64_t d = c; d <= 4; ++d) f(Interval{a, b}, Interval{c, d});
      }
    }
  }
}

/// Checks that `result` holds operation(x, y) for all x in a and y in b, and nothing more if `tight`.
template <typename F>
void check_hull(Interval a, Interval b, Interval result, bool tight, F operation) {
  Interval seen{INT64_MAX, INT64_MIN};
  for (std::int64_t x = a.low; x <= a.high; ++x) {
    for (std::int64_t y = b.low; y <= b.high; ++y) seen = hull(seen, Interval::point(operation(x, y)));
  }
  INFO("[", a.low, ", ", a.high, "] and [", b.low, ", ", b.high, "]");
  CHECK(result.contains(seen));
  if (tight) CHECK(result == seen);
}

}  // namespace

TEST_CASE("interval: every operation gives just the values that can occur, and % all of them") {
  for_small_intervals([](Interval a, Interval b) {
    check_hull(a, b, a + b, true, [](auto x, auto y) { return x + y; });
    check_hull(a, b, a - b, true, [](auto x, auto y) { return x - y; });
    check_hull(a, b, a * b, true, [](auto x, auto y) { return x * y; });
    check_hull(a, b, min(a, b), true, [](auto x, auto y) { return std::min(x, y); });
    check_hull(a, b, max(a, b), true, [](auto x, auto y) { return std::max(x, y); });
    check_hull(a, b, floor_div(a, b), true, [](auto x, auto y) { return floor_div(x, y); });
    check_hull(a, b, floor_mod(a, b), false, [](auto x, auto y) { return floor_mod(x, y); });
  });
}

TEST_CASE("interval: an unknown end stays unknown, and a sum that is too large becomes unknown") {
  const Interval natural{0, kUnknownHigh}, any{kUnknownLow, kUnknownHigh};
  CHECK(natural + Interval{-5, 5} == Interval{-5, kUnknownHigh});
  CHECK(-natural == Interval{kUnknownLow, 0});
  CHECK(natural * Interval::point(-1) == Interval{kUnknownLow, 0});
  CHECK(any * Interval::point(0) == Interval::point(0));
  CHECK(floor_div(natural, Interval::point(-2)) == Interval{kUnknownLow, 0});
  CHECK(floor_div(Interval::point(100), Interval{1, kUnknownHigh}) == Interval{0, 100});
  CHECK(floor_mod(any, Interval::point(8)) == Interval{0, 7});
  CHECK(floor_mod(any, Interval::point(-8)) == Interval{-7, 0});
  CHECK(Interval::point(INT64_MAX - 1) + Interval::point(5) == Interval::point(INT64_MAX));
  CHECK(Interval::point(INT64_MIN + 1) * Interval::point(INT64_MAX) == Interval::point(INT64_MIN));
}

TEST_CASE("interval: a type's range is what it can hold") {
  CHECK(range_of(Int(8)) == Interval{-128, 127});
  CHECK(range_of(UInt(8)) == Interval{0, 255});
  CHECK(range_of(Int(32)) == Interval{INT32_MIN, INT32_MAX});
  CHECK(range_of(Int(64)) == Interval{INT64_MIN, INT64_MAX});
  CHECK(range_of(Bool()) == Interval{0, 1});
}

TEST_CASE("congruence: what an operation promises holds for all values of its operands") {
  const auto values = [](Congruence c, std::int64_t i) { return c.modulus * i + c.remainder; };
  const auto check = [](Congruence promise, std::int64_t value) {
    CHECK((promise.modulus == 0 ? value == promise.remainder
                                : floor_mod(value - promise.remainder, promise.modulus) == 0));
  };
  for (std::int64_t m = 0; m <= 6; ++m) {
    for (std::int64_t r = 0; r < (m == 0 ? 3 : m); ++r) {
      for (std::int64_t n = 0; n <= 6; ++n) {
        for (std::int64_t s = 0; s < (n == 0 ? 3 : n); ++s) {
          const Congruence a{m, r}, b{n, s};
          for (std::int64_t i = -2; i <= 2; ++i) {
            for (std::int64_t j = -2; j <= 2; ++j) {
              const std::int64_t x = values(a, i), y = values(b, j);
              check(a + b, x + y);
              check(a - b, x - y);
              check(a * b, x * y);
              check(floor_div(a, b), floor_div(x, y));
              check(floor_mod(a, b), floor_mod(x, y));
              check(either(a, b), x);
              check(either(a, b), y);
            }
          }
        }
      }
    }
  }
  CHECK(Congruence{8, 3}.modulo(4) == 3);
  CHECK(Congruence{8, 3}.modulo(16) == -1);
  CHECK(Congruence::constant(-1).modulo(4) == 3);
  CHECK(Congruence::constant(INT64_MAX) * Congruence::constant(INT64_MAX) == Congruence{});
}
