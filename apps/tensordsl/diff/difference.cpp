#include "apps/tensordsl/diff/difference.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tensordsl::cli {
namespace {

double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const double difference = std::abs(a - b);
  return std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
}

std::vector<std::int64_t> place_of(std::int64_t element, const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> place(shape.size());
  for (std::size_t d = shape.size(); d-- > 0; element /= shape[d]) place[d] = element % shape[d];
  return place;
}

}  // namespace

Difference difference(const Buffer& found, const Buffer& expected, double rtol) {
  Difference result;
  result.expected_shape = expected.shape();
  result.elements = found.elements();
  result.has_shape = found.shape() == expected.shape();
  if (!result.has_shape) return result;
  for (std::int64_t i = 0; i < expected.elements(); ++i) {
    const double value = expected.get(i);
    if (std::isfinite(value)) result.allowed = std::max(result.allowed, rtol * std::abs(value));
  }
  for (std::int64_t i = 0; i < found.elements(); ++i) {
    const double a = found.get(i), b = expected.get(i), d = distance(a, b);
    result.found_nan += std::isnan(a) ? 1 : 0;
    result.expected_nan += std::isnan(b) ? 1 : 0;
    result.differing += d > result.allowed ? 1 : 0;
    if (d <= result.largest) continue;
    result.largest = d;
    result.found = a;
    result.expected = b;
    result.place = place_of(i, found.shape());
  }
  return result;
}

}  // namespace tensordsl::cli
