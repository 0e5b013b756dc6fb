#include "hwprofile/report/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

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
  const std::string x_unit = unit_of(chart.x), y_unit = unit_of(chart.y);
  const Axis x(xs.low, xs.high, kLeft, kWidth - kRight, x_unit), y(ys.low, ys.high, kHeight - kBottom, kTop, y_unit);
  for (const double tick : x.ticks()) {
    svg.line({x.place(tick), kTop}, {x.place(tick), kHeight - kBottom}, "grid");
    svg.text({x.place(tick), kHeight - kBottom + 16}, quantity(tick, x_unit), "tick", Anchor::Middle);
  }
  for (const double tick : y.ticks()) {
    svg.line({kLeft, y.place(tick)}, {kWidth - kRight, y.place(tick)}, "grid");
    svg.text({kLeft - 6, y.place(tick) + 4}, quantity(tick, y_unit), "tick", Anchor::End);
  }
  svg.text({(kLeft + kWidth - kRight) / 2, kHeight - 10}, name_of(chart.x), "label", Anchor::Middle);
  svg.upright_text({16, (kTop + kHeight - kBottom) / 2}, name_of(chart.y), "label");
  constexpr std::size_t kColours = 6;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const Series& series = chart.series[s];
    const std::string colour = fmt::format("c{}", s % kColours);
    for (const bool is_second : {true, false}) {
      std::vector<Place> places;
      for (const ChartPoint& p : is_second ? series.again : series.points) places.push_back({x.place(p.x), y.place(p.y.median)});
      svg.path(places, fmt::format("curve {}{}", colour, is_second ? " again" : ""));
    }
    for (const ChartPoint& p : series.points) {
      svg.line({x.place(p.x), y.place(p.y.low)}, {x.place(p.x), y.place(p.y.high)}, "bar " + colour);
      svg.dot({x.place(p.x), y.place(p.y.median)}, 2.2, "dot " + colour,
              fmt::format("{}: {} at {}, between {} and {}", series.label, quantity(p.y.median, y_unit), quantity(p.x, x_unit), quantity(p.y.low, y_unit),
                          quantity(p.y.high, y_unit)));
    }
    if (chart.series.size() > 1) svg.text({kWidth - kRight - 4, kTop + 14 + 14 * static_cast<double>(s)}, series.label, "legend " + colour, Anchor::End);
  }
  for (std::size_t m = 0; m < chart.marks.size(); ++m) {
    const ChartMark& mark = chart.marks[m];
    if (mark.x < xs.low || mark.x > xs.high) continue;
    const bool is_right = x.place(mark.x) > 0.6 * kWidth;
    svg.line({x.place(mark.x), kTop}, {x.place(mark.x), kHeight - kBottom}, "mark");
    svg.text({x.place(mark.x) + (is_right ? -5 : 5), kHeight - kBottom - 8 - 14 * static_cast<double>(m)},
             fmt::format("{} ({})", mark.label, quantity(mark.x, x_unit)), "mark-label", is_right ? Anchor::End : Anchor::Start);
  }
  return svg.str();
}

}  // namespace tensordsl::hwprofile
