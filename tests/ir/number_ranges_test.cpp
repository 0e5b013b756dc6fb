#include "ir/analyze/number_ranges.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <random>

#include "ir/analyze/guarded_reads.h"
#include "ir/brute_force.h"
#include "ir/nodes/substitute.h"
#include "ir/random_indices.h"
#include "ir/simplify/simplifier.h"
#include "ir/simplify/simplify.h"
#include "ir/text/parse.h"
#include "ir/text/print.h"

using namespace tensordsl;
using namespace tensordsl::ir;

namespace {

std::string text(Interval i) {
  const auto end = [](std::int64_t e) { return e == INT64_MIN || e == INT64_MAX ? "?" : std::to_string(e); };
  return fmt::format("[{}, {}]", end(i.low), end(i.high));
}

/// Returns ranges in which x, y and z are in [0, 8], n is the number 5, and other variables have their
/// types' values.
NumberRanges some_ranges() {
  NumberRanges ranges([](const ExprNode& variable) {
    return variable.name == "n" ? Interval::point(5) : range_of(variable.type);
  });
  for (const std::string name : {"x", "y", "z"}) ranges = ranges.with(name, {0, 8});
  return ranges;
}

std::string range_where(const std::string& condition, const std::string& index) {
  const auto there = some_ranges().assuming(parse_expr(condition), true);
  return there ? text(there->interval(parse_expr(index))) : "nowhere";
}

}  // namespace

TEST_CASE("number ranges: a Param is the number that it has") {
  CHECK(range_where("true", "x + n") == "[5, 13]");
  CHECK(range_where("true", "n*x + n*n") == "[25, 65]");
  CHECK(range_where("true", "x%n") == "[0, 4]");
  CHECK(range_where("x < n", "x") == "[0, 4]");
  CHECK(range_where("n < 5", "x") == "nowhere");
}

TEST_CASE("number ranges: what terms have in common cancels") {
  CHECK(range_where("true", "x - x") == "[0, 0]");
  CHECK(range_where("true", "x/4*4 + x%4") == "[0, 8]");
  CHECK(range_where("true", "x - x/n*n") == "[0, 4]");
  CHECK(range_where("true", "x*4 + min(20 - x*4, 4)") == "[-12, 20]");
  CHECK(range_where("true", "max(x, y) - x") == "[0, 8]");
}

TEST_CASE("number ranges: conditions narrow variables, sums, quotients, extrema and what is read") {
  CHECK(range_where("x + y < 3", "x*2 + y") == "[0, 4]");
  CHECK(range_where("0 <= x + z - 3 && x + z - 3 < 4", "x + z") == "[3, 6]");
  CHECK(range_where("x/4 == 1", "x") == "[4, 7]");
  CHECK(range_where("max(x, y) <= 2", "x + y") == "[0, 4]");
  CHECK(range_where("3 <= min(x, y)", "x + y") == "[6, 16]");
  CHECK(range_where("x != 0", "x") == "[1, 8]");
  CHECK(range_where("x < 3 || 6 < x && x < 8", "x") == "[0, 7]");
  CHECK(range_where("0 <= in[x] && in[x] < 4", "in[x]*2") == "[0, 6]");
  CHECK(range_where("0 <= in[x]", "min(in[x], 7)") == "[0, 7]");
  CHECK(range_where("x < y && y < x", "x") == "nowhere");
}

TEST_CASE("number ranges: a number stays what it is in a wider integer") {
  CHECK(range_where("true", "i32(i64(x)*i64(n) - 3:i64)") == "[-3, 37]");
  CHECK(range_where("i64(x) < 3:i64", "x") == "[0, 2]");
  CHECK(range_where("true", "x - i32(i64(x))") == "[0, 0]");
  CHECK(range_where("true", "i32(u8(x + 255))") == "[0, 255]");
}

TEST_CASE("number ranges: numbers that 64 bits do not hold say nothing") {
  CHECK(range_where("true", "i32(u64(x - 1)/2305843009213693952:u64)") == "[?, ?]");
  CHECK(range_where("true", "min(i64(v:u64), 7:i64)") == "[?, 7]");
  CHECK(range_where("true", "max(v:i64, 0:i64) + 1:i64") == "[?, ?]");
  CHECK(range_where("true", "i32(v:i64 - v:i64)") == "[0, 0]");
  CHECK(range_where("v:u64 <= 9:u64", "i32(v:u64)") == "[0, 9]");
  CHECK(range_where("true", "i32(select(100:u64 < v:u64, 100:u64, v:u64))") == "[0, 100]");
  CHECK(range_where("i64(x) - 5:i64 < 9223372036854775807:i64", "x") == "[0, 8]");
  CHECK(range_where("-9223372036854775807:i64 - 1:i64 <= i64(x)", "x") == "[0, 8]");
}

TEST_CASE("number ranges: what is read from memory has no bounds but those of small types and conditions") {
  CHECK(range_where("true", "in[x]/3") == "[?, ?]");
  CHECK(range_where("true", "i32(v:u8)/3") == "[0, 85]");
  CHECK(range_where("0 <= in[x] && in[x] < n", "in[x]/3") == "[0, 1]");
}

TEST_CASE("number ranges: a promise that is broken goes on with its low end") {
  CHECK(range_where("true", "promise_clamped(x, 0, n - 1)") == "[0, 4]");
  CHECK(range_where("true", "promise_clamped(x, 10, 20)") == "[10, 10]");
}

TEST_CASE("number ranges: each side of a select where its condition takes it") {
  CHECK(range_where("true", "select(0 < x, x - 1, 8)") == "[0, 8]");
  CHECK(range_where("true", "select(x < 3, x, 2) + select(y < 3, y, 2)") == "[0, 4]");
  CHECK(range_where("true", "select(x < n, x, x - n)") == "[0, 4]");
}

