// Numbers that depend only on a name, bit for bit as models/fill_weights.py computes them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tensordsl/buffer.h"

namespace tensordsl::runtime {

/// Returns f32 values in [-1, 1), a pure function of `name`: splitmix64 of a counter, seeded with the FNV-1a
/// hash of the name.
Buffer uniform(const std::string& name, const std::vector<std::int64_t>& shape);

}  // namespace tensordsl::runtime
