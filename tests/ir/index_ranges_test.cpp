#include "ir/analyze/index_ranges.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <random>

#include "base/arithmetic.h"
#include "ir/analyze/guarded_reads.h"
#include "ir/analyze/linear_system.h"
#include "ir/brute_force.h"
#include "ir/random_indices.h"
#include "ir/text/parse.h"
#include "ir/text/print.h"

using namespace tensordsl;
using namespace tensordsl::ir;

namespace {

std::string text(const SymbolicInterval& i) {
  const auto end = [](const Expr& e) { return e.defined() ? print(e) : "?"; };
  return fmt::format("[{}, {}]", end(i.low), end(i.high));
}

/// The range of an index where x, y and z are in [0, 8] and the condition holds.
std::string range_where(const std::string& condition, const std::string& index) {
  IndexRanges ranges;
  for (const std::string name : {"x", "y", "z"}) ranges = ranges.with(name, {Expr(0), Expr(8)});
  const auto there = ranges.assuming(parse_expr(condition), true);
  return there ? text(there->interval(parse_expr(index))) : "nowhere";
}

}  // namespace

TEST_CASE("index ranges: what conditions say of sums counts together") {
  CHECK(range_where("0 <= x + z - 3 && x + z - 3 < 7 && 0 <= z - 1 && z - 1 < 7", "x*2 + z*3 - 4") ==
        "[3, 21]");
  CHECK(range_where("3 <= x + z && z <= y", "x*2 + z*3") == "[6, 40]");
  CHECK(range_where("x + y < 4 && y + z < 4 && x + z < 4", "x + y + z") == "[0, 4]");
  CHECK(range_where("x*2 + y < 7", "x + y") == "[0, 6]");
  CHECK(range_where("x*2 + y < 3", "(y + z)/2 + x") == "[0, 5]");
  CHECK(range_where("x + y <= 5", "min(x, 3) + y") == "[0, 5]");
}

TEST_CASE("index ranges: what conditions say of a sum counts in minima, remainders and products of it") {
  CHECK(range_where("3 <= x + z", "min(x + z - 3, 6)") == "[0, 6]");
  CHECK(range_where("x + z <= 9 && y < 2", "max(x + z - 3, 2)*2 + y") == "[4, 13]");
  CHECK(range_where("3 <= x + z && x + z < 10", "(x + z - 3)%8") == "[0, 6]");
  CHECK(range_where("x == z + 1", "(x - z + 2)/3%5") == "[1, 1]");
  CHECK(range_where("x + z < 4", "(x + z)*y") == "[0, 24]");
}

TEST_CASE("index ranges: sums and what is free") {
  CHECK(range_where("n <= x && x < n + 3", "x - n") == "[max(0 - n, 0), min(8 - n, 2)]");
  CHECK(range_where("0 <= x - n && x - n < 3 && y <= x", "y - n") == "[0 - n, min(8 - n, 2)]");
}

TEST_CASE("index ranges: equal is both, and unequal cuts off an end") {
  CHECK(range_where("x == y + 3", "x") == "[3, 8]");
  CHECK(range_where("x != 0", "x") == "[1, 8]");
  CHECK(range_where("!(x == 8)", "x") == "[0, 7]");
  CHECK(range_where("x != 4", "x") == "[0, 8]");
  CHECK(range_where("x != 0 && x != 1", "x") == "[2, 8]");
  CHECK(range_where("x == 3 && x < 3", "x") == "nowhere");
}

TEST_CASE("index ranges: of either of two conditions what both say") {
  CHECK(range_where("x < 3 || x == 5", "x") == "[0, 5]");
  CHECK(range_where("x < 0 || 9 <= x", "x") == "nowhere");
  CHECK(range_where("x < 0 || 6 <= x", "x") == "[6, 8]");
  CHECK(range_where("!(x < 2 && y < 9)", "x") == "[2, 8]");
  CHECK(range_where("in[x] == 3 || 0 <= in[x] && in[x] < 2", "in[x]") == "[0, 3]");
}

TEST_CASE("index ranges: what is read has the range that conditions give it") {
  CHECK(range_where("0 <= in[x] && in[x] < 4", "in[x]*2 + x") == "[0, 14]");
  CHECK(range_where("0 <= in[x] && in[x] < 4", "in[y]") == "[?, ?]");
  CHECK(range_where("0 <= in[x] && in[x] < 4", "max(in[x], 2)%8") == "[2, 3]");
  CHECK(range_where("in[x] == x", "in[x]") == "[0, 8]");
  CHECK(range_where("0:i64 <= in[x]:i64 && in[x]:i64 < 4:i64", "i32(in[x]:i64)") == "[0, 3]");
  CHECK(range_where("in[x]:i64 < 4:i64", "i32(in[x]:i64)") == "[?, ?]");
  CHECK(range_where("in[x]:u8 < 4:u8", "i32(in[x]:u8)") == "[0, 3]");
}

