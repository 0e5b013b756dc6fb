// The constants of a Program, packed.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "tensordsl/buffer.h"
#include "tensordsl/program.h"

namespace tensordsl::runtime {

/// Packs the stored constants one after the other, each at a multiple of 64 bytes: the offsets are written
/// into `tensors`. `constants` are by index into `tensors`, row-major.
Program::Bytes pack_constants(const std::map<std::size_t, const Buffer*>& constants,
                              std::vector<Program::Tensor>& tensors);

}  // namespace tensordsl::runtime
