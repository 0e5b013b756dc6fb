#include "ir/analyze/number_ranges.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "ir/analyze/guarded_reads.h"
#include "ir/brute_force.h"
#include "ir/random_indices.h"
#include "ir/simplify/simplifier.h"
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
