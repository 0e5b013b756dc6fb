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
  constexpr std::size_t kShown = 5;
  OutputSummary summary;
  std::vector<Element> numbers;
  for (std::int64_t i = 0; i < output.elements(); ++i) {
    const Element element = element_of(output, i);
    if (is_nan(element)) {
      ++summary.nan;
    } else if (is_row(output)) {
      numbers.push_back(element);
    }
  }
  const std::size_t count = std::min(kShown, numbers.size());
  std::partial_sort(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(count), numbers.end(),
                    is_before);
  numbers.resize(count);
  summary.largest = std::move(numbers);
  return summary;
}

}  // namespace tensordsl::cli
