// Which arrays an input of another type takes.
#pragma once

#include <string>

#include "tensordsl/type.h"

namespace tensordsl {

/// True if every value of `from` is a value of `to`: i32 -> i64, u8 -> i16, i16 -> f32, f16 -> f32, bool -> all.
/// An input takes arrays of such types; others, as f64 for f32, it refuses.
bool converts_exactly(Type from, Type to);

/// "; convert it with .astype(np.float32)": how an error about an array of another type ends.
std::string conversion_remedy(Type to);

}  // namespace tensordsl
