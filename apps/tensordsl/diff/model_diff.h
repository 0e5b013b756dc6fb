// A compiled model against a reference, tensor by tensor.
#pragma once

#include <optional>
#include <string>

#include "apps/tensordsl/diff/diff_report.h"
#include "apps/tensordsl/model/loaded_model.h"

namespace tensordsl::cli {

struct DiffArguments {
  ModelArguments model;
  std::string inputs, against;  // .npz files; empty: none
  bool onnx_runtime = false;    // without this and `against`: the definitions
  bool fused = false, all = false;
  std::optional<double> rtol;
};

/// Compares the outputs of the Program that runs, then tensors before them. With progress on stderr. Throws
/// Error if the reference has no tensor that the model computes.
DiffReport diff_model(const DiffArguments& arguments);

}  // namespace tensordsl::cli