TEST_CASE("index ranges: what may have changed since a condition read it is not known") {
  const auto assumed = [](MemoryState memory) {
    const IndexRanges ranges = IndexRanges().with("x", {Expr(0), Expr(8)});
    return text(
        ranges.assuming(parse_expr("0 <= in[x] && in[x] < x"), true, memory)->interval(parse_expr("in[x]")));
  };
  CHECK(assumed(MemoryState::Stays) == "[0, 7]");
  CHECK(assumed(MemoryState::MayChange) == "[?, ?]");
}

TEST_CASE("index ranges: each side of a select where its condition takes it") {
  CHECK(range_where("true", "select(0 < x, x - 1, 8)") == "[0, 8]");
  CHECK(range_where("true", "select(x < 3, x, 2) + select(y < 3, y, 2)") == "[0, 4]");
  CHECK(range_where("0 <= select(x < 3, in[x], y) && select(x < 3, in[x], y) < 4",
                    "select(x < 3, in[x], y)") == "[0, 3]");
}

TEST_CASE("index ranges: products and quotients of variables") {
  CHECK(range_where("true", "x*y") == "[0, 64]");
  CHECK(range_where("true", "(x - 4)*(y - 4)") == "[-16, 16]");
  CHECK(range_where("true", "(x - 4)/(y - 4)") == "[-4, 4]");
  CHECK(range_where("true", "x/-2") == "[-4, 0]");
  CHECK(range_where("true", "x%(y + 1)") == "[0, 8]");
}

TEST_CASE("index ranges: remainders and quotients by what is free lie inside, whatever its sign") {
  const auto range_of = [](Factors factors, const std::string& index) {
    return text(IndexRanges(factors).with("x", {Expr(-2), Expr(6)}).interval(parse_expr(index)));
  };
  CHECK(range_of(Factors::Any, "x%n") == "[min(n + 1, 0), max(n - 1, 0)]");
  CHECK(range_of(Factors::NotNegative, "x%n") == "[0, n - 1]");
  CHECK(range_of(Factors::NotNegative, "x%(n - m)") == "[min(n - m + 1, 0), max(n - m - 1, 0)]");
  CHECK(range_of(Factors::NotNegative, "x%(n*m + 1)") == "[0, m*n]");
  CHECK(range_of(Factors::NotNegative, "(x + 2)*(n + m)") == "[0, m*8 + n*8]");
  CHECK(range_of(Factors::NotNegative, "(x + 2)*((n + 1)/2)") == "[0, (n + 1)/2*8]");
  CHECK(range_of(Factors::Any, "(x + 2)/(n*m)") == "[min(8/(m*n), 0), max(8/(m*n), 0)]");
  CHECK(range_of(Factors::NotNegative, "m%n") == "[m%n, m%n]");
  CHECK(range_of(Factors::NotNegative, "x + m/n") == "[m/n - 2, m/n + 6]");
  for (const std::string index : {"x%n", "(x + 3)%(n - 1)", "x/n", "x%(n*x)", "(n + 3)%x", "n/x", "n%2%x"}) {
    CAPTURE(index);
    const Expr e = parse_expr(index);
    const SymbolicInterval found = IndexRanges(Factors::Any).with("x", {Expr(-2), Expr(6)}).interval(e);
    int outside = 0;
    Point point{{"x", 0}, {"n", 0}};
    for_each_point(point, {range(-2, 6), range(-9, 9)}, [&] {
      Evaluator value(point, true, [](std::int64_t) { return 0; });
      outside += (found.low.defined() && value(e) < value(found.low)) ||
                 (found.high.defined() && value(found.high) < value(e));
    });
    CHECK(outside == 0);
  }
}

