// Literals, bits, and functions of numbers: the types that they give, and the values, from the interpreter.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "ir/nodes/expr_node.h"
#include "ir/text/print.h"
#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"
#include "support/error_text.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

const Var x("x");

Expr variable(Type type) { return ir::make_var("a", type); }

/// The value of an expression, as a buffer of one element.
Buffer result_of(const Expr& e) {
  Func f("f");
  f(x) = e;
  return runtime::interpret(f.shared(), {1}, {});
}
double number(const Expr& e) { return result_of(e).get(0); }
std::int64_t integer(const Expr& e) { return result_of(e).get_int(0); }

/// An expression that is not constant, so that it is not taken as a literal.
Expr at(Type type, std::int64_t value) { return cast(type, x) + ir::make_int(type, value); }

}  // namespace

TEST_CASE("numbers: a literal has the type that it has in C++, and a double is an f32") {
  CHECK(Expr(true).type() == Bool());
  CHECK(Expr(std::int8_t{1}).type() == Int(8));
  CHECK(Expr(std::uint8_t{1}).type() == UInt(8));
  CHECK(Expr(std::int16_t{1}).type() == Int(16));
  CHECK(Expr(std::uint16_t{1}).type() == UInt(16));
  CHECK(Expr(1).type() == Int(32));
  CHECK(Expr(1U).type() == UInt(32));
  CHECK(Expr(1L).type() == Int(64));
  CHECK(Expr(1LL).type() == Int(64));
  CHECK(Expr(std::size_t{1}).type() == UInt(64));
  CHECK(Expr(1.0f).type() == Float(32));
  CHECK(Expr(1.0).type() == Float(32));
  CHECK(type_of<long double>() == Float(64));
}

TEST_CASE("numbers: a literal takes the type of the other operand if its value survives there") {
  CHECK(to_string(variable(Int(32)) + std::size_t{7}) == "a + 7");
  CHECK(to_string(variable(UInt(32)) + 7) == "a:u32 + 7:u32");
  CHECK(to_string(variable(UInt(32)) + -1) == "i32(a:u32) + -1");
  CHECK(to_string(variable(UInt(64)) + std::int64_t{-1}) == "i64(a:u64) + -1:i64");
  CHECK(to_string(variable(Int(64)) + UINT64_MAX) == "a:i64 + i64(18446744073709551615:u64)");
  CHECK(to_string(variable(UInt(64)) + UINT64_MAX) == "a:u64 + 18446744073709551615:u64");
  CHECK(to_string(variable(UInt(16)) * 65535) == "a:u16*65535:u16");
  CHECK(to_string(variable(Float(32)) + UINT64_MAX) == "a:f32 + 1.8446744e+19");
}

TEST_CASE("numbers: a double keeps its digits beside an f64, and is rounded elsewhere") {
  CHECK(to_string(variable(Float(64)) * 0.1) == "a:f64*0.1:f64");
  CHECK(to_string(cast(Float(64), 0.1)) == "0.1:f64");
  CHECK(to_string(variable(Float(32)) * 0.1) == "a:f32*0.1");
  Func f("f");
  f(x) = 0.1;
  CHECK(f.type() == Float(32));
  CHECK(same(f.contents().definitions[0].value(), Expr(0.1f)));
  CHECK(number(cast(Float(64), x) + 0.1) == 0.1);
  CHECK(number(cast(Float(64), 1) / 3) == 1.0 / 3);
  CHECK(number(sqrt(cast(Float(64), x + 2))) == std::sqrt(2.0));
}

TEST_CASE("numbers: f64 meets everything at f64, and f16 by way of f32") {
  for (const Type type : {Bool(), Int(8), UInt(64), Float(16), Float(32)})
    CHECK((variable(type) + ir::make_var("b", Float(64))).type() == Float(64));
  CHECK(to_string(cast(Float(16), variable(Float(64)))) == "f16(f32(a:f64))");
  CHECK(to_string(cast(Float(64), variable(Float(16)))) == "f64(f32(a:f16))");
}

TEST_CASE("numbers: unsigned arithmetic wraps") {
  CHECK(integer(at(UInt(16), 1) - 2) == 65535);
  CHECK(integer(at(UInt(32), 1) - 2) == 4294967295);
  CHECK(integer(at(UInt(64), 1) - 2) == -1);  // its bits
  CHECK(integer(at(UInt(16), 65535) * at(UInt(16), 65535)) == 1);
  CHECK(integer(at(UInt(64), -1) / 2) == INT64_MAX);
  CHECK(integer(cast(Bool(), at(UInt(64), -1) > at(UInt(64), 1))) == 1);
  CHECK(integer(at(UInt(32), 4294967295) % 10) == 5);
}

