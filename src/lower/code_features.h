// Features of the code that a backend prints; lowering emits nothing else.
#pragma once

#include <vector>

namespace tensordsl::lower {

/// Rounding of the integer division `/`. `%` is its remainder.
enum class IntegerDivision {
  Truncating,  // toward 0: reduce_strength replaces floored divisions where it can
  Flooring,    // toward minus infinity, as in the language
};

/// The widths of OpenCL's vectors.
inline const std::vector<int> kOpenClVectorWidths{2, 3, 4, 8, 16};

struct CodeFeatures {
  std::vector<int> vector_widths = kOpenClVectorWidths;
  IntegerDivision division = IntegerDivision::Truncating;
};

}  // namespace tensordsl::lower
