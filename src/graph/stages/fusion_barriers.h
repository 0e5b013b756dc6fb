// What may not be in one group with others.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "definitions/definition_graph.h"

namespace tensordsl::graph {

struct FusionBarriers {
  /// By tensor, as choose_host gives it; empty if kernels compute everything. What the host computes is in no
  /// group with what kernels do.
  std::vector<std::string> on_host{};
  /// Tensors (DefinedTensor::name) that are groups by themselves: a device refused a kernel of several.
  std::set<std::string> alone{};

  /// By tensor, as find_loops gives it; empty if there are none. What a loop repeats is in no group with what
  /// it does not.
  std::vector<std::set<std::size_t>> loops{};

  bool may_meet(const definitions::DefinitionGraph& graph, std::size_t a, std::size_t b) const {
    if (!loops.empty() && loops[a] != loops[b]) return false;
    if (!on_host.empty() && on_host[a] != on_host[b]) return false;
    return !alone.contains(graph.tensors[a].name) && !alone.contains(graph.tensors[b].name);
  }
};

}  // namespace tensordsl::graph
