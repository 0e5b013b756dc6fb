#include "runtime/device/cache_entries.h"

#include <algorithm>
#include <map>
#include <memory>
#include <span>

namespace tensordsl::runtime {

std::vector<DeviceBinary> cache_entries(const std::vector<ProgramKey>& kernels,
                                        const std::function<ProgramBinary(std::size_t)>& binary_of) {
  std::map<std::string, DeviceBinary> by_name;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const auto [place, is_new] = by_name.try_emplace(kernels[i].name());
    if (!is_new) continue;
    const ProgramBinary binary = binary_of(i);
    if (binary.empty()) return {};
    const std::vector<unsigned char> entry = cache_entry(kernels[i], binary);
    const auto data = std::make_shared_for_overwrite<std::byte[]>(entry.size());
    std::ranges::copy(std::as_bytes(std::span(entry)), data.get());
    place->second = {place->first, data, entry.size()};
  }
  std::vector<DeviceBinary> result;
  for (auto& [name, binary] : by_name) result.push_back(std::move(binary));
  return result;
}

}  // namespace tensordsl::runtime
