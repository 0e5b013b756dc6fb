// What the code that kernels become can say: lowering gives nothing else.
#pragma once

#include <vector>

namespace tensordsl::lower {

/// How `/` of integers rounds; `%` is what that leaves.
enum class IntegerDivision {
  Truncating,  // toward 0: reduce_strength makes such divisions of the language's, which floor, where it can
  Flooring,    // as the language's: they stay as they are
};

/// Lanes of vectors beside 1.
inline const std::vector<int> kOpenClVectorWidths{2, 3, 4, 8, 16};

struct CodeFeatures {
  std::vector<int> vector_widths = kOpenClVectorWidths;
  IntegerDivision division = IntegerDivision::Truncating;
};

}  // namespace tensordsl::lower
