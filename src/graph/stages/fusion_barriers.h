// Barriers to fusion: tensors that may not be in one group with others.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "definitions/definition_graph.h"

namespace tensordsl::graph {

struct FusionBarriers {
  /// The reasons why the host computes tensors, as choose_host gives them; empty if kernels compute
  /// everything. A tensor of the host is in no group with one of a kernel.
  std::vector<std::string> on_host{};
  /// Tensors (DefinedTensor::name) that are not fused: a device refused a kernel of several.
  std::set<std::string> alone{};

  /// The loops around each tensor, as find_loops gives them; empty if there are none. A group is inside a
  /// loop or outside of it.
  std::vector<std::set<std::size_t>> loops{};

  bool may_meet(const definitions::DefinitionGraph& graph, std::size_t a, std::size_t b) const {
    if (!loops.empty() && loops[a] != loops[b]) return false;
    if (!on_host.empty() && on_host[a] != on_host[b]) return false;
    return !alone.contains(graph.tensors[a].name) && !alone.contains(graph.tensors[b].name);
  }
};

}  // namespace tensordsl::graph
