#include "hwprofile/report/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "hwprofile/report/axis.h"
#include "hwprofile/report/quantity.h"
#include "hwprofile/report/svg.h"

namespace tensordsl::hwprofile {
namespace {

constexpr double kWidth = 520, kHeight = 330;
constexpr double kLeft = 92, kRight = 14, kTop = 34, kBottom = 48;

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = 0;

  void hold(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

/// Where names of series hide the fewest points: a column of lines at the right, from the top down or above
/// the bottom.
double legend_top(const Chart& chart, const Axis& x, const Axis& y) {
  const double height = 14 * static_cast<double>(chart.series.size()),
               tops[] = {kTop + 14, kHeight - kBottom - height};
  int hidden[] = {0, 0};
  for (const Series& series : chart.series) {
    for (const ChartPoint& p : series.points) {
      if (x.place(p.x) < 0.6 * kWidth) continue;
      for (int corner = 0; corner < 2; ++corner) {
        const double place = y.place(p.y.median);
        hidden[corner] += place > tops[corner] - 14 && place < tops[corner] + height;
      }
    }
  }
  return tops[hidden[1] < hidden[0]];
}

bool has_columns(const Chart& chart) {
  return std::all_of(chart.series.begin(), chart.series.end(),
                     [](const Series& s) { return s.points.size() <= 2; });
}

}  // namespace

std::string draw(const Chart& chart) {
  Svg svg(kWidth, kHeight, chart.title);
  Range xs, ys;
  for (const Series& series : chart.series) {
    for (const auto* points : {&series.points, &series.again}) {
      for (const ChartPoint& p : *points) {
        xs.hold(p.x);
        ys.hold(p.y.median);
      }
    }
  }
  svg.text({kLeft, 18}, chart.title, "title");
  if (!(xs.low <= xs.high)) return svg.str();
  const bool is_columns = has_columns(chart);
  if (is_columns) ys.low = 0;
  const std::string x_unit = unit_of(chart.x), y_unit = unit_of(chart.y);
  const Axis x(xs.low, xs.high, kLeft, kWidth - kRight, x_unit),
      y(ys.low, ys.high, kHeight - kBottom, kTop, y_unit);
  // Columns stand beside each other, wherever on the axis they would be.
  std::set<double> values;
  for (const Series& series : chart.series) {
    for (const ChartPoint& p : series.points) values.insert(p.x);
  }
  const auto x_place = [&](double value) {
    if (!is_columns) return x.place(value);
    const auto rank = static_cast<double>(std::distance(values.begin(), values.lower_bound(value)));
    return kLeft + (rank + 0.5) / static_cast<double>(values.size()) * (kWidth - kRight - kLeft);
  };
  for (const double tick : is_columns ? std::vector<double>(values.begin(), values.end()) : x.ticks()) {
    if (!is_columns) svg.line({x_place(tick), kTop}, {x_place(tick), kHeight - kBottom}, "grid");
    svg.text({x_place(tick), kHeight - kBottom + 16}, quantity(tick, x_unit), "tick", Anchor::Middle);
  }
  for (const double tick : y.ticks()) {
    svg.line({kLeft, y.place(tick)}, {kWidth - kRight, y.place(tick)}, "grid");
    svg.text({kLeft - 6, y.place(tick) + 4}, quantity(tick, y_unit), "tick", Anchor::End);
  }
  svg.text({(kLeft + kWidth - kRight) / 2, kHeight - 10}, name_of(chart.x), "label", Anchor::Middle);
  svg.upright_text({16, (kTop + kHeight - kBottom) / 2}, name_of(chart.y), "label");
  constexpr std::size_t kColors = 6;
  constexpr double kColumn = 46;
  const double legend = legend_top(chart, x, y);
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const Series& series = chart.series[s];
    const std::string color = fmt::format("c{}", s % kColors);
    for (const bool is_second : {true, false}) {
      if (is_columns) break;
      std::vector<Place> places;
      for (const ChartPoint& p : is_second ? series.again : series.points)
        places.push_back({x_place(p.x), y.place(p.y.median)});
      svg.path(places, fmt::format("curve {}{}", color, is_second ? " again" : ""));
    }
    for (const ChartPoint& p : series.points) {
      if (is_columns) {
        const double top = y.place(p.y.median),
                     left = x_place(p.x) - kColumn / 2 + 6 * static_cast<double>(s);
        svg.rectangle({left, top}, kColumn, kHeight - kBottom - top, "column " + color);
      }
      svg.line({x_place(p.x), y.place(p.y.low)}, {x_place(p.x), y.place(p.y.high)}, "bar " + color);
      svg.dot({x_place(p.x), y.place(p.y.median)}, 2.2, "dot " + color,
              fmt::format("{}: {} at {}, between {} and {}", series.label, quantity(p.y.median, y_unit),
                          quantity(p.x, x_unit), quantity(p.y.low, y_unit), quantity(p.y.high, y_unit)));
    }
    if (chart.series.size() > 1)
      svg.text({kWidth - kRight - 4, legend + 14 * static_cast<double>(s)}, series.label, "legend " + color,
               Anchor::End);
  }
  for (std::size_t m = 0; m < chart.marks.size(); ++m) {
    const ChartMark& mark = chart.marks[m];
    if (mark.x < xs.low || mark.x > xs.high) continue;
    const bool is_right = x_place(mark.x) > 0.6 * kWidth;
    svg.line({x_place(mark.x), kTop}, {x_place(mark.x), kHeight - kBottom}, "mark");
    svg.text({x_place(mark.x) + (is_right ? -5 : 5), kHeight - kBottom - 8 - 14 * static_cast<double>(m)},
             fmt::format("{} ({})", mark.label, quantity(mark.x, x_unit)), "mark-label",
             is_right ? Anchor::End : Anchor::Start);
  }
  return svg.str();
}

}  // namespace tensordsl::hwprofile
