#include "hwprofile/report/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "hwprofile/named_fields.h"
#include "hwprofile/report/architecture.h"
#include "hwprofile/report/axis.h"
#include "hwprofile/report/chart.h"
#include "hwprofile/report/quantity.h"
#include "hwprofile/report/roofline.h"
#include "hwprofile/report/svg.h"

namespace tensordsl::hwprofile {
namespace {

constexpr const char* kStyle = R"css(
:root { --ink: #1d2733; --soft: #64748b; --paper: #ffffff; --card: #f7f9fb; --rule: #dfe5ec;
  --c0: #2563a8; --c1: #c2410c; --c2: #15803d; --c3: #7e3fb0; --c4: #a16207; --c5: #0e7490; --mark: #be123c; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e5eaf0; --soft: #94a3b8; --paper: #11161d; --card: #19212b; --rule: #2c3743;
    --c0: #6ea8e8; --c1: #f08a5d; --c2: #6cc48a; --c3: #bf93e8; --c4: #d9b45b; --c5: #5cc3d6;
    --mark: #fb7185; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 28px 24px 60px; max-width: 1160px; background: var(--paper);
color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h1 { font-size: 26px; margin: 0; } h2 { font-size: 18px; margin: 36px 0 4px; } p { margin: 2px 0 12px;
color: var(--soft); }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(460px, 100%), 1fr)); gap: 14px; }
.card { background: var(--card); border: 1px solid var(--rule); border-radius: 8px; padding: 8px; }
svg { width: 100%; height: auto; display: block; font-size: 12px; }
svg text { fill: var(--ink); } .title { font-weight: 600; font-size: 13px; }
svg .tick, svg .label { fill: var(--soft); }
.grid { stroke: var(--rule); } .curve { fill: none; stroke-width: 1.6; } .again { opacity: .35; }
.bar { opacity: .45; }
.c0 { stroke: var(--c0); --c: var(--c0); } .c1 { stroke: var(--c1); --c: var(--c1); }
.c2 { stroke: var(--c2); --c: var(--c2); }
.c3 { stroke: var(--c3); --c: var(--c3); } .c4 { stroke: var(--c4); --c: var(--c4); }
.c5 { stroke: var(--c5); --c: var(--c5); }
.dot, .column { fill: var(--c); stroke: none; } .column { opacity: .35; } svg text.legend { fill: var(--c);
stroke: none; }
.mark { stroke: var(--mark); stroke-dasharray: 4 3; } svg text.mark-label { fill: var(--mark);
font-size: 11px; }
.box { fill: var(--paper); stroke: var(--soft); } .unit { fill: var(--card); } .alu { stroke: var(--c1); }
.register { stroke: var(--c3); }
.local { stroke: var(--c2); } .cache { stroke: var(--c0); } .memory { stroke: var(--c4); }
.box-heading { font-weight: 600; font-size: 14px; } svg text.box-text { font-size: 13px; fill: var(--soft); }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
td, th { text-align: left; padding: 3px 12px 3px 0; border-bottom: 1px solid var(--rule); }
th { color: var(--soft); font-weight: 500; }
.guess, .unknown { color: var(--soft); }
)css";

/// Rows of the table of all figures.
class Rows : public NamedFields<Rows> {
 public:
  std::string html;

  void numbers(const char* name, const std::vector<int>& values) {
    if (!values.empty()) row(name, fmt::format("{}", fmt::join(values, ", ")), "reported by the driver", "");
  }
  void field(const char* name, const char* unit, const std::optional<Measurement>& f) {
    if (!f) return row(name, "not seen", "", "");
    const std::string range =
        f->low == f->high ? "" : fmt::format("{} to {}", quantity(f->low, unit), quantity(f->high, unit));
    row(name, quantity(f->value, unit), f->confident ? "confident" : "a guess", range);
  }
  void field(const char* name, const char*, const std::optional<BoolMeasurement>& f) {
    if (!f) return row(name, "not seen", "", "");
    row(name, f->value ? "yes" : "no", f->confident ? "confident" : "a guess", "");
  }

