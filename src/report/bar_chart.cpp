#include <algorithm>
#include <cmath>

#include "base/json_text.h"
#include "report/assets.h"
#include "report/axis_scale.h"
#include "report/chart.h"
#include "report/quantity.h"
#include "report/series_style.h"
#include "report/specification.h"

namespace tensordsl::report {

using nlohmann::ordered_json;

std::string vega_specification(const BarChart& chart) {
  ordered_json spec = parse_json(asset_text("bar_chart.json"));
  ordered_json bars = ordered_json::array();
  std::vector<std::string> names, categories;
  std::vector<double> values{0};
  for (const BarSeries& series : chart.series) {
    names.push_back(series.name);
    for (const Bar& bar : series.bars) {
      if (!std::isfinite(bar.value) || !std::isfinite(bar.low) || !std::isfinite(bar.high)) continue;
      const std::string category = bar.category, label = quantity(bar.value, chart.y.unit);
      if (std::find(categories.begin(), categories.end(), category) == categories.end())
        categories.push_back(category);
      for (const double value : {bar.value, bar.low, bar.high}) values.push_back(value);
      bars.push_back({{"series", names.back()},
                      {"category", category},
                      {"value", bar.value},
                      {"low", bar.low},
                      {"high", bar.high},
                      {"label", label},
                      {"hint", names.back() + ": " +
                                   value_text(label, category, quantity(bar.low, chart.y.unit),
                                              quantity(bar.high, chart.y.unit))}});
    }
  }
  const ShownScale y = shown_scale({chart.y, AxisScale::Linear}, values);
  spec["title"]["text"] = chart.title;
  named(spec["data"], "bars")["values"] = bars;
  named(spec["scales"], "category")["domain"] = categories;
  named(spec["scales"], "y")["domain"] = {std::min(y.low, 0.0), y.high};
  named(spec["scales"], "color")["domain"] = names;
  for (std::size_t i = 0; i < names.size(); ++i)
    named(spec["scales"], "color")["range"].push_back(series_style(i).color);
  named(spec["marks"][0]["scales"], "place")["domain"] = names;
  named(spec["signals"], "legendWidth")["value"] = legend_entry_width(names);
  spec["axes"][0]["title"] = axis_title(chart.y);
  spec["axes"][0]["encode"]["labels"]["update"]["text"]["signal"] = tick_label(chart.y.unit);
  if (names.size() < 2) spec.erase("legends");
  return json_text(spec);
}

}  // namespace tensordsl::report
