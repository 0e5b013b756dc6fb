// Upper bounds of sums of minima and maxima.
#include "lower/analyze/largest_value.h"

#include <doctest/doctest.h>

#include <random>

#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"
#include "ir/text/parse.h"

namespace tensordsl::lower {
namespace {

using namespace ir;

/// A scope with x in [0, 7] and y in [0, 3]; z has no range.
LoopScope scope() { return {{{"x", {0, 7}}, {"y", {0, 3}}}, {}}; }

std::int64_t largest(const char* text) { return largest_value(parse_expr(text), scope()); }

/// Sums of x, y and z, and minima and maxima of such.
Expr random_sum(std::mt19937& random, int depth) {
  const auto number = [&](int low, int high) {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
  };
  Expr sum = Expr(number(-3, 3)) + make_var("z") * number(-1, 1) + make_var("x") * number(-2, 2);
  for (int i = number(0, 2); depth > 0 && i > 0; --i) {
    const Expr a = random_sum(random, depth - 1);
    const Expr b = number(0, 1) == 0 ? Expr(number(-4, 9)) : random_sum(random, depth - 1);
    const Expr extremum = number(0, 1) == 0 ? min(a, b) : max(a, b);
    sum = sum + extremum * (number(0, 1) == 0 ? 1 : -1);
  }
  return sum;
}

}  // namespace

TEST_CASE("largest value: what cancels between minima and maxima does not count") {
  CHECK(largest("min(z*4 + 3, 100) - max(z*4, 1)") == 3);
  CHECK(largest("min(z + x, 55) - min(z, 55)") == 7);
  CHECK(largest("max(min(max(z + 1, 0), 55) - min(max(z - 1, 0), 55) + 1, 0)") == 3);
  CHECK(largest("min(max(x*2 + min(z*4, 9)*2 + 1, 0), 24) - max(max(x + min(z*4, 9), 0)*2 - 1, 0) + 1") == 3);
  CHECK(largest("x + y*2") == 13);
  CHECK(largest("z") > INT32_MAX / 2);
}

TEST_CASE("largest value: no value is larger") {
  std::mt19937 random(3);
  int known = 0;
  for (int round = 0; round < 2000; ++round) {
    const Expr sum = random_sum(random, 2);
    const std::int64_t bound = largest_value(sum, scope());
    if (bound > INT32_MAX / 2) continue;
    ++known;
    CAPTURE(tensordsl::to_string(sum));
    for (int x = 0; x < 8; ++x) {
      for (int z = -20; z <= 20; z += 1 + (round + x) % 3) {
        const Expr value = simplify(substitute(substitute(sum, "x", Expr(x)), "z", Expr(z)));
        REQUIRE(as_int(value));
        REQUIRE(*as_int(value) <= bound);
      }
    }
  }
  CHECK(known > 500);
}

}  // namespace tensordsl::lower
