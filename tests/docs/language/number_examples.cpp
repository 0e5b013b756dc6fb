// Types, and what arithmetic gives. `i32(-7)` is an element of type Int(32) that holds -7.
#include <cmath>

#include "docs/language/examples.h"
#include "docs/language/names.h"
#include "docs/value_table.h"

namespace tensordsl::docs {
namespace {

std::string meeting() {
  Operands o;
  const auto u8 = o.of(UInt(8)), i8 = o.of(Int(8)), u32 = o.of(UInt(32)), i32 = o.of(Int(32));
  const auto i64 = o.of(Int(64)), f16 = o.of(Float(16)), f32 = o.of(Float(32));
  return o.table({TENSORDSL_VALUE(u8(200) + u8(100)), TENSORDSL_VALUE(u8(200) + i32(100)),
                  TENSORDSL_VALUE(i32(2) * i64(3)), TENSORDSL_VALUE(i64(2) * f32(0.5)),
                  TENSORDSL_VALUE(f16(2) * f16(0.5)), TENSORDSL_VALUE((i32(3) > 2) + u8(1)),
                  TENSORDSL_VALUE(u8(200) + i8(1)), TENSORDSL_VALUE(u8(200) < i8(0)),
                  TENSORDSL_VALUE(u32(4294967295) < i32(0))});
}

std::string literals() {
  Operands o;
  const auto u8 = o.of(UInt(8)), f32 = o.of(Float(32));
  return o.table({TENSORDSL_VALUE(u8(7) + 1), TENSORDSL_VALUE(u8(7) + 300), TENSORDSL_VALUE(u8(7) - 8),
                  TENSORDSL_VALUE(u8(7) + -8), TENSORDSL_VALUE(u8(7) * 0.5), TENSORDSL_VALUE(f32(7) / 2),
                  TENSORDSL_VALUE(f32(7) * (1 / 2)), TENSORDSL_VALUE(Expr(0.1)), TENSORDSL_VALUE(Expr(3L))});
}

std::string doubles() {
  Operands o;
  const auto f32 = o.of(Float(32)), f64 = o.of(Float(64));
  return o.table({TENSORDSL_VALUE(f64(1) * 0.1), TENSORDSL_VALUE(cast(Float(64), 0.1)),
                  TENSORDSL_VALUE(cast(Float(64), f32(0.1))), TENSORDSL_VALUE(f64(1) / 3),
                  TENSORDSL_VALUE(f64(1) + f32(0.5))});
}

std::string division() {
  Operands o;
  const auto u8 = o.of(UInt(8)), i8 = o.of(Int(8)), i32 = o.of(Int(32)), f32 = o.of(Float(32));
  return o.table({TENSORDSL_VALUE(i32(7) / 2), TENSORDSL_VALUE(i32(-7) / 2), TENSORDSL_VALUE(i32(7) / -2),
                  TENSORDSL_VALUE(i32(-7) / -2), TENSORDSL_VALUE(i32(7) % 2), TENSORDSL_VALUE(i32(-7) % 2),
                  TENSORDSL_VALUE(i32(7) % -2), TENSORDSL_VALUE(i32(-7) % -2),
                  TENSORDSL_VALUE(i32(7) / i32(0)), TENSORDSL_VALUE(i32(7) % i32(0)),
                  TENSORDSL_VALUE(u8(7) / u8(0)), TENSORDSL_VALUE(i8(-128) / i8(-1)),
                  TENSORDSL_VALUE(i8(-128) % i8(-1)), TENSORDSL_VALUE(trunc(f32(-7) / 2)),
                  TENSORDSL_VALUE(f32(7) / f32(0)), TENSORDSL_VALUE(f32(-7) / f32(0)),
                  TENSORDSL_VALUE(f32(0) / f32(0))});
}

std::string overflow() {
  Operands o;
  const auto u8 = o.of(UInt(8)), i8 = o.of(Int(8)), u32 = o.of(UInt(32)), i16 = o.of(Int(16));
  return o.table({TENSORDSL_VALUE(u8(255) + u8(1)), TENSORDSL_VALUE(u8(0) - u8(1)),
                  TENSORDSL_VALUE(i8(127) + i8(1)), TENSORDSL_VALUE(i16(300) * i16(300)),
                  TENSORDSL_VALUE(-u32(1)), TENSORDSL_VALUE(-i8(-128)), TENSORDSL_VALUE(abs(i8(-128))),
                  TENSORDSL_VALUE(abs_diff(i8(-128), i8(127))),
                  TENSORDSL_VALUE(cast<int>(u8(200)) + cast<int>(u8(100)))});
}

std::string bits() {
  Operands o;
  const auto u8 = o.of(UInt(8)), i32 = o.of(Int(32)), u32 = o.of(UInt(32));
  return o.table({TENSORDSL_VALUE(i32(12) & 10), TENSORDSL_VALUE(i32(12) | 10), TENSORDSL_VALUE(i32(12) ^ 10),
                  TENSORDSL_VALUE(~i32(12)), TENSORDSL_VALUE(~u8(12)), TENSORDSL_VALUE(u8(200) << 1),
                  TENSORDSL_VALUE(i32(-7) >> 1), TENSORDSL_VALUE(u32(4294967295) >> 28),
                  TENSORDSL_VALUE(u32(1) << i32(33)), TENSORDSL_VALUE(u32(1) << i32(-1)),
                  TENSORDSL_VALUE(u8(1) << i32(9)), TENSORDSL_VALUE(popcount(u8(255))),
                  TENSORDSL_VALUE(count_leading_zeros(u8(1))), TENSORDSL_VALUE(count_leading_zeros(i32(0)))});
}

std::string casts() {
  Operands o;
  const auto i32 = o.of(Int(32)), f32 = o.of(Float(32));
  return o.table({TENSORDSL_VALUE(cast<std::uint8_t>(i32(300))), TENSORDSL_VALUE(cast<std::uint8_t>(i32(-1))),
                  TENSORDSL_VALUE(saturating_cast<std::uint8_t>(i32(300))),
                  TENSORDSL_VALUE(saturating_cast<std::uint8_t>(i32(-1))),
                  TENSORDSL_VALUE(cast<int>(f32(2.9))), TENSORDSL_VALUE(cast<int>(f32(-2.9))),
                  TENSORDSL_VALUE(cast<int>(f32(3e9))), TENSORDSL_VALUE(cast<std::uint8_t>(f32(-5))),
                  TENSORDSL_VALUE(cast<std::int8_t>(f32(INFINITY))), TENSORDSL_VALUE(cast<int>(f32(NAN))),
                  TENSORDSL_VALUE(cast<bool>(i32(2))), TENSORDSL_VALUE(cast<bool>(f32(0.5))),
                  TENSORDSL_VALUE(cast<bool>(f32(NAN))), TENSORDSL_VALUE(cast<int>(i32(3) > 2)),
                  TENSORDSL_VALUE(cast<float>(i32(16777217)))});
}

std::string reinterpretations() {
  Operands o;
  const auto i32 = o.of(Int(32)), u16 = o.of(UInt(16)), f32 = o.of(Float(32)), f16 = o.of(Float(16));
  return o.table(
      {TENSORDSL_VALUE(reinterpret<int>(f32(1))), TENSORDSL_VALUE(reinterpret<std::uint32_t>(f32(-0.0))),
       TENSORDSL_VALUE(reinterpret<float>(i32(1078530011))), TENSORDSL_VALUE(reinterpret<float>(i32(1))),
       TENSORDSL_VALUE(reinterpret<std::uint16_t>(f16(0.1))),
       TENSORDSL_VALUE(reinterpret(Float(16), u16(31744)))});
}

std::string halves() {
  Operands o;
  const auto f16 = o.of(Float(16)), f32 = o.of(Float(32));
  return o.table({TENSORDSL_VALUE(f16(0.1)), TENSORDSL_VALUE(f16(0.1) + f16(0.2)),
                  TENSORDSL_VALUE(cast(Float(16), f16(0.1) + f16(0.2))), TENSORDSL_VALUE(f16(65504) * 2),
                  TENSORDSL_VALUE(cast(Float(16), f32(65519))), TENSORDSL_VALUE(cast(Float(16), f32(65520))),
                  TENSORDSL_VALUE(cast(Float(16), f32(2049))), TENSORDSL_VALUE(cast(Float(16), f32(6e-8)))});
}

std::string not_numbers() {
  Operands o;
  const auto f32 = o.of(Float(32)), i32 = o.of(Int(32));
  return o.table({TENSORDSL_VALUE(f32(NAN) == f32(NAN)), TENSORDSL_VALUE(f32(NAN) != f32(NAN)),
                  TENSORDSL_VALUE(f32(NAN) < 1.0f), TENSORDSL_VALUE(!(f32(NAN) < 1.0f)),
                  TENSORDSL_VALUE(min(f32(NAN), 2.0f)), TENSORDSL_VALUE(max(2.0f, f32(NAN))),
                  TENSORDSL_VALUE(max(f32(NAN), f32(NAN))), TENSORDSL_VALUE(clamp(f32(NAN), 0.0f, 1.0f)),
                  TENSORDSL_VALUE(clamp(f32(INFINITY), 0.0f, 1.0f)), TENSORDSL_VALUE(f32(NAN) * 0.0f),
                  TENSORDSL_VALUE(f32(INFINITY) - f32(INFINITY)), TENSORDSL_VALUE(f32(-0.0) == 0.0f),
                  TENSORDSL_VALUE(1.0f / f32(-0.0)), TENSORDSL_VALUE(is_nan(f32(NAN))),
                  TENSORDSL_VALUE(is_inf(f32(-INFINITY))), TENSORDSL_VALUE(is_finite(f32(NAN))),
                  TENSORDSL_VALUE(is_nan(i32(1))), TENSORDSL_VALUE(select(f32(NAN) < 0.0f, 1, 2))});
}

std::string rounding() {
  Operands o;
  const auto f32 = o.of(Float(32)), i32 = o.of(Int(32));
  return o.table({TENSORDSL_VALUE(round(f32(2.5))), TENSORDSL_VALUE(round(f32(3.5))),
                  TENSORDSL_VALUE(round(f32(-2.5))), TENSORDSL_VALUE(floor(f32(-1.5))),
                  TENSORDSL_VALUE(ceil(f32(-1.5))), TENSORDSL_VALUE(trunc(f32(-1.5))),
                  TENSORDSL_VALUE(floor(i32(3))), TENSORDSL_VALUE(f32(-7) - floor(f32(-7) / 2) * 2),
                  TENSORDSL_VALUE(sqrt(f32(9))), TENSORDSL_VALUE(sqrt(f32(-1))), TENSORDSL_VALUE(log(f32(0))),
                  TENSORDSL_VALUE(exp(f32(1000))), TENSORDSL_VALUE(pow(f32(0), f32(0))),
                  TENSORDSL_VALUE(abs(f32(-1.5))), TENSORDSL_VALUE(abs_diff(f32(1), f32(2.5)))});
}

}  // namespace

std::vector<DocumentExample> number_examples() {
  constexpr bool kIsTable = true;
  return {{"meeting", meeting, kIsTable},
          {"literals", literals, kIsTable},
          {"doubles", doubles, kIsTable},
          {"division", division, kIsTable},
          {"overflow", overflow, kIsTable},
          {"bits", bits, kIsTable},
          {"reinterpretations", reinterpretations, kIsTable},
          {"casts", casts, kIsTable},
          {"halves", halves, kIsTable},
          {"not_numbers", not_numbers, kIsTable},
          {"rounding", rounding, kIsTable}};
}

}  // namespace tensordsl::docs
