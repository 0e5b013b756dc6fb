// NumPy's .npz format: a zip archive of named tensors.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "tensordsl/buffer.h"

namespace tensordsl::runtime {

/// Reads every array of the file, by its name without ".npy"; see read_npy for the types. The file is not
/// trusted: memory is allocated only for the size to which its bytes can really unpack. Throws ModelError,
/// for example "a.npz: x: CRC error".
std::map<std::string, Buffer> read_npz(const std::filesystem::path& path);

/// Writes an uncompressed file for numpy.load; equal arrays give equal files. The file is replaced
/// atomically. Throws ModelError if it cannot be written or `arrays` is empty.
void write_npz(const std::filesystem::path& path, const std::map<std::string, Buffer>& arrays);

}  // namespace tensordsl::runtime
