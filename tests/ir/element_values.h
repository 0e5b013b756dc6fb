// Values of every element type, with which operations are tried.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "base/scalar.h"
#include "ir/host_arithmetic.h"

namespace tensordsl::ir {

inline const Type kTypes[] = {Bool(),   Int(8),  UInt(8),  Int(16),   UInt(16),  Int(32),
                              UInt(32), Int(64), UInt(64), Float(16), Float(32), Float(64)};

template <typename Element>
using Values = std::vector<Computed<Element>>;

/// Every value of bool, i8, u8 and f16; of the other types those at edges, and `count` at random.
template <typename Element>
Values<Element> all_values(int count = 200) {
  using T = Computed<Element>;
  Values<Element> values;
  std::mt19937_64 random(7);
  if constexpr (std::same_as<Element, Half>) {
    for (unsigned bits = 0; bits < 65536; ++bits)
      values.push_back(static_cast<float>(host::half_value(bits)));
  } else if constexpr (std::integral<T> && sizeof(T) == 1) {
    using Limits = std::numeric_limits<T>;
    for (int v = Limits::min(); v <= Limits::max(); ++v) values.push_back(static_cast<T>(v));
  } else if constexpr (std::integral<T>) {
    using Limits = std::numeric_limits<T>;
    // Values around the limits of this type, of every narrower one, of the integers of f32, and of half of
    // the bits.
    for (const int power : {0, 3, 7, 8, 11, 15, 16, 24, 31, 32, 53, 62}) {
      if (power > Limits::digits - 1) continue;
      for (const int offset : {-2, -1, 0, 1, 2}) {
        const std::int64_t at = std::int64_t{1} << power;
        values.push_back(static_cast<T>(at + offset));
        values.push_back(static_cast<T>(-at + offset));
      }
    }
    for (const int offset : {0, 1, 2}) {
      values.push_back(static_cast<T>(Limits::min() + offset));
      values.push_back(static_cast<T>(Limits::max() - offset));
    }
    for (int i = 0; i < count; ++i) {
      const auto bits = static_cast<std::int64_t>(random());
      values.push_back(static_cast<T>(bits >> (random() % (8 * sizeof(T)))));
    }
  } else {
    using Limits = std::numeric_limits<T>;
    using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    values = {T{0},
              Limits::denorm_min(),
              Limits::min(),
              Limits::max(),
              Limits::infinity(),
              Limits::quiet_NaN(),
              T{0.5f},
              T{1.5f},
              T{2.5f},
              T{2049.0f},
              T{65504.0f},
              T{65519.9f},
              T{65520.0f},
              T{0x1p-24f},
              T{0x1p-25f},
              T{3.14159f}};
    for (const int power : {0, 7, 8, 15, 16, 24, 31, 32, 53, 63, 64}) {
      const T at = std::ldexp(T{1}, power);
      for (const T v : {std::nextafter(at, T{0}), at, std::nextafter(at, Limits::infinity())})
        values.push_back(v);
    }
    for (int i = 0; i < count; ++i) values.push_back(std::bit_cast<T>(static_cast<Bits>(random())));
    for (int i = 0; i < count; ++i)  // which meet each other, and halves
      values.push_back(std::ldexp(static_cast<T>(random() % 8192), static_cast<int>(random() % 40) - 26));
    for (std::size_t i = values.size(); i-- > 0;) values.push_back(-values[i]);
  }
  return values;
}

/// A sample for pairs, of which all would be too many: zeros, subnormals, the ends of the range, ties between
/// two halves.
inline Values<Half> halves_of_interest() {
  Values<Half> values;
  for (const unsigned bits :
       {0x0000u, 0x0001u, 0x0002u, 0x03ffu, 0x0400u, 0x0401u, 0x1000u, 0x13ffu, 0x3800u, 0x3bffu,
        0x3c00u, 0x3c01u, 0x3dffu, 0x3e00u, 0x4000u, 0x4200u, 0x4248u, 0x4400u, 0x63ffu, 0x6400u,
        0x6401u, 0x6800u, 0x6801u, 0x7800u, 0x7bfeu, 0x7bffu, 0x7c00u, 0x7e00u}) {
    values.push_back(static_cast<float>(host::half_value(bits)));
    values.push_back(static_cast<float>(host::half_value(bits | 0x8000u)));
  }
  std::mt19937 random(3);
  for (int i = 0; i < 400; ++i) values.push_back(static_cast<float>(host::half_value(random() % 65536)));
  return values;
}

template <typename Element>
Values<Element> values_for_pairs() {
  if constexpr (std::same_as<Element, Half>) {
    return halves_of_interest();
  } else {
    return all_values<Element>();
  }
}

}  // namespace tensordsl::ir
