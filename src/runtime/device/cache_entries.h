// The driver's binaries of kernels, in the form in which a program stores them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/device/program_cache.h"
#include "tensordsl/device.h"

namespace tensordsl::runtime {

/// Returns an entry of the cache for each distinct kernel, by name. `binary_of` returns the driver's binary
/// of the kernel with that number; if one is missing, there are no entries.
std::vector<DeviceBinary> cache_entries(const std::vector<ProgramKey>& kernels,
                                        const std::function<ProgramBinary(std::size_t)>& binary_of);

}  // namespace tensordsl::runtime
