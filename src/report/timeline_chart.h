// Rectangles over time and address, such as tensors in memory over steps.
#pragma once

#include <string>
#include <vector>

#include "report/chart.h"

namespace tensordsl::report {

struct TimelineBar {
  std::string name;
  int first = 0, last = 0;   ///< steps, both included
  double low = 0, high = 0;  ///< extent along the other axis
  std::string hint;          ///< shown with its name
};

/// A picture of bars; those that overlap are drawn so.
struct Timeline {
  std::string title;
  std::string step;  ///< "launch"
  Quantity y;
  std::vector<TimelineBar> bars;
  std::vector<Mark> marks;    ///< At::Y: level lines with labels
  std::vector<double> rules;  ///< level lines that part the bars
};

/// The picture as an SVG element, without a program.
std::string timeline_svg(const Timeline& timeline);

}  // namespace tensordsl::report
