// A model as a file has it: a graph of operators over named tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ops/node.h"
#include "ops/tensor_info.h"
#include "tensordsl/buffer.h"
#include "tensordsl/program.h"

namespace tensordsl::onnx {

/// A tensor that a node of the file gives, and that node.
struct FileTensor {
  std::string name, op, node;
};

/// Every tensor has one definition: it is an input, a constant, or an output of one node.
struct Graph {
  /// An extent that depends on data: a Param that a tensor holds.
  struct Count {
    std::string param;   ///< symbol of the Size::count
    std::string tensor;  ///< tensor of one i32 or i64 that holds the value
    ops::Size bound;     ///< largest value
  };

  std::string name;
  std::int64_t opset = 0;            ///< ONNX operator set it was written in
  std::vector<ops::Node> nodes;      ///< producers before consumers
  std::vector<std::string> inputs;   ///< inputs in the model's order
  std::vector<std::string> outputs;  ///< outputs in the model's order; one may be an input or a constant
  std::map<std::string, Buffer> constants;
  std::map<std::string, ops::TensorInfo> tensors;  ///< every input, constant and node output
  /// The elements of small tensors of integers that follow from symbolic dimensions. Nodes compute them too,
  /// for readers at run time.
  std::map<std::string, ops::Sizes> sizes;
  std::vector<Count> counts;  ///< counts in the order of the nodes that compute their tensors
  /// The symbols of loops: the number of a step, and how many there were (ops/loop_marks.h).
  std::set<std::string> loop_symbols;
  std::vector<ReadRequirement> requirements;  ///< requirements for what shapes were assumed to be
  /// The model's types of inputs and outputs, where they differ from the tensors' types.
  std::map<std::string, Type> outer_types;
  /// The numbers of types of elements, TensorProto.DataType, where they may be others than those that hold
  /// them.
  std::map<std::string, std::int64_t> element_types;
  std::vector<FileTensor> file_tensors;     ///< tensors in an order of execution, without tensors of bodies
  std::vector<std::string> overridden;      ///< see Model::overridden
  std::vector<std::string> external_files;  ///< files of weights, relative to the model's folder
  bool has_sizes_of_inputs = false;         ///< true if it runs only at the sizes of ImportOptions::inputs
  std::vector<std::string> is_for_values;   ///< see Model::is_for_values
  std::vector<std::string> warnings;        ///< warnings for the model's user

  bool is_constant(const std::string& tensor) const { return constants.contains(tensor); }
  bool is_input(const std::string& tensor) const;
  bool is_output(const std::string& tensor) const;
  /// Returns the type and shape of a tensor. Throws InternalError if there is no such tensor.
  const ops::TensorInfo& info(const std::string& tensor) const;
  void add_constant(const std::string& tensor, Buffer value);
  /// Returns the symbol of a new count, a data-dependent size, which `tensor` holds.
  ops::Size add_count(const std::string& tensor, const ops::Size& bound);
};

/// Computes the outputs of a node from the values of its inputs; null where one is absent.
using Evaluator = std::function<std::vector<Buffer>(const ops::Node&, const std::vector<const Buffer*>&)>;

/// The indices of the nodes that read each tensor, in order; a node that reads it twice occurs twice.
std::map<std::string, std::vector<std::size_t>> consumers(const Graph& graph);

/// `base`, or `base` with a number, such that no tensor has that name.
std::string fresh_name(const Graph& graph, const std::string& base);

/// Returns `base` as the name of a count, or with "_", such that no other count or symbol of a loop has it.
std::string fresh_count(const Graph& graph, const std::string& base);

/// Prints a line for each node: %y: f32[1,64,112,112] = Conv(%x, w: f32[64,3,7,7]) {group=1, ...}; constants
/// have no %.
std::string to_string(const Graph& graph);
/// The line of one node, without its end.
std::string to_string(const Graph& graph, const ops::Node& node);

}  // namespace tensordsl::onnx
