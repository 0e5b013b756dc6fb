// One group of nodes as a scheduled pipeline.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "graph/fuse_nodes.h"
#include "onnx/graph.h"
#include "schedules/target.h"
#include "tensordsl/func.h"
#include "tensordsl/stored_tensor.h"

namespace tensordsl {

enum class Precision { Float32, Float16 };

/// A tensor of the graph as an Input of the group's pipeline.
struct GroupOperand {
  std::string tensor;   ///< its name in the graph
  std::string input;    ///< its name in the pipeline
  StoredTensor stored;  ///< with the extents that the pipeline sees
};

struct GroupKernel {
  Func output;
  std::vector<GroupOperand> operands;
  StoredTensor stored;  ///< the output, with the extents that the pipeline sees
  std::string label;    ///< "Conv+Clip", for reports
  /// Multiplications and additions that the operators ask for, whatever the kernels do; 0 for data movement.
  std::int64_t flops = 0;
};

/// Names inside depend on the group's structure only, so equal groups give equal kernels.
GroupKernel build_kernel(const Graph& graph, const NodeGroup& group, Precision precision,
                         const schedules::Target& target);

/// The type that a tensor is stored as.
Type stored_type(Type type, Precision precision);

}  // namespace tensordsl
