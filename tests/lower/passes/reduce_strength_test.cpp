#include "lower/passes/arithmetic/reduce_strength.h"

#include <doctest/doctest.h>

#include "ir/brute_force.h"
#include "lower/pass_text.h"

namespace tensordsl::lower {
namespace {

using ir::make_int;
using ir::make_var;

/// Runs the pass with n in [1, 100] and x of either sign.
ir::Stmt reduce(const ir::Stmt& stmt) { return reduce_strength(stmt, {{"n", {1, 100}}}); }

/// Returns the value that reduce_strength stores for the given one.
Expr reduced(const Expr& value, const ir::Bounds& bounds) {
  const int lanes = value.type().lanes;
  const Expr index = lanes == 1 ? Expr(0) : ir::make_ramp(0, 1, lanes);
  return reduce_strength(ir::make_store("out", value, {index}), bounds)->value();
}

bool holds(const Expr& expr, ir::ExprKind kind) {
  bool found = false;
  ir::visit(expr, [&](const Expr& e) {
    found = found || e->kind == kind;
    return !found;
  });
  return found;
}

/// Checks, for every value of x in `domain`, which `bounds` describe, that the quotient and the remainder by
/// `divisor` are unchanged, in a scalar and in both lanes of a vector.
void check_by(Type type, std::int64_t divisor, const std::vector<std::int64_t>& domain,
              bool is_not_negative) {
  ir::Bounds bounds;
  if (is_not_negative) bounds["x"] = {0, domain.back()};
  const Expr x = make_var("x", type), by = make_int(type, divisor);
  const Expr two = ir::make_concat({x, x});
  for (const ir::ExprKind kind : {ir::ExprKind::Div, ir::ExprKind::Mod}) {
    for (const Expr& value : {ir::make_binary(kind, x, by), ir::make_binary(kind, two, by)}) {
      const Expr cheaper = reduced(value, bounds);
      CHECK_FALSE(holds(cheaper, kind));
      for (const std::int64_t v : domain) {
        const ir::Point point{{"x", v}};
        for (int lane = 0; lane < value.type().lanes; ++lane) {
          INFO(ir::print(value), " at x = ", v, ": ", ir::print(cheaper));
          REQUIRE(ir::Evaluator(point)(cheaper, lane) == ir::Evaluator(point)(value, lane));
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("reduce_strength: by a power of two a quotient is a shift and a remainder a mask") {
  check_pass(reduce, "store out[x/8] = x%8", "store out[shift_right(x, 3)] = bitwise_and(x, 7)");
  check_pass(reduce, "store out[0] = x:i64%4:i64 + x:i64/4:i64",
             "store out[0] = bitwise_and(x:i64, 3:i64) + shift_right(x:i64, 2:i64)");
}

TEST_CASE("reduce_strength: what is known not to be negative needs no floor") {
  check_pass(reduce, "for i in [0, 10) { store out[i/3] = (i + 1)%3 }",
             "for i in [0, 10) { store out[truncating_div(i, 3)] = truncating_mod(i + 1, 3) }");
  check_pass(reduce, "let i = max(x, 2) store out[(i - 2)/3] = 0",
             "let i = max(x, 2) store out[truncating_div(i - 2, 3)] = 0");
  check_pass(reduce, "if (y <= x) { store out[(x - y)/3] = 0 }",
             "if (y <= x) { store out[truncating_div(x - y, 3)] = 0 }");
}

TEST_CASE("reduce_strength: the remainder's sign floors what may be negative") {
  check_pass(reduce, "store out[0] = x/6",
             "store out[0] = truncating_div(x, 6) + shift_right(truncating_mod(x, 6), 31)");
  check_pass(reduce, "store out[0] = x%6",
             "store out[0] = truncating_mod(x, 6) + bitwise_and(shift_right(truncating_mod(x, 6), 31), 6)");
}

TEST_CASE("reduce_strength: vectors are divided as scalars are") {
  check_pass(
      reduce, "for i in [0, 10) { store out[ramp(0, 1, 4)] = ramp(i, 1, 4)/broadcast(3, 4) }",
      "for i in [0, 10) { store out[ramp(0, 1, 4)] = truncating_div(ramp(i, 1, 4), broadcast(3, 4)) }");
  check_pass(reduce, "store out[ramp(0, 1, 4)] = a[ramp(0, 1, 4)]:i32x4/broadcast(8, 4)",
             "store out[ramp(0, 1, 4)] = shift_right(a[ramp(0, 1, 4)]:i32x4, broadcast(3, 4))");
  check_pass(reduce, "store out[ramp(0, 1, 4)] = a[ramp(0, 1, 4)]:i32x4/broadcast(3, 4)",
             R"(store out[ramp(0, 1, 4)] = truncating_div(a[ramp(0, 1, 4)]:i32x4, broadcast(3, 4)) +
                 shift_right(truncating_mod(a[ramp(0, 1, 4)]:i32x4, broadcast(3, 4)), broadcast(31, 4)))");
}

TEST_CASE("reduce_strength: a divisor that is known to be positive divides what is not negative") {
  check_pass(reduce, "for i in [0, 10) { store out[i/n] = i%n }",
             "for i in [0, 10) { store out[truncating_div(i, n)] = truncating_mod(i, n) }");
}

TEST_CASE("reduce_strength: divisors that may be 0 or negative stay, and so do floats") {
  check_unchanged(reduce, "for i in [0, 10) { store out[i/m] = i%m }");
  check_unchanged(reduce, "store out[x/n] = x%n");
  check_unchanged(reduce, "for i in [0, 10) { store out[i/-3] = i%-3 }");
  check_unchanged(reduce, "store out[0] = a[0]:f32/2.0");
}

TEST_CASE("reduce_strength: every i8 by every divisor") {
  for (std::int64_t divisor = 1; divisor < 128; ++divisor) {
    check_by(Int(8), divisor, ir::range(-128, 127), false);
    check_by(Int(8), divisor, ir::range(0, 127), true);
  }
  for (std::int64_t divisor = 1; divisor < 256; ++divisor)
    check_by(UInt(8), divisor, ir::range(0, 255), false);
}

TEST_CASE("reduce_strength: i32 and i64 around 0 and far from it") {
  for (const Type type : {Int(32), Int(64)}) {
    // The evaluator's own arithmetic has 64 bits.
    const std::int64_t far = type.bits == 32 ? INT32_MAX : INT64_MAX / 2;
    std::vector<std::int64_t> domain = ir::range(-40, 40);
    for (int k = 0; k < 3; ++k) {
      domain.push_back(-1 - far + k);
      domain.push_back(far - k);
    }
    for (const std::int64_t divisor : {1, 2, 3, 5, 6, 7, 8, 10, 16, 31, 100, 1 << 30, INT32_MAX}) {
      check_by(type, divisor, domain, false);
      check_by(type, divisor, ir::range(0, 40), true);
    }
  }
}

}  // namespace tensordsl::lower
