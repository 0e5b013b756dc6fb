#include "apps/tensordsl/profile_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "hwprofile/named_fields.h"

namespace tensordsl::cli {
namespace {

std::string shown(double value, std::string_view unit) {
  if (unit == "B") {
    for (const auto& [prefix, factor] : {std::pair{"Mi", 1 << 20}, {"Ki", 1 << 10}}) {
      if (value >= factor) return fmt::format("{:.4g} {}B", value / factor, prefix);
    }
  }
  const std::string number =
      value >= 1000 && value < 1e7 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
  return unit.empty() ? number : fmt::format("{} {}", number, unit);
}

struct Row {
  std::string name, value, confidence, range;
};

class Rows : public hwprofile::NamedFields<Rows> {
 public:
  std::vector<Row> take() { return std::move(rows_); }

  void numbers(const char* name, const std::vector<int>& values) {
    rows_.push_back(
        {full_name(name), values.empty() ? "" : fmt::format("{}", fmt::join(values, ", ")), "", ""});
  }
  void field(const char* name, const char* unit, const std::optional<Measurement>& f) {
    Row row{full_name(name), "", "", ""};
    if (f) {
      row.value = shown(f->value, unit);
      row.confidence = f->confident ? "confident" : "a guess";
      if (f->low != f->high) row.range = fmt::format("{} to {}", shown(f->low, unit), shown(f->high, unit));
    }
    rows_.push_back(std::move(row));
  }
  void field(const char* name, const char*, const std::optional<BoolMeasurement>& f) {
    rows_.push_back({full_name(name), f ? f->value ? "yes" : "no" : "",
                     f ? f->confident ? "confident" : "a guess" : "", ""});
  }

 private:
  std::vector<Row> rows_;
};

std::vector<Row> rows_of(const HwProfile& profile) {
  Rows rows;
  hwprofile::visit_fields(profile, rows);
  return rows.take();
}

}  // namespace

std::string profile_table(const HwProfile& found, const HwProfile& reported, bool with_unknown) {
  // Which of its caches the one is that OpenCL tells of, it does not say.
  HwProfile limits = reported;
  limits.buffer_caches.clear();
  std::map<std::string, std::string> reported_values;
  for (const Row& row : rows_of(limits)) reported_values[row.name] = row.value;
  std::string table =
      fmt::format("  {:<32} {:<18} {:<10} {:<32} {}\n", "parameter", "found", "", "between", "OpenCL says");
  for (const Row& row : rows_of(found)) {
    if (row.value.empty() && !with_unknown) continue;
    std::string line =
        fmt::format("  {:<32} {:<18} {:<10} {:<32} {}", row.name, row.value.empty() ? "not seen" : row.value,
                    row.confidence, row.range, reported_values[row.name]);
    line.erase(line.find_last_not_of(' ') + 1);
    table += line + "\n";
  }
  for (const CacheLevel& cache : reported.buffer_caches) {
    table += fmt::format("  OpenCL tells of one cache: {}{}\n", shown(cache.bytes->value, "B"),
                         cache.line_bytes ? ", lines of " + shown(cache.line_bytes->value, "B") : "");
  }
  return table;
}

}  // namespace tensordsl::cli
