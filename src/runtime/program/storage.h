// A tensor as the compile side has it -> as a Program has it.
#pragma once

#include "tensordsl/program.h"
#include "tensordsl/stored_tensor.h"

namespace tensordsl::runtime {

/// Returns the storage of a tensor. Throws Error if an extent is not an expression of integers.
Program::Storage storage_of(const StoredTensor& tensor);

}  // namespace tensordsl::runtime
