#include "report/specification.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_text.h"
#include "tensordsl/error.h"

namespace tensordsl::report {

std::string axis_title(const Quantity& what) {
  if (what.unit.empty() || what.unit == "B" || what.unit == "s") return what.name;
  return fmt::format("{} ({})", what.name, what.unit);
}

std::string tick_label(std::string_view unit) {
  if (unit == "B") {
    return "datum.value >= 1073741824 ? format(datum.value / 1073741824, '.4~g') + ' GiB' : "
           "datum.value >= 1048576 ? format(datum.value / 1048576, '.4~g') + ' MiB' : "
           "datum.value >= 1024 ? format(datum.value / 1024, '.4~g') + ' KiB' : format(datum.value, '.4~g') "
           "+ ' "
           "B'";
  }
  if (unit == "s") {
    return "datum.value == 0 ? '0' : datum.value >= 1 ? format(datum.value, '.4~g') + ' s' : "
           "datum.value >= 1e-3 ? format(datum.value * 1e3, '.4~g') + ' ms' : "
           "datum.value >= 1e-6 ? format(datum.value * 1e6, '.4~g') + ' us' : "
           "format(datum.value * 1e9, '.4~g') + ' ns'";
  }
  return "format(datum.value, abs(datum.value) >= 1e6 ? '.4~e' : ',.6~g')";
}

nlohmann::ordered_json& named(nlohmann::ordered_json& list, std::string_view name) {
  for (nlohmann::ordered_json& item : list) {
    if (item.at("name") == name) return item;
  }
  throw InternalError(fmt::format("report: the specification has no {}", name));
}

int legend_entry_width(const std::vector<std::string>& names) {
  std::size_t longest = 0;
  for (const std::string& name : names) longest = std::max(longest, name.size());
  constexpr int kSymbol = 56, kCharacter = 6;
  return kSymbol + kCharacter * static_cast<int>(longest);
}

std::string value_text(const std::string& value, const std::string& at, const std::string& low,
                       const std::string& high) {
  std::string text = value;
  if (!at.empty()) text += " at " + at;
  if (low != high) text += fmt::format(", between {} and {}", low, high);
  return text;
}

std::string json_text(const nlohmann::ordered_json& specification) {
  return dump_json(specification, -1, InvalidUtf8::Replace);
}

}  // namespace tensordsl::report
