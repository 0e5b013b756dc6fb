// IEEE 754 binary16 on the host: storage only, converted to and from float.
#pragma once

#include <cstdint>

namespace tensordsl {

/// Converts to binary16. Rounds to nearest even; overflow gives infinity, a NaN stays a NaN.
std::uint16_t float_to_half(float value);
/// Converts from binary16, exactly.
float half_to_float(std::uint16_t half);

}  // namespace tensordsl
