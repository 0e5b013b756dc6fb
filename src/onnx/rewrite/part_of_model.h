// The part of a model that one tensor is computed by.
#pragma once

#include <onnx/onnx_pb.h>

#include <optional>
#include <string>

namespace tensordsl::onnx {

/// Returns the model with `tensor` as its only output, all of its inputs, and the nodes and initializers that
/// the tensor depends on; nothing if no node of its graph gives it.
std::optional<::onnx::ModelProto> part_for(const ::onnx::ModelProto& model, const std::string& tensor);

}  // namespace tensordsl::onnx
