#include "records/kernel_key.h"

#include <cmath>
#include <limits>

#include "records/sha256.h"

namespace tensordsl::records {
namespace {

/// Begins with the version of the key.
Sha256 hash_of_key() {
  Sha256 hash;
  hash.add_number(kKeyVersion);
  return hash;
}

}  // namespace

KernelKey kernel_key(std::string_view definitions, std::vector<std::int64_t> sizes) {
  KernelKey key;
  key.family = to_hex(hash_of_key().add_text(definitions).finish());
  Sha256 structure = hash_of_key();
  structure.add_text(key.family);
  for (const std::int64_t size : sizes) structure.add_number(static_cast<std::uint64_t>(size));
  key.structure = to_hex(structure.finish());
  key.sizes = std::move(sizes);
  return key;
}

double distance(const KernelKey& a, const KernelKey& b) {
  if (a.family != b.family || a.sizes.size() != b.sizes.size())
    return std::numeric_limits<double>::infinity();
  double sum = 0;
  for (std::size_t i = 0; i < a.sizes.size(); ++i) {
    const double x = static_cast<double>(a.sizes[i]) + 1, y = static_cast<double>(b.sizes[i]) + 1;
    sum += std::abs(std::log2(x / y));
  }
  return sum;
}

}  // namespace tensordsl::records
