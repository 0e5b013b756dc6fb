// NumPy's .npy format: one tensor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "tensordsl/buffer.h"

namespace tensordsl::runtime {

/// Fills all of `to` with the next bytes of a file, or throws ModelError.
using ByteSource = std::function<void(std::span<std::byte> to)>;

/// Reads the array of a .npy file of `size` bytes: format 1 to 3, C or Fortran order (the Buffer is row-major
/// either way), of every element type. Memory is taken only after the header has been found to agree with
/// `size`. Throws ModelError with one line.
Buffer read_npy(std::uint64_t size, const ByteSource& read);

/// Returns the header of a .npy file of `buffer`, which precedes the elements.
std::string npy_header(const Buffer& buffer);

}  // namespace tensordsl::runtime
