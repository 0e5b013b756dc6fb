// Conv -> Clip -> Add -> Relu   ->   one group: the convolution, the rest applied to each element
// Needs: a cleaned-up graph.  Gives: every node in exactly one group, groups in an order of execution.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "onnx/graph.h"

namespace tensordsl {

/// Nodes that become one pipeline: the first is what its schedule is about, each later one is element-wise
/// and reads the one before it.
struct NodeGroup {
  std::vector<std::size_t> nodes;  ///< indices into Graph::nodes
  std::string output;              ///< the tensor that the last node makes
};

std::vector<NodeGroup> fuse_nodes(const Graph& graph);

}  // namespace tensordsl
