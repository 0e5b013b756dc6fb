#include "backends/opencl/device/offered_binaries.h"

namespace tensordsl::opencl {

void OfferedBinaries::add(const std::vector<DeviceBinary>& binaries) {
  const std::lock_guard lock(mutex_);
  for (const DeviceBinary& binary : binaries) by_name_.insert_or_assign(binary.name, binary);
}

std::optional<ProgramBinary> OfferedBinaries::find(const ProgramKey& key) const {
  DeviceBinary found;
  {
    const std::lock_guard lock(mutex_);
    if (by_name_.empty()) return std::nullopt;
    const auto place = by_name_.find(key.name());
    if (place == by_name_.end()) return std::nullopt;
    found = place->second;
  }
  return binary_of_entry(key, {reinterpret_cast<const unsigned char*>(found.data.get()), found.size});
}

}  // namespace tensordsl::opencl
