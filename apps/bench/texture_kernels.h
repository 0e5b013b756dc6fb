// The kernels over textures whose address calculations are counted.
#pragma once

#include <map>
#include <string>

#include "tensordsl/tensordsl.h"

namespace tensordsl::bench {

/// A kernel with what it runs on.
struct TextureKernel {
  Func output;
  std::map<std::string, std::vector<std::int64_t>> inputs;  ///< shapes, f32
  ParamValues params;
  std::vector<std::int64_t> shape;  ///< of the output
};

/// "listing5", "conv1x1", "conv3x3" or "depthwise". `steps` are the iterations of Listing 5's inner loop.
/// Throws Error on another name.
TextureKernel texture_kernel(const std::string& name, int steps);

}  // namespace tensordsl::bench
