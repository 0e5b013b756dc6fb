// Random expressions: whatever the simplifier does must be right at every point of a small domain.
#include <doctest/doctest.h>

#include <random>
#include <set>

#include "ir/brute_force.h"
#include "ir/simplify/simplify.h"
#include "ir/text/print.h"

using namespace tensordsl;
using namespace tensordsl::ir;

namespace {

const Bounds kBounds{{"x", {-3, 4}}, {"y", {0, 7}}, {"z", {1, 4}}};

std::vector<std::vector<std::int64_t>> domains() {
  std::vector<std::vector<std::int64_t>> result;
  for (const auto& [name, interval] : kBounds) result.push_back(range(interval.low, interval.high));
  return result;
}

Point first_point() {
  Point point;
  for (const auto& [name, interval] : kBounds) point.emplace_back(name, interval.low);
  return point;
}

class RandomExprs {
 public:
  explicit RandomExprs(unsigned seed) : random_(seed) {}

  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  Expr constant() {
    constexpr int usual[] = {0, 1, 1, 2, 2, 3, 4, 4, 5, 7, 8, 8, 16, -1, -2, -4, -7};
    return make_int(Int(32), usual[below(std::size(usual))]);
  }

  Expr index(int depth) {
    if (depth == 0 || below(8) == 0) {
      const int i = below(5);
      return i < 3 ? make_var(std::string(1, "xyz"[i])) : constant();
    }
    switch (below(12)) {
      case 0:
      case 1:
        return index(depth - 1) + index(depth - 1);
      case 2:
        return index(depth - 1) - index(depth - 1);
      case 3:
        return index(depth - 1) * index(depth - 1);
      case 4:
      case 5:
        return index(depth - 1) * constant();
      case 6:
        return index(depth - 1) / (below(4) == 0 ? index(depth - 1) : constant());
      case 7:
        return index(depth - 1) % (below(4) == 0 ? index(depth - 1) : constant());
      case 8:
        return min(index(depth - 1), index(depth - 1));
      case 9:
        return max(index(depth - 1), index(depth - 1));
      case 10:
        return select(condition(depth - 1), index(depth - 1), index(depth - 1));
      default:
        return make_load(Int(32), "a", {index(depth - 1)});
    }
  }

  Expr condition(int depth) {
    switch (depth == 0 ? below(4) : below(7)) {
      case 0:
        return index(depth) < index(depth);
      case 1:
        return index(depth) <= index(depth);
      case 2:
        return index(depth) == index(depth);
      case 3:
        return index(depth) != index(depth);
      case 4:
        return condition(depth - 1) && condition(depth - 1);
      case 5:
        return condition(depth - 1) || condition(depth - 1);
      default:
        return !condition(depth - 1);
    }
  }

  /// Bases are often aligned to the lanes, as vectorized loops make them.
  Expr vector(int depth, int lanes) {
    if (depth == 0) {
      const Expr base = below(2) == 0 ? index(1) * lanes : index(1);
      const Expr stride = below(2) == 0 ? Expr(1) : constant();
      return below(3) == 0 ? make_broadcast(index(1), lanes) : make_ramp(base, stride, lanes);
    }
    const Expr a = vector(depth - 1, lanes), b = vector(depth - 1, lanes);
    const Expr c = make_broadcast(constant(), lanes);
    switch (below(10)) {
      case 0:
        return a + b;
      case 1:
        return a - b;
      case 2:
        return a * make_broadcast(index(1), lanes);
      case 3:
        return a * c;
      case 4:
        return a / c;
      case 5:
        return a % c;
      case 6:
        return min(a, b);
      case 7:
        return max(a, c);
      case 8:
        return make_select(below(2) == 0 ? condition(1) : vector_condition(depth - 1, lanes), a, b);
      default: {
        const Expr both = make_concat({a, b});
        return make_slice(both, below(lanes + 1), lanes);
      }
    }
  }

  Expr vector_condition(int depth, int lanes) {
    const Expr a = vector(depth, lanes), b = vector(depth, lanes);
    const Expr k = make_broadcast(constant() * lanes, lanes);
    switch (below(5)) {
      case 0:
        return a < k;
      case 1:
        return a <= k;
      case 2:
        return b < a;
      case 3:
        return a == b;
      default:
        return !(k < a);
    }
  }

