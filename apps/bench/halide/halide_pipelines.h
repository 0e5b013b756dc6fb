// Halide's own examples in this language: blur, unsharp mask, camera pipeline, local Laplacian, a product.
// Source: what each computes is what Halide's repository has in apps/, as halide_pipelines.py says it there.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tensordsl/tensordsl.h"

namespace tensordsl::bench {

/// Without a schedule, its output bound. The Inputs' values are those that halide_pipelines.py has.
struct HalidePipeline {
  std::string name;
  Func output;
  std::map<std::string, Buffer> inputs;
  ParamValues params;
};

/// `scale` divides the sizes.
std::vector<HalidePipeline> halide_pipelines(int scale);

}  // namespace tensordsl::bench
