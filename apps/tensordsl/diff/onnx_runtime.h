// Runs a model with ONNX Runtime, in a python3 process that has it as a package.
#pragma once

#include <string>

#include "apps/tensordsl/model/data_files.h"

namespace tensordsl::cli {

struct OnnxRuntimeResult {
  std::string version;
  Arrays tensors;  ///< all that nodes of the graph give, by name; not strings and sequences
};

/// Runs the file on the CPU without ONNX Runtime's own optimizations. `inputs` may have initializers too.
/// Throws Error if python3 or the package is not there, or ONNX Runtime refuses the model.
OnnxRuntimeResult run_onnx_runtime(const std::string& model, bool random_weights, const Arrays& inputs);

}  // namespace tensordsl::cli
