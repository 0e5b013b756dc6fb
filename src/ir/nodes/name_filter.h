// A set of the names that a tree may contain, in two words.
#pragma once

#include <cstdint>
#include <string_view>

namespace tensordsl::ir {

/// A Bloom filter of names: it reports every name that was added, and may report others. A walk that looks
/// for a name skips the trees without it.
class NameFilter {
 public:
  NameFilter() = default;
  explicit NameFilter(std::string_view name);

  void add(const NameFilter& other) {
    bits_[0] |= other.bits_[0];
    bits_[1] |= other.bits_[1];
  }
  /// May return true although no name of `other` was added; false is certain.
  bool may_share(const NameFilter& other) const {
    return (bits_[0] & other.bits_[0]) != 0 && (bits_[1] & other.bits_[1]) != 0;
  }

 private:
  std::uint64_t bits_[2] = {0, 0};  // a name has one bit in each
};

}  // namespace tensordsl::ir