 private:
  std::mt19937 random_;
};

int size_of(const Expr& e) {
  int nodes = 0;
  visit(e, [&](const Expr&) { return ++nodes, true; });
  return nodes;
}

/// Fails, at most once, if `found` differs from `expected` where that does not overflow.
void check_same_values(const Expr& expected, const Expr& found) {
  INFO(print(expected), "  =>  ", print(found));
  REQUIRE(expected.type() == found.type());
  Point point = first_point();
  int wrong = 0;
  for_each_point(point, domains(), [&] {
    for (int lane = 0; lane < expected.type().lanes; ++lane) {
      Evaluator before(point), after(point);
      const std::int64_t value = before(expected, lane);
      if (!before.fits || after(found, lane) == value || ++wrong > 1) continue;
      FAIL_CHECK("x=", point[0].second, " y=", point[1].second, " z=", point[2].second, " lane ", lane, ": ",
                 value, " became ", Evaluator(point)(found, lane));
    }
  });
}

}  // namespace

TEST_CASE("simplify: random i32 expressions keep their value everywhere, and what is simple stays as it is") {
  RandomExprs random(1);
  int shrunk = 0;
  for (int i = 0; i < 6000; ++i) {
    const Expr e = random.index(2 + i % 4);
    const Expr simple = simplify(e, kBounds);
    check_same_values(e, simple);
    shrunk += size_of(simple) < size_of(e);
    const Expr again = simplify(simple, kBounds);
    INFO(print(e), "  =>  ", print(simple), "  =>  ", print(again));
    CHECK(same(again, simple));
  }
  CHECK(shrunk > 3000);
}

TEST_CASE("simplify: random conditions keep their value everywhere, so nothing false is proved") {
  RandomExprs random(2);
  int proved = 0;
  for (int i = 0; i < 3000; ++i) {
    const Expr e = random.condition(1 + i % 4);
    const Expr simple = simplify(e, kBounds);
    check_same_values(e, simple);
    const Expr again = simplify(simple, kBounds);
    INFO(print(e), "  =>  ", print(simple), "  =>  ", print(again));
    CHECK(same(again, simple));
    const bool proof = can_prove(e, kBounds);
    CHECK(proof == is_const(simple, 1));
    proved += proof;
  }
  CHECK(proved > 100);
}

TEST_CASE("simplify: random vectors keep every lane") {
  RandomExprs random(3);
  int collapsed = 0;
  for (int i = 0; i < 3000; ++i) {
    const int lanes = i % 2 == 0 ? 4 : 8;
    const Expr e = i % 3 == 0 ? random.vector_condition(1, lanes) : random.vector(1 + i % 2, lanes);
    const Expr simple = simplify(e, kBounds);
    check_same_values(e, simple);
    collapsed += simple->kind == ExprKind::Broadcast || simple->kind == ExprKind::Ramp;
  }
  CHECK(collapsed > 1000);
}

TEST_CASE("simplify: remainders of remainders of vectors keep every lane") {
  std::mt19937 engine(5);
  const auto between = [&](int low, int high) {
    return low + static_cast<int>(engine() % static_cast<unsigned>(high - low + 1));
  };
  const auto all = [](int value) { return make_broadcast(Expr(value), 4); };
  for (int i = 0; i < 2000; ++i) {
    const Expr place = make_ramp(make_var("x"), Expr(1), 4);
    const Expr read = min(max(make_load(Int(32, 4), "a", {place}), all(0)), all(10));
    const int divisor = between(2, 6);
    Expr e = read * all(between(1, 3)) + all(between(-3, 3));
    if (i % 2 == 0) e = e + place;
    e = e % all(divisor * between(1, 4)) * all(between(1, 2)) + all(between(-4, 4));
    e = e % all(divisor);
    check_same_values(e, simplify(e, kBounds));
  }
}

TEST_CASE("bounds_of holds every value, and remainder_of the remainder of every value") {
  RandomExprs random(4);
  int bounded = 0, known = 0;
  for (int i = 0; i < 3000; ++i) {
    const Expr e = i % 3 == 0 ? random.index(2) * 8 + random.constant() : random.index(1 + i % 4);
    const Interval interval = bounds_of(e, kBounds);
    const std::int64_t remainder = remainder_of(e, 4);
    INFO(print(e), " in [", interval.low, ", ", interval.high, "], modulo 4: ", remainder);
    bounded += interval.low != INT64_MIN && interval.high != INT64_MAX;
    known += remainder >= 0;
    Point point = first_point();
    bool inside = true, right = true;
    for_each_point(point, domains(), [&] {
      Evaluator evaluate(point);
      const std::int64_t value = evaluate(e);
      if (!evaluate.fits) return;
      inside = inside && interval.contains(value);
      right = right && (remainder < 0 || ((value % 4) + 4) % 4 == remainder);
    });
    CHECK(inside);
    CHECK(right);
  }
  CHECK(bounded > 1500);
  CHECK(known > 500);
}
