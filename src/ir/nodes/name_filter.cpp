#include "ir/nodes/name_filter.h"

namespace tensordsl::ir {

NameFilter::NameFilter(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  // The last characters have moved the low bits most; the product brings all of them to the high ones.
  hash = (hash ^ (hash >> 32)) * 0xff51afd7ed558ccdull;
  bits_[0] = std::uint64_t{1} << (hash >> 58);
  bits_[1] = std::uint64_t{1} << (hash >> 52 & 63);
}

}  // namespace tensordsl::ir
