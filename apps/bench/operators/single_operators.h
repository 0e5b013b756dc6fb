// The operators of models, each as a model of its own.
#pragma once

#include <string>
#include <vector>

#include "onnx/onnx_graph.h"

namespace tensordsl::bench {

/// A single node as a graph: its inputs are inputs and constants, its outputs are outputs.
struct SingleOperator {
  onnx::Graph graph;  ///< graph of one operator, with its name: "Conv"
  std::string text;   ///< "x:[1,64,56,56] w:[64,64,3,3] -> [1,64,56,56] {pads=[1,1,1,1]}"
  std::string model;  ///< the first that has it
};

/// Returns the operators of the files' models, in their order, equal ones once. Absent weights get values.
/// `kinds`: "Conv"; all if it is empty.
std::vector<SingleOperator> single_operators(const std::vector<std::string>& models,
                                             const std::vector<std::string>& kinds);

}  // namespace tensordsl::bench
