// Where each tensor of a graph lies in memory.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "tensordsl/layout.h"

namespace tensordsl::graph {

struct TensorStorage {
  std::vector<Layout> layouts;       ///< by tensor
  std::vector<std::string> reasons;  ///< for these, by tensor; empty where nothing asks for another order
  /// The tensor in whose memory another one is: as a part of it (place_concatenations, place_states,
  /// place_loops), or under another name (find_aliases).
  std::map<std::size_t, std::size_t> within;

  /// The tensor that has memory of its own.
  std::size_t owner(std::size_t tensor) const;
};

}  // namespace tensordsl::graph
