#include "apps/tensordsl/profile/profile_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "hwprofile/named_fields.h"

namespace tensordsl::cli {
namespace {

/// A number, and the unit that it is in.
std::pair<std::string, std::string> value_with_unit(double value, const std::string& unit) {
  std::string shown_unit = unit;
  if (unit == "B") {
    for (const auto& [prefix, factor] : {std::pair{"MiB", 1 << 20}, {"KiB", 1 << 10}}) {
      if (value < factor) continue;
      value /= factor;
      shown_unit = prefix;
      break;
    }
  }
  return {value >= 1000 && value < 1e7 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value),
          shown_unit};
}

std::string joined(const std::pair<std::string, std::string>& quantity) {
  return quantity.second.empty() ? quantity.first : quantity.first + " " + quantity.second;
}

class ProfileRows : public hwprofile::NamedFields<ProfileRows> {
 public:
  std::vector<ProfileRow> all;

  void numbers(const char* name, const std::vector<int>& values) {
    ProfileRow row{full_name(name), "", {}};
    if (!values.empty()) row.value = values;
    all.push_back(std::move(row));
  }
  void steps(const char* name, const std::vector<OccupancyStep>& steps) {
    ProfileRow row{full_name(name), "", {}};
    if (!steps.empty()) row.value = steps;
    all.push_back(std::move(row));
  }
  void field(const char* name, const char* unit, const std::optional<Measurement>& f) {
    ProfileRow row{full_name(name), unit, {}};
    if (f) row.value = *f;
    all.push_back(std::move(row));
  }
  void field(const char* name, const char*, const std::optional<BoolMeasurement>& f) {
    ProfileRow row{full_name(name), "", {}};
    if (f) row.value = *f;
    all.push_back(std::move(row));
  }
};

}  // namespace

std::string ProfileRow::text() const {
  if (const auto* figure = std::get_if<Measurement>(&value))
    return joined(value_with_unit(figure->value, unit));
  if (const auto* finding = std::get_if<BoolMeasurement>(&value)) return finding->value ? "yes" : "no";
  if (const auto* numbers = std::get_if<std::vector<int>>(&value))
    return fmt::format("{}", fmt::join(*numbers, ", "));
  // All steps would be wider than a terminal: the page and the JSON have them.
  if (const auto* steps = std::get_if<std::vector<OccupancyStep>>(&value))
    return fmt::format("{} to {}", steps->front().items, steps->back().items);
  return "";
}

std::string ProfileRow::confidence() const {
  const auto* figure = std::get_if<Measurement>(&value);
  const auto* finding = std::get_if<BoolMeasurement>(&value);
  if (!figure && !finding) return "";
  return (figure ? figure->confident : finding->confident) ? "confident" : "a guess";
}

std::string ProfileRow::range() const {
  const auto* figure = std::get_if<Measurement>(&value);
  if (!figure || figure->low == figure->high) return "";
  const auto value_shown = value_with_unit(figure->value, unit), low = value_with_unit(figure->low, unit),
             high = value_with_unit(figure->high, unit);
  if (low.second == high.second && low.second == value_shown.second)
    return fmt::format("{} to {}", low.first, high.first);
  return fmt::format("{} to {}", joined(low), joined(high));
}

bool differs(const ProfileRow& a, const ProfileRow& b) {
  if (a.value.index() != b.value.index()) return true;
  if (const auto* figure = std::get_if<Measurement>(&a.value)) {
    constexpr double kSame = 1.1;
    const double other = std::get<Measurement>(b.value).value;
    return std::max(figure->value, other) > kSame * std::min(figure->value, other);
  }
  if (const auto* finding = std::get_if<BoolMeasurement>(&a.value))
    return finding->value != std::get<BoolMeasurement>(b.value).value;
  return a.value != b.value;
}

std::vector<ProfileRow> profile_rows(const HwProfile& profile) {
  ProfileRows rows;
  hwprofile::visit_fields(profile, rows);
  return std::move(rows.all);
}

}  // namespace tensordsl::cli
