// Exclusive or in addresses, and shifts by nothing.
#include <doctest/doctest.h>

#include <random>

#include "ir/brute_force.h"
#include "ir/simplify/simplify.h"
#include "ir/text/parse.h"
#include "ir/text/print.h"

namespace tensordsl::ir {
namespace {

std::string simplified(std::string_view text) { return print(simplify(parse_expr(text))); }

}  // namespace

TEST_CASE("exclusive or: constants fold, and 0 changes nothing") {
  CHECK(simplified("bitwise_xor(12, 10)") == "6");
  CHECK(simplified("bitwise_xor(x, 0)") == "x");
  CHECK(simplified("bitwise_xor(0, x)") == "x");
}

TEST_CASE("shifts by 0, also of vectors, are what they shift") {
  CHECK(simplified("shift_right(x, y%4*0)") == "x");
  CHECK(simplified("shift_left(x, 0)") == "x");
  CHECK(simplified("shift_right(ramp(x, 1, 4), broadcast(0, 4))") == "ramp(x, 1, 4)");
  CHECK(simplified("shift_right(x, 1)") == "shift_right(x, 1)");
}

TEST_CASE("exclusive or: bits below all that varies are known") {
  CHECK(simplified("bitwise_xor(x*16 + 12, 8)") == "x*16 + 4");
  CHECK(simplified("bitwise_xor(x*16 + 12, 24)") == "bitwise_xor(x*16, 16) + 4");
  CHECK(simplified("bitwise_xor(x*16 + 9, y*8 + 3)") == "bitwise_xor(x*16 + 8, y*8) + 2");
}

TEST_CASE("exclusive or: neighbors stay neighbors where only bits above them change") {
  CHECK(simplified("bitwise_xor(ramp(x*8, 1, 4), broadcast(y*8, 4))") == "ramp(bitwise_xor(x*8, y*8), 1, 4)");
  CHECK(simplified("bitwise_xor(ramp(x*8, 1, 8), broadcast(y*4, 8))") ==
        "bitwise_xor(ramp(x*8, 1, 8), broadcast(y*4, 8))");
  CHECK(simplified("bitwise_xor(broadcast(x, 4), broadcast(y, 4))") == "broadcast(bitwise_xor(x, y), 4)");
}

TEST_CASE("exclusive or: what is known of it decides remainders and comparisons") {
  const Bounds bounds{{"x", {0, 15}}, {"y", {0, 3}}};
  CHECK(print(simplify(parse_expr("bitwise_xor(x*4, y*8) % 4"), bounds)) == "0");
  CHECK(print(simplify(parse_expr("bitwise_xor(x, y*8) < 32"), bounds)) == "true");
  CHECK(print(simplify(parse_expr("0 <= bitwise_xor(x, y*8)"), bounds)) == "true");
}

TEST_CASE("exclusive or: simplified sums have the same value everywhere") {
  std::mt19937 random(17);
  const auto number = [&] { return static_cast<int>(random() % 41) - 12; };
  for (int i = 0; i < 3000; ++i) {
    const Expr x = make_var("x"), y = make_var("y");
    const Expr a = x * number() + y * number() + number();
    const Expr b = random() % 3 == 0 ? Expr(number()) : y * number() + number();
    const Expr e = make_intrinsic(Int(32), "bitwise_xor", {a, b});
    const Expr s = simplify(e, {{"x", {-3, 5}}, {"y", {0, 6}}});
    Point point{{"x", 0}, {"y", 0}};
    for_each_point(point, {range(-3, 5), range(0, 6)}, [&] {
      CHECK_MESSAGE(Evaluator(point)(e) == Evaluator(point)(s), print(e), " -> ", print(s));
    });
  }
}

}  // namespace tensordsl::ir
