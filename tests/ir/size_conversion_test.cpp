// SizeExprs and Exprs: the same text, the same values.
#include "ir/nodes/size_conversion.h"

#include <doctest/doctest.h>

#include <map>
#include <optional>
#include <random>
#include <string>

#include "base/scalar.h"
#include "ir/nodes/substitute.h"
#include "ir/operations/operations.h"
#include "ir/simplify/simplify.h"
#include "ir/text/parse.h"
#include "ir/text/print.h"
#include "tensordsl/error.h"

using namespace tensordsl;
using namespace tensordsl::ir;

namespace {

using Values = std::map<std::string, std::int64_t>;

/// Draws expressions that sizes can be: a Param's name says its type.
class RandomSizes {
 public:
  explicit RandomSizes(unsigned seed) : random_(seed) {}

  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  Type type() {
    constexpr Type kTypes[] = {Int(32), Int(32), Int(32), Int(64), UInt(32), UInt(8), Int(16), UInt(64)};
    return kTypes[below(std::size(kTypes))];
  }

  Expr leaf(Type type) {
    if (below(2) == 0) return make_int(type, below(40) - (type.is_uint() ? 0 : 12));
    return make_var(std::string(1, "abc"[below(3)]) + to_string(type), type);
  }

  Expr number(Type type, int depth) {
    if (depth == 0 || below(7) == 0) return leaf(type);
    const auto operand = [&] { return number(type, depth - 1); };
    constexpr ExprKind kKinds[] = {ExprKind::Add, ExprKind::Sub, ExprKind::Mul, ExprKind::Div,
                                   ExprKind::Mod, ExprKind::Min, ExprKind::Max};
    switch (below(10)) {
      case 0:
        return make_select(condition(depth - 1), operand(), operand());
      case 1: {
        const bool is_bool = below(4) == 0;
        return make_cast(type, is_bool ? condition(depth - 1) : number(this->type(), depth - 1));
      }
      case 2: {
        constexpr const char* kFunctions[] = {"bitwise_and", "bitwise_or", "bitwise_xor", "shift_left",
                                              "shift_right"};
        return make_intrinsic(type, kFunctions[below(5)], {operand(), operand()});
      }
      case 3:
        return make_intrinsic(type, below(2) == 0 ? "popcount" : "count_leading_zeros", {operand()});
      default:
        return make_binary(kKinds[below(std::size(kKinds))], operand(), operand());
    }
  }

  Expr condition(int depth) {
    constexpr ExprKind kComparisons[] = {ExprKind::Eq, ExprKind::Ne, ExprKind::Lt, ExprKind::Le};
    const Type compared = type();
    switch (depth == 0 ? 3 + below(2) : below(6)) {
      case 0:
        return make_binary(ExprKind::And, condition(depth - 1), condition(depth - 1));
      case 1:
        return make_binary(ExprKind::Or, condition(depth - 1), condition(depth - 1));
      case 2:
        return make_unary(ExprKind::Not, condition(depth - 1));
      case 3:
        return make_bool(below(2) == 0);
      default:
        return make_binary(kComparisons[below(4)], number(compared, depth == 0 ? 0 : depth - 1),
                           number(compared, depth == 0 ? 0 : depth - 1));
    }
  }

