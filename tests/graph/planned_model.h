// A model, compiled until its kernels and the storage of their results are known.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/attention/fuse_attention.h"
#include "graph/fuse/fuse.h"
#include "graph/fuse/fuse_contractions.h"
#include "graph/rewrite/propagate_scalars.h"
#include "graph/rewrite/simplify_graph.h"
#include "graph/store/place_tensors.h"
#include "graph/views/fold_views.h"
#include "support/after_pass.h"
#include "support/definitions.h"

namespace tensordsl::testing {

struct PlannedModel {
  definitions::DefinitionGraph graph;
  std::vector<definitions::FusedGroup> groups;  ///< those that need a kernel
  graph::TensorStorage storage;

  /// `for_cpu`: with the passes that ask for a device.
  explicit PlannedModel(const OnnxModel& model, bool for_cpu = false)
      : graph(after<graph::simplify_graph>(definitions_of(model))) {
    Target cpu;
    cpu.vector_width = 16;
    cpu.group_items = 1;
    if (for_cpu) graph = after<graph::fuse_attention>(std::move(graph), cpu);
    graph = after<graph::propagate_scalars>(after<graph::fold_views>(std::move(graph)));
    groups = groups_after<graph::fuse>(graph);
    if (for_cpu) groups = groups_after<graph::fuse_contractions>(graph, std::move(groups), cpu);
    storage = placed(graph, groups);
  }

  /// "MatMul+Relu; Softmax", the groups.
  std::string kernels() const {
    std::string all;
    for (const definitions::FusedGroup& group : groups) all += (all.empty() ? "" : "; ") + group.label;
    return all;
  }
  /// Returns nullopt if the tensor was fused into its reader.
  std::optional<std::size_t> tensor(const std::string& name) const {
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
      if (graph.tensors[i].name == name) return i;
    }
    return std::nullopt;
  }
  /// Null if no kernel computes the tensor.
  const definitions::FusedGroup* kernel_of(const std::string& name) const {
    const auto wanted = tensor(name);
    for (const definitions::FusedGroup& group : groups) {
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
