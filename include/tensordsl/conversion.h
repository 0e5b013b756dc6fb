// Conversions of arrays to the types of inputs.
#pragma once

#include <string>

#include "tensordsl/type.h"

namespace tensordsl {

/// True if every value of `from` is a value of `to`: i32 -> i64, u8 -> i16, i16 -> f32, f16 -> f32, and bool
/// -> all. An input accepts arrays of such types and refuses others, such as f64 for f32.
bool converts_exactly(Type from, Type to);

/// Returns the end of an error about an array of another type: "; convert it with .astype(np.float32)".
std::string conversion_remedy(Type to);

}  // namespace tensordsl
