#include <algorithm>
#include <cmath>
#include <cstddef>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/filter.hpp>

#include "base/json_text.h"
#include "report/assets.h"
#include "report/axis_scale.h"
#include "report/chart.h"
#include "report/quantity.h"
#include "report/series_style.h"
#include "report/specification.h"

namespace tensordsl::report {
namespace {

using nlohmann::ordered_json;

/// All values that have to be on the axis.
std::vector<double> values_at(const LineChart& chart, Mark::At at) {
  std::vector<double> values;
  for (const Series& series : chart.series) {
    for (const auto& run : series.runs) {
      for (const Point& p : run) values.push_back(at == Mark::At::X ? p.x : p.y);
    }
  }
  for (const Mark& mark : chart.marks) {
    if (mark.at == at) values.push_back(mark.value);
  }
  return values;
}

ordered_json points_of(const LineChart& chart, const ShownScale& x, const ShownScale& y) {
  ordered_json points = ordered_json::array();
  for (const Series& series : chart.series) {
    for (std::size_t run = 0; run < series.runs.size(); ++run) {
      for (const Point& p : series.runs[run]) {
        if (!x.shows(p.x) || !y.shows(p.y)) continue;
        const std::string unit = chart.y.what.unit;
        points.push_back({{"series", series.name},
                          {"run", run},
                          {"x", p.x},
                          {"y", p.y},
                          // Ends that the axis does not show are at its ends.
                          {"low", y.shows(p.low) ? std::clamp(p.low, y.low, y.high) : p.y},
                          {"high", y.shows(p.high) ? std::clamp(p.high, y.low, y.high) : p.y},
                          {"hint", (p.name.empty() ? series.name : p.name) + ": " +
                                       value_text(quantity(p.y, unit), quantity(p.x, chart.x.what.unit),
                                                  quantity(p.low, unit), quantity(p.high, unit))}});
        if (series.is_scattered) points.back()["scattered"] = true;
      }
    }
  }
  return points;
}

/// Places the labels of points beside them, where no other label and no other point is; a label without such
/// a place is left out. Positions are in pixels of a chart of the width that is usual on a page.
ordered_json point_labels(const LineChart& chart, const ShownScale& x, const ShownScale& y) {
  constexpr double kWidth = 440, kHeight = 250, kCharacter = 6, kLine = 10, kGap = 5;
  struct Box {
    double left, top, right, bottom;
  };
  std::vector<Box> taken;
  const auto is_free = [&](const Box& box) {
    return box.left >= 0 && box.right <= kWidth && box.top >= 0 && box.bottom <= kHeight &&
           std::ranges::none_of(taken, [&](const Box& other) {
             return box.left < other.right && other.left < box.right && box.top < other.bottom &&
                    other.top < box.bottom;
           });
  };
  const auto for_each_label = [&](const auto& visit) {
    for (const Series& series : chart.series) {
      for (const auto& run : series.runs) {
        for (const Point& p : run) {
          if (!p.label.empty() && x.shows(p.x) && y.shows(p.y))
            visit(p, x.share(p.x) * kWidth, (1 - y.share(p.y)) * kHeight);
        }
      }
    }
  };
  for_each_label([&](const Point&, double at_x, double at_y) {
    taken.push_back({at_x - 3, at_y - 3, at_x + 3, at_y + 3});
  });
  ordered_json labels = ordered_json::array();
  for_each_label([&](const Point& p, double at_x, double at_y) {
    const double width = kCharacter * static_cast<double>(p.label.size());
    struct Side {
      const char *align, *baseline;
      double dx, dy;
    };
    for (const Side& side : {Side{"left", "middle", kGap, 0}, Side{"right", "middle", -kGap, 0},
                             Side{"center", "bottom", 0, -kGap}, Side{"center", "top", 0, kGap}}) {
      const double left = at_x + side.dx - (side.dx == 0 ? width / 2 : side.dx < 0 ? width : 0);
      const double top = at_y + side.dy - (side.dy == 0 ? kLine / 2 : side.dy < 0 ? kLine : 0);
      const Box box{left, top, left + width, top + kLine};
      if (!is_free(box)) continue;
      taken.push_back(box);
      labels.push_back({{"label", p.label},
                        {"x", p.x},
                        {"y", p.y},
                        {"align", side.align},
                        {"baseline", side.baseline},
                        {"dx", side.dx},
                        {"dy", side.dy}});
      return;
    }
  });
  return labels;
}

/// Labels stand in rows above the chart, each at its line. Those of the left half go to the right, and the
/// leftmost is the highest, so that no line crosses the label of another; the right half the other way round.
ordered_json upright_marks(const LineChart& chart, const ShownScale& x) {
  const auto is_shown = [&](const Mark& mark) { return mark.at == Mark::At::X && x.shows(mark.value); };
  auto marks = chart.marks | ranges::views::filter(is_shown) | ranges::to<std::vector>();
  std::stable_sort(marks.begin(), marks.end(),
                   [](const Mark& a, const Mark& b) { return a.value > b.value; });
  ordered_json values = ordered_json::array();
  for (std::size_t row = 0; row < marks.size(); ++row)
    values.push_back({{"value", marks[row].value}, {"label", marks[row].label}, {"row", row}});
  return values;
}

/// Places each label at its line: above it at the right end or, where lines are close, at the left end, and
/// then below.
ordered_json level_marks(const LineChart& chart, const ShownScale& y) {
  const auto is_shown = [&](const Mark& mark) { return mark.at == Mark::At::Y && y.shows(mark.value); };
  auto marks = chart.marks | ranges::views::filter(is_shown) | ranges::to<std::vector>();
  std::stable_sort(marks.begin(), marks.end(),
                   [](const Mark& a, const Mark& b) { return a.value > b.value; });
  constexpr double kNear = 0.15;  // of the axis: two labels high
  ordered_json values = ordered_json::array();
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const auto near =
        std::count_if(marks.begin(), marks.begin() + static_cast<std::ptrdiff_t>(i),
                      [&](const Mark& m) { return y.share(m.value) - y.share(marks[i].value) < kNear; });
    values.push_back({{"value", marks[i].value}, {"label", marks[i].label}, {"slot", near}});
  }
  return values;
}

void fill_scale(ordered_json& scale, const ShownScale& shown, const Quantity& what) {
  scale["type"] = shown.is_logarithmic ? "log" : "linear";
  if (shown.is_logarithmic && what.unit == "B") scale["base"] = 2;
  scale["domain"] = {shown.low, shown.high};
}

/// True if the axis counts something, so that ticks between whole numbers say nothing.
bool is_count(const Quantity& what, const std::vector<double>& values) {
  return what.unit.empty() &&
         std::ranges::all_of(values, [](double value) { return value == std::floor(value); });
}

void fill_axis(ordered_json& axis, const ShownScale& shown, const Quantity& what,
               const std::vector<double>& values) {
  if (is_count(what, values)) axis["tickMinStep"] = 1;
  if (!shown.ticks.empty()) {
    axis["values"] = shown.ticks;
    axis.erase("tickCount");  // it would leave every other value out
  }
  axis["title"] = axis_title(what);
  axis["encode"]["labels"]["update"]["text"]["signal"] = tick_label(what.unit);
}

}  // namespace

