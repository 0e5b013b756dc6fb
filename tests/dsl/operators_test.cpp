// Tests the result types of operators by the types of their operands.
#include <doctest/doctest.h>

#include <functional>

#include "ir/nodes/expr_node.h"
#include "ir/text/print.h"
#include "tensordsl/error.h"
#include "tensordsl/expr.h"
#include "tensordsl/type.h"

namespace tensordsl {
namespace {

Expr value(Type type) { return ir::make_var("a_" + to_string(type), type); }

using Operator = std::function<Expr(Expr, Expr)>;

}  // namespace

TEST_CASE(
    "arithmetic meets at the wider type: float before integer, more bits before fewer, signed before "
    "unsigned") {
  const std::vector<Type> types{Float(32), Float(16), Int(64), Int(32), Int(8), UInt(8), Bool()};
  // The type of row + column, in the order of `types`; bool + bool has none.
  const char* table[7][7] = {
      {"f32", "f32", "f32", "f32", "f32", "f32", "f32"},  //
      {"f32", "f32", "f32", "f32", "f32", "f32", "f32"},  //
      {"f32", "f32", "i64", "i64", "i64", "i64", "i64"},  //
      {"f32", "f32", "i64", "i32", "i32", "i32", "i32"},  //
      {"f32", "f32", "i64", "i32", "i8", "i8", "i8"},     //
      {"f32", "f32", "i64", "i32", "i8", "u8", "u8"},     //
      {"f32", "f32", "i64", "i32", "i8", "u8", nullptr},
  };
  const std::vector<Operator> operators{
      [](Expr a, Expr b) { return a + b; },     [](Expr a, Expr b) { return a - b; },
      [](Expr a, Expr b) { return a * b; },     [](Expr a, Expr b) { return a / b; },
      [](Expr a, Expr b) { return min(a, b); }, [](Expr a, Expr b) { return max(a, b); }};
  for (std::size_t row = 0; row < types.size(); ++row) {
    for (std::size_t column = 0; column < types.size(); ++column) {
      if (!table[row][column]) continue;
      INFO(to_string(types[row]), " with ", to_string(types[column]));
      for (const Operator& f : operators) {
        CHECK(to_string(f(value(types[row]), value(types[column])).type()) == table[row][column]);
      }
    }
  }
}

TEST_CASE("both operands of an operator are cast to the type they meet at") {
  CHECK(to_string(value(Int(8)) + value(Int(32))) == "i32(a_i8:i8) + a_i32");
  CHECK(to_string(value(Float(16)) * value(Int(32))) == "f32(a_f16:f16)*f32(a_i32)");
  CHECK(to_string(value(UInt(8)) < value(Int(8))) == "i8(a_u8:u8) < a_i8:i8");
}

TEST_CASE("a constant takes the other operand's type if its value survives there") {
  CHECK(to_string(value(Int(8)) + 5) == "a_i8:i8 + 5:i8");
  CHECK(to_string(value(UInt(8)) + -1) == "i32(a_u8:u8) + -1");
  CHECK(to_string(value(Int(8)) + 300) == "i32(a_i8:i8) + 300");
  CHECK(to_string(value(Float(32)) * 2) == "a_f32:f32*2.0");
  CHECK(to_string(value(Float(16)) * 2) == "f32(a_f16:f16)*2.0");
  CHECK(to_string(value(Int(32)) + 0.5) == "f32(a_i32) + 0.5");
  CHECK(to_string(value(Int(32)) + Expr(std::int64_t{7})) == "a_i32 + 7");
  CHECK(to_string(value(Int(64)) + 7) == "a_i64:i64 + 7:i64");
  CHECK(to_string(1.5f + value(Int(64))) == "1.5 + f32(a_i64:i64)");
  CHECK((Expr(2) * Expr(0.5)).type() == Float(32));
}

TEST_CASE("comparisons give bool, and > and >= turn their operands round") {
  const Expr a = value(Int(32)), b = value(Float(32));
  CHECK(to_string(a < b) == "f32(a_i32) < a_f32:f32");
  CHECK(to_string(a > b) == "a_f32:f32 < f32(a_i32)");
  CHECK(to_string(a >= b) == "a_f32:f32 <= f32(a_i32)");
  for (const Expr& e :
       {a<b, a <= b, a> b, a >= b, a == b, a != b, !(a < b), a < b && a == b, a < b || a != b}) {
    CHECK(e.type() == Bool());
  }
  CHECK((value(Bool()) == value(Bool())).type() == Bool());
}

TEST_CASE("select meets its two sides and keeps its condition") {
  const Expr e = select(value(Bool()), value(Int(8)), value(Float(32)));
  CHECK(to_string(e) == "select(a_bool:bool, f32(a_i8:i8), a_f32:f32)");
  CHECK(select(value(Bool()), value(Bool()), value(Bool())).type() == Bool());
}

TEST_CASE("f16 is a storage type: what computes with it computes in f32") {
  const Expr h = value(Float(16));
  for (const Expr& e : {h + h, -h, min(h, h), abs(h), exp(h), pow(h, h), select(value(Bool()), h, h)}) {
    CHECK(e.type() == Float(32));
  }
  CHECK(cast(Float(16), value(Float(32))).type() == Float(16));
}

TEST_CASE("math functions compute in f32 whatever they are given") {
  for (const Type type : {Float(32), Float(16), Int(64), Int(32), Int(8), UInt(8)}) {
    const Expr x = value(type);
    for (const Expr& e : {exp(x), log(x), sqrt(x), rsqrt(x), tanh(x), erf(x), erfc(x), sin(x), cos(x),
                          floor(x), ceil(x), round(x), pow(x, x)}) {
      CHECK(e.type() == Float(32));
    }
  }
  CHECK(to_string(exp(value(Int(32)))) == "exp(f32(a_i32))");
  CHECK(to_string(pow(value(Float(32)), value(Float(32)))) == "pow(a_f32:f32, a_f32:f32)");
}

TEST_CASE("abs keeps the type") {
  CHECK(to_string(abs(value(Int(32)))) == "max(a_i32, 0 - a_i32)");
  CHECK(to_string(abs(value(UInt(8)))) == "a_u8:u8");
  CHECK(to_string(abs(value(Float(32)))) == "abs(a_f32:f32)");
}

TEST_CASE("negation of a float is -0 - x, so that it keeps the sign of zero") {
  CHECK(to_string(-value(Float(32))) == "-0.0 - a_f32:f32");
  CHECK(to_string(-value(Int(8))) == "0:i8 - a_i8:i8");
}

TEST_CASE("clamp is a minimum of a maximum") {
  CHECK(to_string(clamp(value(Int(32)), 0, 9)) == "min(max(a_i32, 0), 9)");
}

TEST_CASE("a cast to the type a value has is the value itself") {
  const Expr x = value(Float(32));
  CHECK(cast(Float(32), x).get() == x.get());
  CHECK(to_string(cast(UInt(8), x)) == "u8(a_f32:f32)");
}

TEST_CASE("an operator on an undefined operand names the operator") {
  const Expr none, x = value(Int(32));
  const auto text = [](const char* name) {
    return std::string(name) + ": an operand is undefined; assign the Expr before using it";
  };
  const std::vector<std::pair<const char*, Operator>> binary{
      {"operator+", [](Expr a, Expr b) { return a + b; }},
      {"operator-", [](Expr a, Expr b) { return a - b; }},
      {"operator*", [](Expr a, Expr b) { return a * b; }},
      {"operator/", [](Expr a, Expr b) { return a / b; }},
      {"operator%", [](Expr a, Expr b) { return a % b; }},
      {"operator<", [](Expr a, Expr b) { return a < b; }},
      {"operator<=", [](Expr a, Expr b) { return a <= b; }},
      {"operator>", [](Expr a, Expr b) { return a > b; }},
      {"operator>=", [](Expr a, Expr b) { return a >= b; }},
      {"operator==", [](Expr a, Expr b) { return a == b; }},
      {"operator!=", [](Expr a, Expr b) { return a != b; }},
      {"operator&&", [](Expr a, Expr b) { return a && b; }},
      {"operator||", [](Expr a, Expr b) { return a || b; }},
      {"min", [](Expr a, Expr b) { return min(a, b); }},
      {"max", [](Expr a, Expr b) { return max(a, b); }},
      {"pow", [](Expr a, Expr b) { return pow(a, b); }},
      {"select", [](Expr a, Expr b) { return select(value(Bool()), a, b); }}};
  for (const auto& [name, f] : binary) {
    CHECK_THROWS_WITH_AS(f(none, x), text(name).c_str(), DefinitionError);
    CHECK_THROWS_WITH_AS(f(x, none), text(name).c_str(), DefinitionError);
  }
  CHECK_THROWS_WITH_AS(-none, text("operator-").c_str(), DefinitionError);
  CHECK_THROWS_WITH_AS(!none, text("operator!").c_str(), DefinitionError);
  CHECK_THROWS_WITH_AS(exp(none), text("exp").c_str(), DefinitionError);
  CHECK_THROWS_WITH_AS(abs(none), text("abs").c_str(), DefinitionError);
  CHECK_THROWS_WITH_AS(cast(Int(32), none), text("cast").c_str(), DefinitionError);
  CHECK_THROWS_WITH_AS(select(none, x, x), text("select").c_str(), DefinitionError);
}

TEST_CASE("an operator that its operands' types do not have says what to use instead") {
  const Expr f = value(Float(32)), i = value(Int(32)), b = value(Bool());
  CHECK_THROWS_WITH_AS(b + b, "operator+: bool has no arithmetic; use select, && or ||, or cast to Int(32)",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(min(b, b), "min: bool has no arithmetic; use select, && or ||, or cast to Int(32)",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(-b, "operator-: bool has no arithmetic; use select, && or ||, or cast to Int(32)",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(abs(b), "abs: bool has no arithmetic; cast to Int(32)", DefinitionError);
  CHECK_THROWS_WITH_AS(f % f, "operator%: needs integers, found f32; use x - floor(x / y) * y",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(i && b, "operator&&: needs two bools, found i32 and bool; compare with 0 first",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(b || f, "operator||: needs two bools, found bool and f32; compare with 0 first",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(!i, "operator!: needs a bool, found i32; compare with 0 first", DefinitionError);
  CHECK_THROWS_WITH_AS(select(i, f, f),
                       "select: the condition must be a bool, found i32; compare it with something",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(
      cast(Int(4), i),
      "cast: unsupported type; the types are f16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64 "
      "and bool",
      DefinitionError);
}

}  // namespace tensordsl
