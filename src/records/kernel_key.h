// Identity of a kernel in records: a structural hash of its definitions, with its sizes as separate fields.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tensordsl::records {

/// Version of the hashed text (graph/schedule/group_key.h). It is hashed too, so no two versions have a key
/// in common.
inline constexpr int kKeyVersion = 2;

/// Identifies a kernel by its computation: equal for all groups that differ only in names.
struct KernelKey {
  std::string structure;  ///< SHA-256 of the family and the sizes, in hexadecimal digits
  std::string family;     ///< SHA-256 of the definitions without their numbers
  /// The numbers that `family` leaves out, in their order: extents, strides, windows. Kernels of one family
  /// with other sizes are the ones to learn from.
  std::vector<std::int64_t> sizes;
  friend bool operator==(const KernelKey&, const KernelKey&) = default;
};

/// `definitions`: an encoding of the kernel that leaves out `sizes` and nothing else.
KernelKey kernel_key(std::string_view definitions, std::vector<std::int64_t> sizes);

/// Returns the sum of |log2| of the quotients of their sizes; infinity if they are of two families.
double distance(const KernelKey& a, const KernelKey& b);

}  // namespace tensordsl::records
