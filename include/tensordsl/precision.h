// How a model's f32 tensors are stored.
#pragma once

#include <cstdint>

namespace tensordsl {

/// Arithmetic is in f32 either way. Tensors of f64 stay f64, stored and computed, with Float16 too.
enum class Precision : std::uint8_t { Float32, Float16 };

}  // namespace tensordsl