TEST_CASE("numbers: operators on bits") {
  CHECK(integer(at(Int(32), 12) & 10) == 8);
  CHECK(integer(at(Int(32), 12) | 10) == 14);
  CHECK(integer(at(Int(32), 12) ^ 10) == 6);
  CHECK(integer(~at(Int(32), 12)) == -13);
  CHECK(integer(~at(UInt(8), 12)) == 243);
  CHECK(integer(at(UInt(8), 200) << 1) == 144);
  CHECK(integer(at(Int(8), 100) << 1) == -56);
  CHECK(integer(at(Int(32), -7) >> 1) == -4);
  CHECK(integer(at(UInt(32), 0x80000000) >> 31) == 1);
  CHECK(integer(at(Int(32), 1) << at(Int(32), 33)) == 2);  // 33 modulo 32
  CHECK(integer(at(UInt(8), 1) << at(Int(32), 9)) == 2);
  CHECK(integer(popcount(at(Int(8), -1))) == 8);
  CHECK(integer(count_leading_zeros(at(UInt(16), 1))) == 15);
  CHECK(integer(count_leading_zeros(at(Int(64), 0))) == 64);
}

TEST_CASE("numbers: shifts of indices are quotients and multiples, which bounds are known of") {
  CHECK(to_string(variable(Int(32)) >> 2) == "a/4");
  CHECK(to_string(variable(Int(32)) << 2) == "a*4");
  CHECK(to_string(variable(UInt(32)) << 2) == "shift_left(a:u32, 2:u32)");
  const Input table("table", Int(32), {4}), in("in", Int(32), {8});
  Func f("f");
  f(x) = table(in(x)&3) + table((x >> 1)) + table(count_leading_zeros(in(x)) >> 4);
  f.bound({8});
  CHECK_NOTHROW(Pipeline(f).compile());
}

TEST_CASE("numbers: saturating casts") {
  CHECK(integer(saturating_cast(UInt(8), at(Int(32), 300))) == 255);
  CHECK(integer(saturating_cast(UInt(8), at(Int(32), -300))) == 0);
  CHECK(integer(saturating_cast<std::int16_t>(at(UInt(64), -1))) == 32767);
  CHECK(integer(saturating_cast<std::int64_t>(at(UInt(64), -1))) == INT64_MAX);
  CHECK(integer(saturating_cast<std::uint64_t>(at(Int(64), -5))) == 0);
  CHECK(integer(saturating_cast<std::int8_t>(cast(Float(32), x) - 1000.0f)) == -128);
  CHECK(integer(cast<std::uint8_t>(at(Int(32), 300))) == 44);
  CHECK(to_string(saturating_cast(Int(64), variable(UInt(32)))) == "i64(a:u32)");
}

TEST_CASE("numbers: bits of a number of another type") {
  CHECK(integer(reinterpret<std::int32_t>(cast(Float(32), x) + 1.0f)) == 0x3f800000);
  CHECK(number(reinterpret<float>(at(Int(32), 0x40490fdb))) == doctest::Approx(3.14159274));
  CHECK(number(reinterpret(Float(16), at(UInt(16), 0x3c00))) == 1);
  CHECK(integer(reinterpret(Int(64), cast(Float(64), x) - 2.0f)) == -0x4000000000000000);
  CHECK(reinterpret(Int(32), variable(Float(32))).type() == Int(32));
  CHECK(to_string(reinterpret(UInt(32), variable(Int(32)))) == "u32(a)");
  CHECK(to_string(reinterpret(Float(32), variable(Float(32)))) == "a:f32");
  CHECK(error_of([] { reinterpret(Int(64), variable(Float(32))); }) ==
        "reinterpret: f32 has 32 bits, but i64 has 64; cast to a type with the same number of bits first");
  CHECK(error_of([] { reinterpret(UInt(8), variable(Bool())); }) ==
        "reinterpret: the bits of a bool are unspecified; use cast");
  CHECK(error_of([] { reinterpret(Bool(), variable(Int(8))); }) ==
        "reinterpret: the bits of a bool are unspecified; use cast");
  CHECK(error_of([] { reinterpret(Float(32), Expr()); }).starts_with("reinterpret: "));
  CHECK(error_of([] {
          reinterpret(Int(4), variable(Int(8)));
        }).starts_with("reinterpret: unsupported type; the types are "));
}

