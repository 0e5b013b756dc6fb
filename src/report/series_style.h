// Styles that distinguish series.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tensordsl::report {

struct SeriesStyle {
  std::string color;      ///< a CSS color that can be read on the page, in light and in dark mode
  std::vector<int> dash;  ///< lengths of strokes and gaps, in pixels; unbroken if empty
  std::string symbol;     ///< symbol of its points

  friend bool operator==(const SeriesStyle&, const SeriesStyle&) = default;
};

/// Returns the style of series `index` of a chart. Fifty-six series in a row have different pairs of color
/// and dash, and neighbors differ in both.
SeriesStyle series_style(std::size_t index);

}  // namespace tensordsl::report
