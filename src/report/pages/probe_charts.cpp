#include "report/pages/probe_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/pages/figure_marks.h"
#include "report/quantity.h"

namespace tensordsl::report {
namespace {

using hwprofile::Curve;
using hwprofile::ProbePass;
using hwprofile::ProbeResult;
using hwprofile::Sweep;

std::vector<Point> points_of(const Sweep& sweep) {
  const auto y = estimates(sweep);
  std::vector<Point> points;
  for (std::size_t i = 0; i < y.size(); ++i)
    points.push_back({sweep.points[i], y[i].median, y[i].low, y[i].high});
  return points;
}

/// Names the points of "0: along rows, 1: along columns"; nothing of an axis that is a number's.
std::map<double, std::string> choices_of(const std::string& axis) {
  std::map<double, std::string> choices;
  for (std::size_t at = 0; at < axis.size();) {
    const std::size_t end = std::min(axis.find(", ", at), axis.size()), colon = axis.find(": ", at);
    if (colon == std::string::npos || colon > end || axis.find_first_not_of("0123456789", at) != colon)
      return {};
    choices[std::stod(axis.substr(at, colon - at))] = axis.substr(colon + 2, end - colon - 2);
    at = end + 2;
  }
  return choices;
}

constexpr std::size_t kFewPoints = 2;  // between which a curve says nothing

BarChart bar_chart(const Curve& curve, const Curve* second) {
  const auto choices = choices_of(curve.x);
  BarChart chart{curve.name, quantity_of_axis(curve.y), {}};
  for (const auto& [name, pass] : {std::pair{"first pass", &curve}, {"second pass", second}}) {
    if (!pass) continue;
    BarSeries series{name, {}};
    for (const Point& p : points_of(pass->sweep)) {
      const auto choice = choices.find(p.x);
      const Quantity x = quantity_of_axis(curve.x);
      const std::string category = choice != choices.end() ? choice->second
                                   : curve.sweep.points.size() == 1
                                       ? x.name
                                       : fmt::format("{} {}", quantity(p.x, x.unit), x.name);
      series.bars.push_back({category, p.y, p.low, p.high});
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

/// A chart to which more curves are added.
struct Group {
  std::string x, y;
  LineChart chart;
};

void add_curve(std::vector<Group>& groups, const ProbeResult& result, const Curve& curve, const Curve* second,
               const HwProfile& profile) {
  auto group = std::find_if(groups.begin(), groups.end(),
                            [&](const Group& g) { return g.x == curve.x && g.y == curve.y; });
  const Quantity x = quantity_of_axis(curve.x), y = quantity_of_axis(curve.y);
  if (group == groups.end()) {
    groups.push_back({curve.x, curve.y, {curve.name, {x, {}}, {y, {}}, {}, {}}});
    group = groups.end() - 1;
  } else {
    group->chart.title = fmt::format("{} over {}", y.name, x.name);
  }
  Series series{curve.name, {points_of(curve.sweep)}};
  if (second) series.runs.push_back(points_of(second->sweep));
  group->chart.series.push_back(std::move(series));
  auto& marks = group->chart.marks;
  for (Mark& mark : figure_marks(result.probe, curve, profile)) {
    const bool is_new =
        std::none_of(marks.begin(), marks.end(), [&](const Mark& m) { return m.label == mark.label; });
    if (is_new) marks.push_back(std::move(mark));
  }
}

}  // namespace

std::vector<Element> probe_charts(const ProbeResult& result, const HwProfile& profile) {
  if (result.passes.empty()) return {};
  std::vector<Group> groups;
  std::vector<Element> charts, bars;
  for (const Curve& curve : result.passes[0].curves) {
    const Curve* second =
        result.passes.size() > 1 ? find_curve(result.passes[1].curves, curve.name) : nullptr;
    if (curve.sweep.points.size() <= kFewPoints) {
      bars.emplace_back(bar_chart(curve, second));
    } else {
      add_curve(groups, result, curve, second, profile);
    }
  }
  for (Group& group : groups) charts.emplace_back(std::move(group.chart));
  charts.insert(charts.end(), bars.begin(), bars.end());
  return charts;
}

}  // namespace tensordsl::report