 private:
  std::mt19937 random_;
};

/// Computes by the operations of the IR, node by node; nothing where an i32 or i64 overflows.
std::optional<std::int64_t> value_of(const Expr& e, const Values& values) {
  if (e->kind == ExprKind::IntImm) return e->value;
  if (e->kind == ExprKind::Var) return scalar_of(e.type(), values.at(e->name.substr(0, 1))).i;
  if (e->kind == ExprKind::Select || e->kind == ExprKind::And || e->kind == ExprKind::Or) {
    const auto first = value_of((*e)[0], values);
    if (!first) return std::nullopt;
    if (e->kind == ExprKind::Select) return value_of((*e)[*first ? 1 : 2], values);
    if ((*first != 0) == (e->kind == ExprKind::Or)) return *first;
    return value_of((*e)[1], values);
  }
  Scalar operands[3] = {};
  for (std::size_t i = 0; i < e->operands.size(); ++i) {
    const auto operand = value_of((*e)[i], values);
    if (!operand) return std::nullopt;
    operands[i] = {.i = *operand};
  }
  const Type type = (*e)[0].type();
  if (type.is_int() && type.bits >= 32 && overflows(e->kind, type, operands[0].i, operands[1].i))
    return std::nullopt;
  const std::int64_t result = operation_of(*e)(operands[0], operands[1], operands[2]).i;
  // A cast to i32 is exact for sizes, where it wraps in kernels.
  if (e->kind == ExprKind::Cast && e.type().is_int() && e.type().bits >= 32 && result != operands[0].i)
    return std::nullopt;
  return result;
}

std::int64_t evaluated(const SizeExpr& size, const Values& values) {
  return size.evaluate([&](const std::string& name) {
    const Type type = parse_type(name.substr(1)).value();
    return scalar_of(type, values.at(name.substr(0, 1))).i;
  });
}

}  // namespace

TEST_CASE("sizes: random expressions keep their text, both ways") {
  RandomSizes random(1);
  for (int i = 0; i < 3000; ++i) {
    const Expr expr = i % 4 == 0 ? random.condition(4) : random.number(random.type(), 4);
    const std::string text = print(expr);
    CAPTURE(text);
    const SizeExpr size = to_size(expr);
    CHECK(to_string(size) == text);
    CHECK(SizeExpr::parse(text) == size);
    CHECK(same(to_expr(size), expr));
    CHECK(same(parse_expr(text), expr));
  }
}

TEST_CASE("sizes: random expressions have the values that the IR's operations give") {
  RandomSizes random(2);
  int compared = 0;
  for (int i = 0; i < 3000; ++i) {
    const Expr expr = i % 4 == 0 ? random.condition(4) : random.number(random.type(), 4);
    const SizeExpr size = to_size(expr);
    for (int draw = 0; draw < 8; ++draw) {
      const Values values{{"a", random.below(60) - 20}, {"b", random.below(9) - 4}, {"c", random.below(300)}};
      const auto expected = value_of(expr, values);
      if (!expected) continue;
      CAPTURE(print(expr));
      REQUIRE(evaluated(size, values) == *expected);
      ++compared;
    }
  }
  CHECK(compared > 15000);
}

TEST_CASE("sizes: a simplified size has the same values") {
  RandomSizes random(3);
  for (int i = 0; i < 1000; ++i) {
    const Expr expr = random.number(Int(32), 4);
    const Values values{{"a", random.below(60)}, {"b", random.below(9)}, {"c", random.below(300)}};
    const auto expected = value_of(expr, values);
    if (!expected) continue;
    CAPTURE(print(expr));
    CHECK(evaluated(to_size(simplify(expr)), values) == *expected);
  }
}

TEST_CASE("sizes: what is no expression of integers is refused") {
  const auto error_of = [](const Expr& expr) -> std::string {
    try {
      to_size(expr);
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  };
  const Expr n = make_var("n"), x = make_var("x", Float(32));
  CHECK(error_of(cast(Int(32), x) + n) == "\"i32(x:f32) + n\" is not an integer expression");
  CHECK(error_of(select(x < 0.5f, n, 1)) == "\"select(x:f32 < 0.5, n, 1)\" is not an integer expression");
  CHECK(error_of(make_load(Int(32), "a", {n})) == "\"a[n]\" is not an integer expression");
  CHECK(error_of(make_intrinsic(Int(32), "truncating_div", {n, n})) ==
        "\"truncating_div(n, n)\" is not an integer expression");
  CHECK(error_of(n + 1) == "none");
}
