// How a model's f32 tensors are stored.
#pragma once

#include <cstdint>

namespace tensordsl {

/// Arithmetic is in f32, but for Optimizations::half_sums. Tensors of f64 stay f64, stored and computed, with
/// Float16 too.
enum class Precision : std::uint8_t { Float32, Float16 };

/// How the constants that products are made of are stored.
enum class WeightPrecision : std::uint8_t {
  Model,  ///< as the Precision says
  /// as integers and an f32 scale for each output that they are summed up for; sums are f32 as before
  Int8,
  /// as integers of four bits, two to a byte, and an f16 scale for each 32 along their longest axis of a sum;
  /// as Int8 where they have none of 16 or more, and in tables whose rows data choose. Convolutions with them
  /// are computed as they are defined, not as Winograd convolutions.
  Int4
};

}  // namespace tensordsl
