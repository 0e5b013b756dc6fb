#pragma once

#include <filesystem>

namespace onnx {
class ModelProto;
}

namespace tensordsl::onnx {

/// Reads a model file into `model`. Throws ModelError, without the file's name, if it is not a file, cannot
/// be read, or holds no model.
void parse_model_file(const std::filesystem::path& path, ::onnx::ModelProto& model);

}  // namespace tensordsl::onnx
