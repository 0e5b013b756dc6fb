// SmartMem's four types of operators (its Tables 3 and 4), from definitions.
#pragma once

#include <string>
#include <vector>

#include "classify/classify.h"

namespace tensordsl::classify {

struct LayoutType {
  /// True if the operator's speed depends on the layouts of its inputs: it reuses elements, or reads along
  /// one dimension and writes along another.
  bool depends_on_input = false;
  /// True if readers may choose the layout of its output; otherwise it only moves the elements of its input.
  bool has_variable_output = false;

  friend bool operator==(const LayoutType&, const LayoutType&) = default;
};

/// A Func that is stored, with those that only it reads (the sum of a convolution), the stored one last.
/// `is_bijection`: it moves each element of its input to one position.
LayoutType layout_type_of(const std::vector<Classification>& funcs, bool is_bijection);

/// "ILD & Variable"
std::string to_string(LayoutType type);

}  // namespace tensordsl::classify
