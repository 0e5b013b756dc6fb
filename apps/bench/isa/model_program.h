// A model's Program, with what the model of the device predicts of its kernels.
#pragma once

#include <string>
#include <vector>

#include "tensordsl/model.h"
#include "tensordsl/program.h"

namespace tensordsl::bench {

struct PredictedProgram {
  Program program;
  /// Microseconds of all launches of each kernel, without the cost of launches; 0 where nothing is predicted.
  std::vector<double> us;
};

/// Compiles a model by the default schedules; weights that are absent are random. Predictions are of kernels
/// with all passes of lowering: a target with fewer has none. Throws the errors of Model::compile.
PredictedProgram predicted_program(const std::string& path, const CompileTarget& target);

}  // namespace tensordsl::bench
