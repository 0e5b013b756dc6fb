#include "model/export_model.h"

#include "onnx/file/write_complete_model.h"

namespace tensordsl {

std::vector<std::string> export_model(const std::filesystem::path& model, const std::filesystem::path& folder,
                                      bool random_weights) {
  return onnx::write_complete_model(model, folder, random_weights);
}

}  // namespace tensordsl
