// Halide's own examples in this language: blur, unsharp mask, camera pipeline, local Laplacian, a product.
// Source: the programs of Halide's repository in apps/, as halide_pipelines.py has them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tensordsl/tensordsl.h"

namespace tensordsl::bench {

/// A pipeline without a schedule, its output bound. The Inputs have the values of halide_pipelines.py.
struct HalidePipeline {
  std::string name;
  Func output;
  std::map<std::string, Buffer> inputs;
  ParamValues params;
};

/// `scale` divides the sizes.
std::vector<HalidePipeline> halide_pipelines(int scale);

}  // namespace tensordsl::bench
