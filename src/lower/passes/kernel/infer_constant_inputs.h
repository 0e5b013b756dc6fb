// __global const float* table ... table[k]   ->   __constant float* table ... table[k]
// Needs: the final body.  Gives: small Inputs in the constant address space, if all work-items of a group
// read the same element at a time and the device has room: its caches serve one address to all of them at
// once. No index of such a buffer depends on the work-item, or on memory.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "lower/lowered.h"

namespace tensordsl::lower {

/// Returns the buffers of which all work-items of a group read the same element at a time.
std::set<std::string> uniform_buffers(const ir::Stmt& body);

/// Moves Inputs to constant memory. `inputs`: names of the Inputs that may become constant; `constant_bytes`:
/// the size of the device's constant buffer.
LoweredKernel infer_constant_inputs(LoweredKernel kernel, const std::set<std::string>& inputs,
                                    std::int64_t constant_bytes);

}  // namespace tensordsl::lower
