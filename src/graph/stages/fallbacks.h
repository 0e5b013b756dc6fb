// Groups whose kernels a device refuses, and what is done without when they are compiled again.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tensordsl::graph {

/// What a device may refuse of a group.
enum class Refusal : unsigned {
  Together = 1,
  Winograd = 2,
  Sliding = 4,
  Images = 8,
  Strategy = 16,
  WorkGroup = 32
};

/// A set of these.
class Refusals {
 public:
  constexpr Refusals() = default;
  constexpr Refusals(Refusal kind) : bits_(static_cast<unsigned>(kind)) {}  // NOLINT: one is a set too

  constexpr bool is_empty() const { return bits_ == 0; }
  constexpr bool meets(Refusals other) const { return (bits_ & other.bits_) != 0; }
  friend constexpr Refusals operator|(Refusals a, Refusals b) {
    a.bits_ |= b.bits_;
    return a;
  }

 private:
  unsigned bits_ = 0;
};

/// Tensors (DefinedTensor::name) that a device has refused.
struct Fallbacks {
  std::set<std::string> together;                  ///< with others as one kernel
  std::set<std::string> winograd;                  ///< in Winograd's domain
  std::set<std::string> sliding;                   ///< with the windows that slide over them
  std::set<std::string> images;                    ///< as an image: a buffer, whatever reads it
  std::set<std::string> strategy;                  ///< by the strategy that comes first
  std::map<std::string, std::int64_t> most_items;  ///< work-items that the driver allows in its work-groups
  std::vector<std::string> warnings;               ///< for whoever compiles the graph, one for each of these
};

}  // namespace tensordsl::graph
