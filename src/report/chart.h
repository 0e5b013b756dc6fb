// Charts as data. Their styles are in assets/.
#pragma once

#include <string>
#include <vector>

namespace tensordsl::report {

/// The quantity along an axis.
struct Quantity {
  std::string name;  ///< "footprint"
  std::string unit;  ///< "B"; none if empty. report/quantity.h has the units that get prefixes.
};

enum class AxisScale { Automatic, Linear, Logarithmic };

struct Axis {
  Quantity what;
  /// Automatic: logarithmic where all values are over 0 and span more than a factor of thirty.
  AxisScale scale = AxisScale::Automatic;
};

/// A value with the interval that it is in; both ends are the value if there is none.
struct Point {
  double x = 0, y = 0;
  double low = 0, high = 0;  // of y
  std::string label = {};    ///< short text at the point, left out where others stand; none if empty
  std::string name = {};     ///< shown for the pointer in place of the series' name, if it is not empty

  static Point exact(double x, double y) { return {x, y, y, y}; }
};

struct Series {
  std::string name;  ///< unique in its chart
  /// The curve, measured once or several times: the first run is drawn solid, the others faint.
  std::vector<std::vector<Point>> runs;
  bool is_scattered = false;  ///< points that no line joins
};

/// A line across the chart that says something, with its label at its end.
struct Mark {
  enum class At { X, Y };  ///< upright at a value of x, or level at a value of y
  At at = At::X;
  double value = 0;
  std::string label;
};

/// Curves over a number. Values that are not finite, or not over 0 on a logarithmic axis, are left out.
struct LineChart {
  std::string title;
  Axis x, y;
  std::vector<Series> series;  ///< series of the chart; if there are several, a legend below the curves names
                               ///< them
  std::vector<Mark> marks;
};

struct Bar {
  std::string category;
  double value = 0, low = 0, high = 0;
};

struct BarSeries {
  std::string name;  ///< unique in its chart
  std::vector<Bar> bars;
};

/// Bars next to each other, named below, in the order in which categories come. Those whose values are not
/// finite are left out.
struct BarChart {
  std::string title;
  Quantity y;
  std::vector<BarSeries> series;
};

/// The chart as a Vega specification, in JSON.
std::string vega_specification(const LineChart& chart);
std::string vega_specification(const BarChart& chart);

}  // namespace tensordsl::report
