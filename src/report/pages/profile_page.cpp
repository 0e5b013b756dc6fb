#include "report/pages/profile_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "hwprofile/analysis/autobroadcast.h"
#include "hwprofile/named_fields.h"
#include "hwprofile/profiling/unsteady_lines.h"
#include "report/pages/architecture_box.h"
#include "report/pages/probe_charts.h"
#include "report/pages/roofline_chart.h"
#include "report/quantity.h"

namespace tensordsl::report {
namespace {

using hwprofile::DeviceProfile;
using hwprofile::Probe;
using hwprofile::ProbePass;
using hwprofile::ProbeResult;

/// Rows of the table of all figures.
class Rows : public hwprofile::NamedFields<Rows> {
 public:
  std::vector<Table::Row> all;

  void numbers(const char* name, const std::vector<int>& values) {
    if (!values.empty()) row(name, fmt::format("{}", fmt::join(values, ", ")), "reported by the driver", "");
  }
  void steps(const char* name, const std::vector<OccupancyStep>& steps) {
    std::vector<std::string> parts;
    for (const OccupancyStep& step : steps)
      parts.push_back(fmt::format("{} to {}", step.items, step.registers));
    if (!parts.empty()) row(name, fmt::format("{}", fmt::join(parts, ", ")), "work-items to registers", "");
  }
  void field(const char* name, const char* unit, const std::optional<Measurement>& f) {
    if (!f) return row(name, "not seen", "", "");
    const std::string low = quantity(f->low, unit), high = quantity(f->high, unit);
    row(name, quantity(f->value, unit), f->confident ? "confident" : "a guess",
        low == high ? "" : fmt::format("{} to {}", low, high));
  }
  void field(const char* name, const char*, const std::optional<BoolMeasurement>& f) {
    if (!f) return row(name, "not seen", "", "");
    row(name, f->value ? "yes" : "no", f->confident ? "confident" : "a guess",
        std::string_view(name) == "autobroadcast_pays" ? reason_of_autobroadcast(f->value) : "");
  }

 private:
  /// Tells the limit, since a speedup a little below 1 pays too.
  static std::string reason_of_autobroadcast(bool pays) {
    return fmt::format("autobroadcast_speedup is {} {}", pays ? "over" : "at most",
                       hwprofile::kLeastAutobroadcastSpeedup);
  }

  void row(const char* name, const std::string& value, const std::string& confidence,
           const std::string& range) {
    all.push_back(
        {{full_name(name), value, confidence, range}, value == "not seen" || confidence == "a guess"});
  }
};

Section section_of(const ProbeResult& result, const HwProfile& profile) {
  Section section{result.probe, {}};
  for (const Probe& probe : hwprofile::all_probes()) {
    if (probe.name == result.probe) section.elements.emplace_back(Paragraph{std::string(probe.about)});
  }
  bool has_failed = false;
  for (std::size_t pass = 0; pass < result.passes.size(); ++pass) {
    const auto& [curves, calibrations, error] = result.passes[pass];
    if (error.empty()) continue;
    has_failed = true;
    section.elements.emplace_back(
        Paragraph{fmt::format("The {} pass {}: {}", pass == 0 ? "first" : "second",
                              curves.empty() ? "could not be run" : "did not end", error)});
  }
  for (const std::string& line : hwprofile::unsteady_lines({result}))
    section.elements.emplace_back(Paragraph{line});
  std::vector<Element> charts = probe_charts(result, profile);
  if (charts.empty() && !has_failed) charts.emplace_back(Paragraph{"This probe did not run on this device."});
  section.elements.insert(section.elements.end(), charts.begin(), charts.end());
  return section;
}

}  // namespace

Page profile_page(const DeviceProfile& measured,
                  const std::vector<std::pair<std::string, std::string>>& facts,
                  const std::vector<std::string>& notes) {
  const HwProfile& profile = measured.profile;
  Page page{profile.device, {}, {}};
  if (!profile.driver.empty()) page.facts.emplace_back("driver", profile.driver);
  page.facts.insert(page.facts.end(), facts.begin(), facts.end());
  for (const std::string& source : profile.sources) page.facts.emplace_back("source", source);
  if (!notes.empty()) {
    Section checks{"checks", {}};
    for (const std::string& note : notes) checks.elements.emplace_back(Paragraph{note});
    page.sections.push_back(std::move(checks));
  }
  page.sections.push_back({"architecture", {architecture_box(profile)}});
  if (auto roofline = roofline_chart(profile)) {
    page.sections.push_back(
        {"roofline",
         {Paragraph{"The highest rate that a kernel can reach, by its operations per byte read."},
          std::move(*roofline)}});
  }
  Rows rows;
  visit_fields(profile, rows);
  page.sections.push_back(
      {"figures",
       {Table{{"parameter", "found", "confidence", "interval, or reason"}, std::move(rows.all)},
        TextBlock{"the profile as JSON, for --profile FILE", to_json(profile)}}});
  for (const ProbeResult& result : measured.results) page.sections.push_back(section_of(result, profile));
  return page;
}

}  // namespace tensordsl::report
