// Finds the external files of a model's weights.
#pragma once

#include <set>
#include <string>

namespace onnx {
class ModelProto;
}

namespace tensordsl::onnx {

/// Returns the paths of the external files, relative to the model's folder, of the tensors of graphs, bodies
/// and functions.
std::set<std::string> external_files(const ::onnx::ModelProto& model);

}  // namespace tensordsl::onnx