TEST_CASE("index ranges: no value that an index takes lies outside") {
  RandomExprs random(1);
  int bounded = 0, points = 0;
  for (int i = 0; i < 1500; ++i) {
    const Expr condition = random.condition(i % 3), index = random.index(i % 4);
    const Factors factors = i % 2 == 0 ? Factors::NotNegative : Factors::Any;
    const Expr x = make_var("x"), n = make_var("n");
    IndexRanges ranges = IndexRanges(factors).with("x", {Expr(0), n + 1}).with("y", {x - 2, Expr(4)});
    const auto there = ranges.assuming(condition, true);
    const SymbolicInterval found = there ? there->interval(index) : SymbolicInterval{};
    bounded += found.bounded();
    CAPTURE(print(condition));
    CAPTURE(print(index));
    CAPTURE(text(found));
    int outside = 0;
    Point point{{"x", 0}, {"y", 0}, {"n", 0}};
    const auto load = [&](std::int64_t at) { return (at * at * 3 + i) % 7 - 2; };
    for_each_point(point, {range(0, 6), range(-2, 4), range(factors == Factors::Any ? -3 : 0, 5)}, [&] {
      if (point[0].second > point[2].second + 1 || point[1].second < point[0].second - 2) return;
      Evaluator value(point, true, load);
      if (!value(condition)) return;
      ++points;
      const std::int64_t at = value(index);
      outside += !there || (found.low.defined() && at < value(found.low)) ||
                 (found.high.defined() && value(found.high) < at);
    });
    CHECK(outside == 0);
  }
  CHECK(bounded > 500);
  CHECK(points > 10000);
}

TEST_CASE("linear systems: bounds are those of brute force, or no tighter") {
  std::mt19937 random(3);
  const auto between = [&](int low, int high) {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
  };
  const Expr x = make_var("x"), y = make_var("y"), z = make_var("z");
  int exact = 0, possible = 0;
  for (int i = 0; i < 500; ++i) {
    std::vector<LinearForm> not_negative;
    const auto sum = [&] {
      LinearForm form(between(-6, 6));
      for (const Expr& atom : {x, y, z}) form.add_atom(atom, between(-2, 2));
      return form;
    };
    for (const Expr& atom : {x, y, z}) {
      not_negative.push_back(LinearForm(atom));
      not_negative.push_back(LinearForm(6) - LinearForm(atom));
    }
    for (int fact = between(0, 3); fact > 0; --fact) not_negative.push_back(sum());
    const LinearForm wanted = sum();
    const LinearBounds bounds = bounds_of(wanted, not_negative, {x, y, z});
    std::int64_t least = INT64_MAX, most = INT64_MIN;
    Point point{{"x", 0}, {"y", 0}, {"z", 0}};
    const auto value_of = [&](const LinearForm& form) {
      std::int64_t value = form.constant;
      for (std::size_t v = 0; v < 3; ++v)
        value += form.coefficient_of(make_var(point[v].first)) * point[v].second;
      return value;
    };
    for_each_point(point, {range(0, 6), range(0, 6), range(0, 6)}, [&] {
      for (const LinearForm& form : not_negative) {
        if (value_of(form) < 0) return;
      }
      least = std::min(least, value_of(wanted));
      most = std::max(most, value_of(wanted));
    });
    if (least > most) continue;
    std::int64_t low = INT64_MIN, high = INT64_MAX;
    for (const LinearBound& b : bounds.low)
      low = std::max(low, -floor_div(-b.sum.constant, b.divisor));  // rounded up
    for (const LinearBound& b : bounds.high) high = std::min(high, floor_div(b.sum.constant, b.divisor));
    CHECK(low <= least);
    CHECK(most <= high);
    exact += low == least && high == most;
    ++possible;
  }
  // The rest are bounds that no integers reach.
  CHECK(exact * 10 > possible * 9);
}

TEST_CASE("guarded reads: a read is found with what is known where it is made") {
  const auto found = [](const std::string& expr) {
    std::string all;
    GuardedReads<IndexRanges> reads([](const Expr& e) { return e->name == "f"; },
                                    [&](const Expr& read, const IndexRanges& there) {
                                      all += (all.empty() ? "" : " ") + text(there.interval((*read)[0]));
                                    });
    reads.find(parse_expr(expr), IndexRanges().with("x", {Expr(0), Expr(8)}));
    return all;
  };
  CHECK(found("f[x] + g[f[x + 1]]") == "[0, 8] [1, 9]");
  CHECK(found("select(x < 3, f[x], f[x - 3])") == "[0, 2] [0, 5]");
  CHECK(found("select(f[x] < 3, g[x], 0)") == "[0, 8]");
  CHECK(found("select(x < 3 && f[x] < 2 || 6 < x && f[x] < 2, 1, 0)") == "[0, 2] [7, 8]");
  CHECK(found("select(x < 3, select(5 < x, f[x], 1), 0)") == "");
}
