#include "measure/check_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tensordsl::measure {
namespace {

bool is_close(double found, double expected, double tolerance, double magnitude) {
  if (std::isnan(expected) || std::isinf(expected))
    return std::isnan(expected) ? std::isnan(found) : found == expected;
  return std::abs(found - expected) <= tolerance * std::max(magnitude, 1e-6);
}

std::string say(std::size_t output, std::int64_t at, double found, double expected) {
  return fmt::format("element {} of output {} is {}, but should be {}", at, output, found, expected);
}

}  // namespace

std::string OutputCheck::check(const std::vector<Buffer>& outputs) {
  std::string wrong = compare(outputs);
  if (wrong.empty() && whole_.empty()) whole_ = outputs;
  return wrong;
}

std::string OutputCheck::compare(const std::vector<Buffer>& outputs) const {
  std::vector<double> magnitudes(outputs.size());
  for (const ExpectedOutputs::Element& element : expected_.elements) {
    if (element.output >= outputs.size() || element.at >= outputs[element.output].elements()) {
      return fmt::format("element {} of output {} is out of range", element.at, element.output);
    }
    if (std::isfinite(element.value))
      magnitudes[element.output] = std::max(magnitudes[element.output], std::abs(element.value));
  }
  for (const ExpectedOutputs::Element& element : expected_.elements) {
    const double found = outputs[element.output].get(element.at);
    if (!is_close(found, element.value, expected_.tolerance, magnitudes[element.output]))
      return say(element.output, element.at, found, element.value);
  }
  for (std::size_t o = 0; o < whole_.size(); ++o) {
    double largest = 0;
    for (std::int64_t i = 0; i < whole_[o].elements(); ++i) {
      if (std::isfinite(whole_[o].get(i))) largest = std::max(largest, std::abs(whole_[o].get(i)));
    }
    for (std::int64_t i = 0; i < whole_[o].elements(); ++i) {
      if (!is_close(outputs[o].get(i), whole_[o].get(i), expected_.tolerance, largest))
        return say(o, i, outputs[o].get(i), whole_[o].get(i));
    }
  }
  return "";
}

}  // namespace tensordsl::measure
