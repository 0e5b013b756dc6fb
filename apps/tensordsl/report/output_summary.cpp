#include "apps/tensordsl/report/output_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/tensordsl/console/print_json.h"

namespace tensordsl::cli {
namespace {

Element element_of(const Buffer& buffer, std::int64_t i) {
  const Type type = buffer.type();
  if (type.is_float()) return {i, buffer.get(i)};
  if (type.is_bool()) return {i, buffer.get_int(i) != 0};
  if (type.is_uint()) return {i, static_cast<std::uint64_t>(buffer.get_int(i))};
  return {i, buffer.get_int(i)};
}

bool is_nan(const Element& element) {
  const auto* number = std::get_if<double>(&element.value);
  return number != nullptr && std::isnan(*number);
}

/// Elements of one buffer are of one type.
bool is_before(const Element& a, const Element& b) {
  return a.value != b.value ? a.value > b.value : a.index < b.index;
}

bool is_row(const Buffer& buffer) {
  return buffer.elements() > 0 && !buffer.shape().empty() && buffer.shape().back() == buffer.elements();
}

/// Returns the largest five of `count` elements from `begin` on, with indices from there, without NaN.
std::vector<Element> largest_of(const Buffer& buffer, std::int64_t begin, std::int64_t count) {
  constexpr std::size_t kShown = 5;
  std::vector<Element> elements;
  for (std::int64_t i = 0; i < count; ++i) {
    Element element = element_of(buffer, begin + i);
    element.index = i;
    if (!is_nan(element)) elements.push_back(element);
  }
  const std::size_t shown = std::min(kShown, elements.size());
  std::partial_sort(elements.begin(), elements.begin() + static_cast<std::ptrdiff_t>(shown), elements.end(),
                    is_before);
  elements.resize(shown);
  return elements;
}

}  // namespace

std::string Element::text() const {
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{:.6f}", *number);
  return std::visit([](auto v) { return fmt::format("{}", v); }, value);
}

nlohmann::ordered_json Element::json() const {
  if (const auto* number = std::get_if<double>(&value)) return json_number(*number);
  return std::visit([](auto v) { return nlohmann::ordered_json(v); }, value);
}

OutputSummary summarize(const Buffer& output) {
  constexpr std::int64_t kRows = 8;
  OutputSummary summary;
  summary.nan = count_not_finite(output).nan;
  if (is_row(output)) {
    summary.largest = largest_of(output, 0, output.elements());
  } else if (output.shape().size() == 2 && output.elements() > 0) {
    const std::int64_t rows = output.shape()[0], length = output.shape()[1];
    for (std::int64_t row = 0; row < std::min(rows, kRows); ++row)
      summary.rows.push_back(largest_of(output, row * length, length));
    summary.rows_left = std::max<std::int64_t>(rows - kRows, 0);
  }
  return summary;
}

std::string NotFinite::text() const {
  if (infinite == 0) return fmt::format("{} NaN", nan);
  return nan == 0 ? fmt::format("{} infinite", infinite)
                  : fmt::format("{} NaN and {} infinite", nan, infinite);
}

NotFinite count_not_finite(const Buffer& buffer) {
  NotFinite counts;
  if (!buffer.type().is_float()) return counts;
  for (std::int64_t i = 0; i < buffer.elements(); ++i) {
    const double value = buffer.get(i);
    counts.nan += std::isnan(value) ? 1 : 0;
    counts.infinite += std::isinf(value) ? 1 : 0;
  }
  return counts;
}

}  // namespace tensordsl::cli
