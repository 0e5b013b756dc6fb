// Where each tensor of a graph lies, before there are kernels.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "definitions/definition_graph.h"
#include "definitions/group.h"
#include "tensordsl/layout.h"
#include "tensordsl/optimizations.h"

namespace tensordsl {

struct TensorStorage {
  std::vector<Layout> layouts;       ///< by tensor
  std::vector<std::string> reasons;  ///< for these, by tensor; empty where nothing asks for another order
  /// The tensor in whose memory another one is: as a part of it (place_parts, place_states, place_loops), or
  /// under another name (find_aliases).
  std::map<std::size_t, std::size_t> within;

  /// The tensor that has memory of its own.
  std::size_t owner(std::size_t tensor) const;
};

/// choose_layouts, place_states, place_parts, place_loops, absorb_movement, find_aliases, in that order, as
/// far as these are asked for. Groups that need no kernel then are taken out of `groups`.
TensorStorage plan_storage(const DefinitionGraph& graph, std::vector<Group>& groups,
                           const Optimizations& optimizations = {});

}  // namespace tensordsl
