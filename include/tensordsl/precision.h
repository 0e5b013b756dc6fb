// Precision in which a model's f32 tensors are stored.
#pragma once

#include <cstdint>

namespace tensordsl {

/// Precision in which f32 tensors are stored. Arithmetic is in f32, except with Optimizations::half_sums.
/// Tensors of f64 are stored and computed in f64, also with Float16.
enum class Precision : std::uint8_t { Float32, Float16 };

/// Precision in which the constants of products are stored.
enum class WeightPrecision : std::uint8_t {
  Model,  ///< the Precision of other tensors
  /// integers of 8 bits and an f32 scale for each output that they are summed for; sums are f32 as before
  Int8,
  /// integers of 4 bits, two to a byte, and an f16 scale for each 32 along the longest axis of their sum;
  /// Int8 if that axis has fewer than 16, and in tables whose rows are indexed by data. Convolutions with
  /// them are computed as defined, not by Winograd
  Int4
};

}  // namespace tensordsl
