// Weights in four bits each.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tensordsl/buffer.h"

namespace tensordsl::graph {

/// Neighbors that have one scale.
inline constexpr std::int64_t kPackedGroup = 32;

/// w[.., k, ..] = (q - 8)*scales[.., k/32, ..] but for rounding, q from 0 to 15.
struct PackedWeights {
  Buffer pairs;  ///< u8 [.., (k + 1)/2, ..]: q of an even k in the low bits, of the next one in the high bits
  Buffer scales;  ///< f32 that are numbers of f16; 1 for zeros
};

/// Packs f32 weights along the dimension `dim`. Each 32 weights get a scale: of several candidates for the
/// largest weight, the one with the least squared error. Needs: weights whose scale is an f16, |w| <=
/// 400,000.
PackedWeights packed_weights(const Buffer& weights, std::size_t dim);

}  // namespace tensordsl::graph
