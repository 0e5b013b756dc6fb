// Parses the equation of an Einsum, such as "bij,bjk->bik".
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ops/tensor_info.h"

namespace tensordsl::ops {

struct EinsumEquation {
  /// A letter, or a dimension that the ellipsis stands for: 256 for the last one, 257 for the one before it,
  /// ..
  using Label = int;

  /// Parses an Einsum equation for inputs of these shapes. Throws ModelError on text that is not a valid
  /// equation for them, ShapeError on extents that do not fit.
  EinsumEquation(const std::string& text, const std::vector<Shape>& shapes);

  std::vector<std::vector<Label>>
      inputs;                 ///< a label for each dimension; one may occur twice, which is a diagonal
  std::vector<Label> output;  ///< each once; others are summed over
  std::vector<Label> summed;  ///< summed labels in the order in which they first occur
  std::map<Label, Size> extents;
};

}  // namespace tensordsl::ops
