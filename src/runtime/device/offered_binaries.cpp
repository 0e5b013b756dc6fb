#include "runtime/device/offered_binaries.h"

namespace tensordsl::runtime {

void OfferedBinaries::add(const std::vector<DeviceBinary>& binaries) {
  const std::lock_guard lock(mutex_);
  for (const DeviceBinary& binary : binaries) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data.get());
    by_name_.insert_or_assign(binary.name,
                              std::make_shared<const std::vector<unsigned char>>(bytes, bytes + binary.size));
  }
}

std::optional<ProgramBinary> OfferedBinaries::find(const ProgramKey& key) const {
  std::shared_ptr<const std::vector<unsigned char>> found;
  {
    const std::lock_guard lock(mutex_);
    if (by_name_.empty()) return std::nullopt;
  }
  const std::string name = key.name();
  {
    const std::lock_guard lock(mutex_);
    const auto place = by_name_.find(name);
    if (place == by_name_.end()) return std::nullopt;
    found = place->second;
  }
  return binary_of_entry(key, *found);
}

}  // namespace tensordsl::runtime
