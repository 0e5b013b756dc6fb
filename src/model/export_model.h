#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tensordsl {

/// See onnx/file/write_complete_model.h. In a build without ONNX it throws the error of Model::load.
std::vector<std::string> export_model(const std::filesystem::path& model, const std::filesystem::path& folder,
                                      bool random_weights);

}  // namespace tensordsl
