// What may not be in one group with others.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "definitions/definition_graph.h"

namespace tensordsl {

struct KeptApart {
  /// By tensor, as choose_host gives it; empty if kernels compute everything. What the host computes is in no
  /// group with what kernels do.
  std::vector<std::string> on_host{};
  /// Tensors (DefinedTensor::name) that are groups by themselves: a device refused a kernel of several.
  std::set<std::string> alone{};

  bool may_meet(const DefinitionGraph& graph, std::size_t a, std::size_t b) const {
    if (!on_host.empty() && on_host[a] != on_host[b]) return false;
    return !alone.contains(graph.tensors[a].name) && !alone.contains(graph.tensors[b].name);
  }
};

}  // namespace tensordsl
