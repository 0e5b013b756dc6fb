// The storage of each tensor of a graph in memory.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tensordsl/layout.h"

namespace tensordsl::graph {

struct TensorStorage {
  std::vector<Layout> layouts;       ///< layout of each tensor
  std::vector<std::string> reasons;  ///< reasons for the layouts, by tensor; empty where nothing requires
                                     ///< another order
  /// The tensor in whose memory another one is: as a part of it (place_concatenations, place_states,
  /// place_loops), or under another name (find_aliases).
  std::map<std::size_t, std::size_t> within;
  /// Tensors that need no kernel: their elements are written as parts of them, or lie there already.
  std::set<std::size_t> made;

  /// The tensor that has memory of its own.
  std::size_t owner(std::size_t tensor) const;
};

}  // namespace tensordsl::graph
