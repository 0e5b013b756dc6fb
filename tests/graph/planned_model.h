// A model as far as it is known which kernels it has and what they store where.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/bake_constants.h"
#include "graph/chain_sums.h"
#include "graph/eliminate_movement.h"
#include "graph/fuse.h"
#include "graph/fuse_attention.h"
#include "graph/plan_storage.h"
#include "graph/simplify_graph.h"
#include "support/definitions.h"

namespace tensordsl::testing {

struct PlannedModel {
  DefinitionGraph graph;
  std::vector<Group> groups;  ///< those that need a kernel
  TensorStorage storage;

  /// `for_cpu`: with the passes that ask for a device.
  explicit PlannedModel(const OnnxModel& model, bool for_cpu = false)
      : graph(simplify_graph(definitions_of(model))) {
    Target cpu;
    cpu.vector_width = 16;
    cpu.group_items = 1;
    if (for_cpu) graph = fuse_attention(std::move(graph), cpu);
    graph = bake_constants(eliminate_movement(std::move(graph)));
    groups = fuse(graph);
    if (for_cpu) groups = chain_sums(graph, std::move(groups), cpu);
    storage = plan_storage(graph, groups);
  }

  /// "MatMul+Relu; Softmax", the groups.
  std::string kernels() const {
    std::string all;
    for (const Group& group : groups) all += (all.empty() ? "" : "; ") + group.label;
    return all;
  }
  /// Nothing if the tensor went into what reads it.
  std::optional<std::size_t> tensor(const std::string& name) const {
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
      if (graph.tensors[i].name == name) return i;
    }
    return std::nullopt;
  }
  /// Null if no kernel computes the tensor.
  const Group* kernel_of(const std::string& name) const {
    const auto wanted = tensor(name);
    for (const Group& group : groups) {
      for (const std::size_t computed : group.tensors) {
        if (computed == wanted) return &group;
      }
    }
    return nullptr;
  }
  /// "b a c", how the tensor is stored.
  std::string layout(const std::string& name) const {
    const Layout& layout = storage.layouts.at(tensor(name).value());
    std::vector<std::string> dims{"a", "b", "c", "d", "e"};
    dims.resize(static_cast<std::size_t>(layout.rank()));
    return layout.to_string(dims);
  }
};

}  // namespace tensordsl::testing
