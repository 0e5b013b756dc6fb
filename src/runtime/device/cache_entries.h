// Kernels' binaries as a program takes them along.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/device/program_cache.h"
#include "tensordsl/device.h"

namespace tensordsl::runtime {

/// An entry of the cache for each distinct kernel, by name. `binary_of` gives what the driver has made of the
/// kernel with that number; if it has nothing for one, there are none.
std::vector<DeviceBinary> cache_entries(const std::vector<ProgramKey>& kernels,
                                        const std::function<ProgramBinary(std::size_t)>& binary_of);

}  // namespace tensordsl::runtime