TEST_CASE("number ranges: a read is found with what is known where it is made") {
  std::string all;
  GuardedReads<NumberRanges> reads(
      [](const Expr& e) { return e->name == "f"; },
      [&](const Expr& read, const NumberRanges& there) { all += text(there.interval((*read)[0])); });
  reads.find(parse_expr("select(x < n, f[x], f[x - n]) + select(x < 3 && 5 < x, f[x], 1)"), some_ranges());
  CHECK(all == "[0, 4][0, 3]");
}

TEST_CASE("number ranges: an expression of shared parts takes no exponential time") {
  Expr e = make_var("x");
  for (int i = 0; i < 60; ++i) e = min(e + e, max(e, Expr(3)) - e) % 7;
  CHECK(some_ranges().interval(e).low >= 0);
}

TEST_CASE("number ranges: a condition of shared parts takes no exponential time") {
  Expr c = make_var("x") < 4;
  for (int i = 0; i < 60; ++i) c = i % 2 == 0 ? c && c : c || c;
  const auto there = some_ranges().assuming(c, true);
  REQUIRE(there);
  CHECK(there->interval(make_var("x")).contains(Interval{0, 3}));
}

TEST_CASE("number ranges: no value of integers of other types lies outside") {
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return random() % n; };
  const std::vector<Type> types{Int(32), Int(64), UInt(64), UInt(8), Int(16), UInt(32)};
  const std::vector<std::int64_t> numbers{0,         1,  3,        255, INT32_MAX, std::int64_t{1} << 61,
                                          INT64_MAX, -1, INT64_MIN};
  const std::function<Expr(Type, int)> expr = [&](Type type, int depth) -> Expr {
    if (depth == 0) {
      if (below(4) == 0) return ir::make_int(type, numbers[below(numbers.size())]);
      return make_cast(type, make_var(below(2) == 0 ? "x" : "y"));
    }
    if (below(3) == 0) return make_cast(type, expr(types[below(types.size())], depth - 1));
    const Expr a = expr(type, depth - 1), b = expr(type, depth - 1);
    // Sums of indices do not wrap, so none is made that might.
    const bool may_sum = type != Int(32);
    switch (below(8)) {
      case 0:
        return min(a, b);
      case 1:
        return max(a, b);
      case 2:
        return a % b;
      case 3:
        return select(a < b, a, b);
      case 4:
        return may_sum ? a - b : a;
      case 5:
        return may_sum ? a * b : b;
      case 6:
        return may_sum ? a / b : a;
      default:
        return may_sum ? a + b : b;
    }
  };
  int known = 0, points = 0;
  for (int i = 0; i < 3000; ++i) {
    const Type type = types[below(types.size())];
    const Expr index = make_cast(Int(32), expr(type, 1 + i % 3));
    const Expr condition = expr(type, i % 3) <= expr(type, 1);
    const NumberRanges ranges =
        NumberRanges([](const ExprNode&) { return Interval{}; }).with("x", {-2, 6}).with("y", {0, 300});
    const auto there = ranges.assuming(condition, true);
    const Interval found = there ? there->interval(index) : Interval{};
    known += found.low != INT64_MIN && found.high != INT64_MAX;
    CAPTURE(print(condition));
    CAPTURE(print(index));
    CAPTURE(text(found));
    int outside = 0;
    for (int x = -2; x <= 6; ++x) {
      for (const int y : {0, 1, 2, 7, 127, 128, 255, 256, 300}) {
        const auto value = [&](const Expr& e) {
          return simplify(substitute(e, {{"x", Expr(x)}, {"y", Expr(y)}}));
        };
        if (!is_const(value(condition), 1)) continue;
        const Expr at = value(index);
        if (!as_int(at)) continue;  // a sum of i64 that wraps is not folded
        ++points;
        outside += !there || !found.contains(*as_int(at));
      }
    }
    CHECK(outside == 0);
  }
  CHECK(known > 1000);
  CHECK(points > 50000);
}

TEST_CASE("number ranges: no value that an index takes lies outside") {
  RandomExprs random(5);
  int points = 0, tight = 0, cases = 0;
  for (int i = 0; i < 3000; ++i) {
    const Expr condition = random.condition(i % 3), index = random.index(i % 4);
    const std::int64_t n = i % 9 - 3;
    const NumberRanges ranges = NumberRanges([&](const ExprNode& variable) {
                                  return variable.name == "n" ? Interval::point(n) : range_of(variable.type);
                                })
                                    .with("x", {0, 6})
                                    .with("y", {-2, 4});
    const auto there = ranges.assuming(condition, true);
    const Interval found = there ? there->interval(index) : Interval{};
    CAPTURE(print(condition));
    CAPTURE(print(index));
    CAPTURE(text(found));
    int outside = 0;
    Interval taken{INT64_MAX, INT64_MIN};
    Point point{{"x", 0}, {"y", 0}, {"n", n}};
    const auto load = [&](std::int64_t at) { return (at * at * 3 + i) % 7 - 2; };
    for_each_point(point, {range(0, 6), range(-2, 4), {n}}, [&] {
      Evaluator value(point, true, load);
      if (!value(condition)) return;
      ++points;
      const std::int64_t at = value(index);
      taken = hull(taken, Interval::point(at));
      outside += !there || !found.contains(at);
    });
    CHECK(outside == 0);
    const bool reads = reads_memory(condition) || reads_memory(index);
    if (taken.low > taken.high || reads) continue;
    ++cases;
    tight += found == taken;
  }
  CHECK(points > 10000);
  // The rest are ends that no integers reach, and conditions that are not linear.
  CHECK(tight * 10 > cases * 7);
}