std::string vega_specification(const LineChart& chart) {
  ordered_json spec = parse_json(asset_text("line_chart.json"));
  const std::vector<double> xs = values_at(chart, Mark::At::X), ys = values_at(chart, Mark::At::Y);
  const ShownScale x = shown_scale(chart.x, xs), y = shown_scale(chart.y, ys);
  spec["title"]["text"] = chart.title;
  named(spec["data"], "points")["values"] = points_of(chart, x, y);
  named(spec["data"], "uprightMarks")["values"] = upright_marks(chart, x);
  named(spec["data"], "levelMarks")["values"] = level_marks(chart, y);
  named(spec["data"], "pointLabels")["values"] = point_labels(chart, x, y);
  fill_scale(named(spec["scales"], "x"), x, chart.x.what);
  fill_scale(named(spec["scales"], "y"), y, chart.y.what);
  fill_axis(spec["axes"][0], x, chart.x.what, xs);
  fill_axis(spec["axes"][1], y, chart.y.what, ys);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const SeriesStyle style = series_style(i);
    names.push_back(chart.series[i].name);
    named(spec["scales"], "color")["range"].push_back(style.color);
    const bool is_scattered = chart.series[i].is_scattered;
    named(spec["scales"], "dash")["range"].push_back(is_scattered ? std::vector<int>{} : style.dash);
    named(spec["scales"], "symbol")["range"].push_back(style.symbol);
    named(spec["scales"], "legendSymbol")["range"].push_back(is_scattered ? style.symbol : "stroke");
  }
  for (const char* scale : {"color", "dash", "symbol", "legendSymbol"})
    named(spec["scales"], scale)["domain"] = names;
  named(spec["signals"], "legendWidth")["value"] = legend_entry_width(names);
  if (names.size() < 2) spec.erase("legends");
  return json_text(spec);
}

}  // namespace tensordsl::report
