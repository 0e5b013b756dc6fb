// The functions an Intrinsic node may name, and what they mean.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace tensordsl::ir {

enum class Intrinsic : std::uint8_t {
  Abs,
  Ceil,
  Cos,
  Erf,
  Exp,
  Floor,
  Log,
  Mad,
  Pow,
  Round,
  Rsqrt,
  Sin,
  Sqrt,
  Tanh,
};

struct IntrinsicEntry {
  std::string_view name;
  Intrinsic id;
  int operands;
};

inline constexpr std::array<IntrinsicEntry, 14> kIntrinsics{{
    {"abs", Intrinsic::Abs, 1},
    {"ceil", Intrinsic::Ceil, 1},
    {"cos", Intrinsic::Cos, 1},
    {"erf", Intrinsic::Erf, 1},
    {"exp", Intrinsic::Exp, 1},
    {"floor", Intrinsic::Floor, 1},
    {"log", Intrinsic::Log, 1},
    {"mad", Intrinsic::Mad, 3},
    {"pow", Intrinsic::Pow, 2},
    {"round", Intrinsic::Round, 1},
    {"rsqrt", Intrinsic::Rsqrt, 1},
    {"sin", Intrinsic::Sin, 1},
    {"sqrt", Intrinsic::Sqrt, 1},
    {"tanh", Intrinsic::Tanh, 1},
}};

/// Null if no intrinsic has that name.
constexpr const IntrinsicEntry* find_intrinsic(std::string_view name) {
  for (const IntrinsicEntry& entry : kIntrinsics) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

/// The value in f32; operands that the function does not have are ignored.
inline float evaluate(Intrinsic id, float a, float b = 0, float c = 0) {
  switch (id) {
    case Intrinsic::Abs:
      return std::fabs(a);
    case Intrinsic::Ceil:
      return std::ceil(a);
    case Intrinsic::Cos:
      return std::cos(a);
    case Intrinsic::Erf:
      return std::erf(a);
    case Intrinsic::Exp:
      return std::exp(a);
    case Intrinsic::Floor:
      return std::floor(a);
    case Intrinsic::Log:
      return std::log(a);
    case Intrinsic::Mad:
      return a * b + c;
    case Intrinsic::Pow:
      return std::pow(a, b);
    case Intrinsic::Round:
      return std::nearbyint(a);  // half to even in the default rounding mode
    case Intrinsic::Rsqrt:
      return 1.0f / std::sqrt(a);
    case Intrinsic::Sin:
      return std::sin(a);
    case Intrinsic::Sqrt:
      return std::sqrt(a);
    case Intrinsic::Tanh:
      return std::tanh(a);
  }
  return 0;
}

}  // namespace tensordsl::ir
