// The scale that maps an axis's values to positions.
#pragma once

#include <vector>

#include "report/chart.h"

namespace tensordsl::report {

struct ShownScale {
  bool is_logarithmic = false;
  double low = 0, high = 1;   ///< the ends of the axis, low < high
  std::vector<double> ticks;  ///< round values of a logarithmic axis; for a linear one Vega chooses them

  /// True if the axis can show the value.
  bool shows(double value) const;
  /// The share of the axis from its beginning to the value's position.
  double share(double value) const;
};

/// Holds all `values` that it can show. A linear one begins at 0 where that is not far.
ShownScale shown_scale(const Axis& axis, const std::vector<double>& values);

}  // namespace tensordsl::report
