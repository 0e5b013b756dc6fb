// The scale that maps an axis's values to positions.
#pragma once

#include <vector>

#include "report/chart.h"

namespace tensordsl::report {

struct ShownScale {
  bool is_logarithmic = false;
  double low = 0, high = 1;   ///< where the axis begins and ends, low < high
  std::vector<double> ticks;  ///< of a logarithmic one, round values; of a linear one, left to Vega

  /// True if the axis can show the value.
  bool shows(double value) const;
  /// The share of the axis from its beginning to the value's position.
  double share(double value) const;
};

/// Holds all `values` that it can show. A linear one begins at 0 where that is not far.
ShownScale shown_scale(const Axis& axis, const std::vector<double>& values);

}  // namespace tensordsl::report
