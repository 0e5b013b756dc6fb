#include "package/begin_package.h"

#include "base/checksum.h"
#include "package/package_format.h"

namespace tensordsl {
namespace {

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

/// Gives files their offsets. They follow the index, whose length has their digits: so it is done until they
/// stay.
std::string placed(PackageIndex& index) {
  std::string json = to_json(index);
  while (true) {
    std::uint64_t end = kPackageHeaderBytes + json.size();
    for (PackageEntry& entry : index.entries) {
      const bool is_mapped = entry.name == "constants.bin";
      entry.offset = rounded_up(end, is_mapped ? kConstantsAlignment : kFileAlignment);
      end = entry.offset + entry.bytes;
    }
    const std::string again = to_json(index);
    if (again == json) return json;
    json = again;
  }
}

}  // namespace

std::string begin_package(PackageIndex& index) {
  const std::string json = placed(index);
  return package_header(json) + json;
}

std::string package_header(const std::string& index) {
  std::string header(kPackageMagic);
  const auto append = [&](auto value) {
    for (std::size_t i = 0; i < sizeof value; ++i) header += static_cast<char>(value >> (8 * i));
  };
  append(static_cast<std::uint32_t>(kPackageVersion));
  append(std::uint32_t{0});
  append(static_cast<std::uint64_t>(index.size()));
  const Checksum sum = checksum(index);
  header.append(sum.begin(), sum.end());
  header.resize(kPackageHeaderBytes);
  return header;
}

}  // namespace tensordsl
