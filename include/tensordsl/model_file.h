// Contents of a model's file, known before any weight of it is read.
#pragma once

#include <string>
#include <vector>

namespace tensordsl {

/// Names of the inputs in a model's file, and of the files of weights that it refers to.
struct ModelFile {
  std::vector<std::string> inputs;   ///< names, including initializers that are listed as inputs
  std::vector<std::string> weights;  ///< external files that have weights, relative to the model's folder
};

}  // namespace tensordsl
