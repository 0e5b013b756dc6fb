// An OnnxModel through the public door: as a file.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "support/onnx_model.h"
#include "support/temporary.h"
#include "tensordsl/model.h"

namespace tensordsl::testing {

inline Model load_model(const OnnxModel& onnx, const ModelOptions& options = {}) {
  const auto path = temporary("model.onnx");
  std::ofstream(path, std::ios::binary) << onnx.proto.SerializeAsString();
  const Model model = Model::load(path.string(), options);
  std::filesystem::remove(path);
  return model;
}

}  // namespace tensordsl::testing
