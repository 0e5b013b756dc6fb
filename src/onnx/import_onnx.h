// The ONNX front end: reads an untrusted file into a well-formed graph.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "onnx/bodies/bodies.h"
#include "onnx/onnx_graph.h"
#include "tensordsl/model_file.h"
#include "tensordsl/operator_table.h"

namespace tensordsl::onnx {

struct ImportOptions {
  /// Initializers whose external file is absent get the values that models/fill_weights.py gives them.
  bool random_weights = false;
  /// Sizes of symbolic dimensions by name; the unnamed dimension d of input x is called "x[d]".
  std::map<std::string, std::int64_t> dims;
  /// Computes operands that must be known at compile time, such as the shape of a Reshape, from constants.
  /// Without it, only nodes that move elements are seen through.
  Evaluator evaluate;
  /// Values that replace initializers that are inputs too, from IR version 4 on; other names are ignored.
  std::map<std::string, Buffer> initializers;
  /// Values of inputs that become constants, by name. One element fits each input of one.
  std::map<std::string, Buffer> constants;
  /// Inputs as they will be given, by name. A model that cannot be read for all sizes and values is read for
  /// theirs, with a warning; names that the model does not have are ignored.
  std::map<std::string, Buffer> inputs;
  /// The form of loops' steps, where the default form has failed.
  Bodies::Steps steps;
  /// See ModelOptions.
  std::set<std::string> untyped_inputs;
  /// Integers that tensors of nodes have with `inputs`, and are assumed to have, by name. Runs check that.
  std::map<std::string, Buffer> values;
  /// The inputs that `values` depend on.
  std::set<std::string> value_sources;
  /// Operators of domains other than ONNX's own.
  OperatorTable operators;
  /// Refuse a model whose constants take more bytes than this; initializers before one of them is read or
  /// made.
  std::int64_t max_constant_bytes = ops::kMaxTensorBytes;
  /// Called with all initializers before that; it throws an Error that says why there is no room for them.
  std::function<void(const std::vector<ops::TensorInfo>&)> check_initializers;
  /// See ModelOptions.
  std::function<void(const ModelFile& file)> before_weights;
};

/// Reads an ONNX model of opset 6 to 28: nodes in topological order and in the form of ops/operator_spec.h,
/// every shape inferred. External data is read from the model's own folder only. Throws ModelError, one line
/// that starts with the file's name, if the file cannot be read or is malformed, if an operator, attribute or
/// type is not supported, if shapes do not fit, or if memory runs out.
Graph import_onnx(const std::filesystem::path& model, const ImportOptions& options = {});

/// Reads an ONNX model from memory: `name` starts the messages, `folder` is where external data may be.
/// Otherwise like the function above.
Graph import_onnx(std::string_view bytes, const std::string& name, const std::filesystem::path& folder,
                  const ImportOptions& options = {});

}  // namespace tensordsl::onnx
