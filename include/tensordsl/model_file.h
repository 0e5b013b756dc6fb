// Tells of a model's file before any weight of it is read.
#pragma once

#include <string>
#include <vector>

namespace tensordsl {

/// Lists what loading a model needs and its file refers to.
struct ModelFile {
  std::vector<std::string> inputs;   ///< names, with those of initializers that are listed as inputs too
  std::vector<std::string> weights;  ///< files beside its own that have weights, relative to its folder
};

}  // namespace tensordsl
