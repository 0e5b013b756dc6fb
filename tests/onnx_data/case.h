// The cases of ONNX's own data: a folder each, with a model, inputs, and the outputs that ONNX expects.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tensordsl/buffer.h"

namespace tensordsl::conformance {

struct Case {
  std::string name;             ///< "node/test_abs"
  std::filesystem::path place;  ///< its folder
};

/// Returns the cases below `data`, such as data/node/test_abs, whose name contains a match of the regular
/// expression `only`, in alphabetical order. Throws Error if there is no such folder or `only` is not an
/// expression.
std::vector<Case> find_cases(const std::filesystem::path& data, const std::string& only);

/// Throws ModelError.
::onnx::ModelProto read_model(const Case& of);

/// "test_data_set_0" and so on, in order.
std::vector<std::filesystem::path> data_sets(const Case& of);

struct DataSet {
  std::vector<std::pair<std::string, Buffer>> inputs;  ///< by the names in the model
  std::vector<Buffer> outputs;                         ///< in the model's order
};

/// Throws ModelError if one is not a tensor, or of a type that is not supported.
DataSet read_data_set(const ::onnx::ModelProto& model, const std::filesystem::path& folder);

}  // namespace tensordsl::conformance