TEST_CASE("numbers: differences, and what is no number") {
  CHECK(integer(abs_diff(at(Int(8), -128), at(Int(8), 127))) == 255);
  CHECK(abs_diff(variable(Int(8)), 3).type() == UInt(8));
  CHECK(integer(absd(at(UInt(16), 3), at(UInt(16), 5))) == 2);
  CHECK(number(abs_diff(Expr(1.5f), cast(Float(32), x))) == 1.5);
  const Expr nan = sqrt(cast(Float(32), x) - 1.0f), infinity = 1.0f / cast(Float(32), x);
  CHECK(integer(is_nan(nan)) == 1);
  CHECK(integer(is_nan(infinity)) == 0);
  CHECK(integer(is_inf(-infinity)) == 1);
  CHECK(integer(is_inf(nan)) == 0);
  CHECK(integer(is_finite(nan) || is_finite(infinity)) == 0);
  CHECK(integer(is_finite(cast(Float(16), x))) == 1);
  CHECK(integer(is_nan(x)) == 0);
  CHECK(number(atan2(Expr(1.0f), Expr(-1.0f))) == doctest::Approx(2.35619449));
  CHECK(number(exp2(cast(Float(32), x + 5))) == 32);
  CHECK(number(log2(cast(Float(32), x + 8))) == 3);
  CHECK(number(trunc(cast(Float(32), x) - 1.5f)) == -1);
  CHECK(number(fmod(cast(Float(32), x) - 7, 2)) == -1);
  CHECK(number(asinh(cast(Float(32), x) + 1)) == doctest::Approx(0.88137359));
  CHECK(number(acosh(cast(Float(32), x) + 2)) == doctest::Approx(1.31695790));
  CHECK(number(atanh(cast(Float(32), x) + 0.5f)) == doctest::Approx(0.54930614));
  CHECK(number(log1p(cast(Float(32), x) + 0x1p-30f)) == 0x1p-30);
  CHECK(number(fma(cast(Float(32), x) + (1 + 0x1p-12f), 1 + 0x1p-12f, -(1 + 0x1p-11f))) == 0x1p-24);
}

TEST_CASE("numbers: operators say what they do not take") {
  const auto refusal = [](auto&& build) { return error_of([&] { build(); }); };
  const Expr f = variable(Float(32)), i = variable(Int(32)), b = variable(Bool());
  CHECK(refusal([&] { f& i; }) == "operator&: needs integers, found f32; cast it");
  CHECK(refusal([&] { i | b; }) == "operator|: needs integers, found bool; use && or ||, or cast it");
  CHECK(refusal([&] { i << f; }) == "operator<<: needs integers, found f32; cast it");
  CHECK(refusal([&] { ~b; }) == "operator~: needs integers, found bool; use && or ||, or cast it");
  CHECK(refusal([&] { popcount(f); }) == "popcount: needs integers, found f32; cast it");
  CHECK(refusal([&] { i ^ Expr(); }) ==
        "operator^: an operand is undefined; assign the Expr before using it");
  CHECK(refusal([&] { abs_diff(b, b); }) == "abs_diff: bool has no arithmetic; cast to Int(32)");
}

TEST_CASE("numbers: updates by -= and /=, and indices in braces") {
  const Input in("in", Float(32), {4});
  const RDom r({{0, 4}}, "r");
  Func sum("sum"), quotient("quotient"), back("back");
  const Var y("y");
  sum({x}) -= in(r);
  quotient({x}) /= in(r);
  back({x, y}) = sum({x}) + quotient({x}) + in({y});
  Buffer data(Float(32), {4});
  for (int i = 0; i < 4; ++i) data.set(i, i + 1);
  CHECK(runtime::interpret(sum.shared(), {1}, {{{"in", data}}, {}}).get(0) == -10);
  CHECK(runtime::interpret(quotient.shared(), {1}, {{{"in", data}}, {}}).get(0) == doctest::Approx(1.0 / 24));
  CHECK(back.rank() == 2);
  const Var part("part");
  CHECK_NOTHROW(sum.update().split_k(r[0], 2, part));
}

}  // namespace tensordsl
