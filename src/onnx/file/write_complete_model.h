// A model's file for other tools: nothing of it is missing, and nothing in it is hidden.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tensordsl::onnx {

/// Writes FOLDER/model.onnx, and FOLDER/weights.bin with all that was external data. The outputs are the
/// model's own and every tensor that a node of the graph gives: the result has their names, in order.
/// `random_weights`: weights whose file is absent have the values of random_weights.h. Throws ModelError as
/// import_onnx does, and if a file cannot be written.
std::vector<std::string> write_complete_model(const std::filesystem::path& model,
                                              const std::filesystem::path& folder, bool random_weights);

}  // namespace tensordsl::onnx