 private:
  void row(const std::string& name, const std::string& value, const std::string& confidence,
           const std::string& range) {
    const char* style = value == "not seen"       ? " class=\"unknown\""
                        : confidence == "a guess" ? " class=\"guess\""
                                                  : "";
    html += fmt::format("<tr{}><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", style,
                        escaped(full_name(name)), value, confidence, range);
  }
};

std::vector<ChartPoint> points_of(const Sweep& sweep) {
  const auto y = estimates(sweep);
  std::vector<ChartPoint> points;
  for (std::size_t i = 0; i < y.size(); ++i) points.push_back({sweep.points[i], y[i]});
  return points;
}

/// Curves over the same parameter in the same unit share a chart, as in Romou's figures 5 and 6.
std::vector<Chart> charts_of(const ProbeResult& result) {
  std::vector<Chart> charts;
  if (result.passes.empty()) return charts;
  for (const Curve& curve : result.passes[0].curves) {
    const Curve* second =
        result.passes.size() > 1 ? find_curve(result.passes[1].curves, curve.name) : nullptr;
    const Series series{curve.name, points_of(curve.sweep),
                        second ? points_of(second->sweep) : std::vector<ChartPoint>()};
    auto chart = std::find_if(charts.begin(), charts.end(),
                              [&](const Chart& c) { return c.x == curve.x && c.y == curve.y; });
    if (chart == charts.end()) {
      charts.push_back({curve.name, curve.x, curve.y, {}, {}});
      chart = charts.end() - 1;
    } else {
      chart->title = fmt::format("{} over {}", name_of(curve.y), name_of(curve.x));
    }
    chart->series.push_back(series);
    for (const Mark& mark : result.marks) {
      const bool is_new = std::none_of(chart->marks.begin(), chart->marks.end(), [&](const ChartMark& m) {
        return m.x == mark.x && m.label == mark.label;
      });
      if (mark.curve == curve.name && is_new) chart->marks.push_back({mark.x, mark.label});
    }
  }
  // Where each of several curves is fastest is no news of the chart.
  for (Chart& chart : charts) {
    if (chart.series.size() > 3) chart.marks.clear();
  }
  return charts;
}

std::string section(const ProbeResult& result) {
  const auto probe = std::find_if(all_probes().begin(), all_probes().end(),
                                  [&](const Probe& p) { return p.name == result.probe; });
  std::string html = fmt::format("<h2>{}</h2>\n<p>{}</p>\n", escaped(result.probe),
                                 probe == all_probes().end() ? "" : escaped(probe->about));
  for (const ProbePass& pass : result.passes) {
    if (!pass.error.empty()) html += fmt::format("<p>could not be run: {}</p>\n", escaped(pass.error));
  }
  const std::vector<Chart> charts = charts_of(result);
  if (charts.empty()) html += "<p>This device was asked nothing here.</p>\n";
  html += "<div class=\"charts\">\n";
  for (const Chart& chart : charts) html += "<div class=\"card\">" + draw(chart) + "</div>\n";
  return html + "</div>\n";
}

}  // namespace

std::string report_page(const DeviceProfile& measured) {
  const HwProfile& profile = measured.profile;
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width\">\n"
      "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n<p>driver {2}</p>\n",
      escaped(profile.device), kStyle, escaped(profile.driver));
  html += "<div class=\"card\">" + draw_architecture(profile) + "</div>\n";
  if (const std::string roofline = draw_roofline(profile); !roofline.empty()) {
    html +=
        "<h2>roofline</h2>\n<p>what a kernel can reach at most, by the operations that it makes of each byte "
        "it reads</p>\n<div class=\"charts\"><div class=\"card\">" +
        roofline + "</div></div>\n";
  }
  Rows rows;
  visit_fields(profile, rows);
  html +=
      "<h2>figures</h2>\n<p>of two passes over all probes; a figure is confident if both agree</p>\n<table>\n"
      "<tr><th>parameter</th><th>found</th><th></th><th>between</th></tr>\n" +
      rows.html + "</table>\n";
  for (const ProbeResult& result : measured.results) html += section(result);
  return html + "</body>\n</html>\n";
}

}  // namespace tensordsl::hwprofile
