// Numbers by their bits: text, types, values and identities.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "ir/analyze/verify.h"
#include "ir/nodes/reinterpret.h"
#include "ir/operations/operations.h"
#include "ir/simplify/simplify.h"
#include "ir/text/parse.h"
#include "ir/text/print.h"

namespace tensordsl::ir {

namespace {

Scalar of_bits(Type to, Type from, Scalar value) { return find_reinterpretation(to, from)(value, {}, {}); }

std::string simplified(std::string_view text) { return print(simplify(parse_expr(text))); }

}  // namespace

TEST_CASE("reinterpret: the text has the type where it is another than the operand's") {
  for (const char* text :
       {"reinterpret(x:f32):i32", "reinterpret(x:u16x4):f16x4", "reinterpret(n:u64):f64"}) {
    CHECK(print(parse_expr(text)) == text);
    CHECK_NOTHROW(verify(parse_expr(text)));
  }
  CHECK_THROWS_WITH(verify(parse_expr("reinterpret(x:f32):i64")),
                    "verify: reinterpret must keep the number of bits, in: reinterpret(x:f32):i64");
  CHECK_THROWS_WITH(verify(parse_expr("reinterpret(x:bool):u8")),
                    "verify: reinterpret must keep the number of bits, in: reinterpret(x:bool):u8");
}

TEST_CASE("reinterpret: a number has the bits that IEEE 754 and two's complement say") {
  CHECK(of_bits(Int(32), Float(32), {.f = 1}).i == 0x3f800000);
  CHECK(of_bits(UInt(32), Float(32), {.f = -0.0}).i == 0x80000000);
  CHECK(of_bits(Int(32), Float(32), {.f = -0.0}).i == std::numeric_limits<std::int32_t>::min());
  CHECK(of_bits(Float(32), Int(32), {.i = 1}).f == std::numeric_limits<float>::denorm_min());
  CHECK(of_bits(Float(32), UInt(32), {.i = 0xff800000}).f == -std::numeric_limits<double>::infinity());
  CHECK(std::isnan(of_bits(Float(32), Int(32), {.i = 0x7fc00000}).f));
  CHECK(of_bits(UInt(16), Float(16), {.f = 65504}).i == 0x7bff);
  CHECK(of_bits(Int(16), Float(16), {.f = -2}).i == -16384);
  CHECK(of_bits(Float(16), Int(16), {.i = 0x0001}).f == 0x1p-24);
  CHECK(of_bits(Int(64), Float(64), {.f = 0.5}).i == 0x3fe0000000000000);
  CHECK(of_bits(Float(64), UInt(64), {.i = -1}).i != 0);
  CHECK(of_bits(UInt(8), Int(8), {.i = -1}).i == 255);
  CHECK((find_reinterpretation(Float(32), Float(64)) == nullptr));
  CHECK((find_reinterpretation(UInt(8), Bool()) == nullptr));
}

TEST_CASE("reinterpret: bits of bits are those of the number, and constants are folded") {
  CHECK(simplified("reinterpret(reinterpret(x:f32):i32):f32") == "x:f32");
  CHECK(simplified("reinterpret(reinterpret(x:u32):f32):u32") == "x:u32");
  CHECK(simplified("reinterpret(reinterpret(x:u32):f32):i32") == "i32(x:u32)");
  CHECK(simplified("reinterpret(reinterpret(x:u16x2):f16x2):i16x2") == "i16(x:u16x2)");
  CHECK(simplified("reinterpret(1.5):i32") == "1069547520");
  CHECK(simplified("reinterpret(1065353216):f32") == "1.0");
  // A NaN has no literal.
  CHECK(simplified("reinterpret(2143289344):f32") == "reinterpret(2143289344):f32");
  CHECK(simplified("reinterpret(x:f32):i32 + 0") == "reinterpret(x:f32):i32");
}

}  // namespace tensordsl::ir
