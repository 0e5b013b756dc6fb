// NumPy's .npz format: a zip archive of named tensors.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "tensordsl/buffer.h"

namespace tensordsl::runtime {

/// Every array of the file, by its name without ".npy"; see read_npy for the types. The file is not trusted:
/// memory is taken only for what its bytes can really unpack to. Throws ModelError, for example
/// "a.npz: x: CRC error".
std::map<std::string, Buffer> read_npz(const std::filesystem::path& path);

/// Writes what numpy.load reads, uncompressed; equal arrays give equal files. The file is replaced at once or
/// not at all. Throws ModelError if it cannot be written or `arrays` is empty.
void write_npz(const std::filesystem::path& path, const std::map<std::string, Buffer>& arrays);

}  // namespace tensordsl::runtime
