// A chart of curves over one parameter.
#pragma once

#include <string>
#include <vector>

#include "hwprofile/analysis/sweep.h"

namespace tensordsl::hwprofile {

struct ChartPoint {
  double x = 0;
  Estimate y;
};

struct Series {
  std::string label;
  std::vector<ChartPoint> points;
  std::vector<ChartPoint> again;  ///< what a second pass measured
};

/// A place on the x axis that says something.
struct ChartMark {
  double x = 0;
  std::string label;
};

struct Chart {
  std::string title, x, y;  ///< of the axes with their unit in brackets, "footprint (B)"
  std::vector<Series> series;
  std::vector<ChartMark> marks;
};

/// Axes are logarithmic where values span more than a factor of thirty. Medians are joined, intervals are
/// bars, the second pass is faint; of two points or one, each is a column.
std::string draw(const Chart& chart);

}  // namespace tensordsl::hwprofile
