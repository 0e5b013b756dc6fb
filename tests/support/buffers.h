// Buffers and their values.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "tensordsl/buffer.h"

namespace tensordsl::testing {

/// Element i, row-major, is value(i).
template <typename F>
Buffer filled(Type type, const std::vector<std::int64_t>& shape, F value) {
  Buffer result(type, shape);
  for (std::int64_t i = 0; i < result.elements(); ++i) result.set(i, static_cast<double>(value(i)));
  return result;
}

/// Throws if there are fewer values than elements.
inline Buffer buffer_of(Type type, const std::vector<std::int64_t>& shape,
                        const std::vector<double>& values) {
  return filled(type, shape, [&](std::int64_t i) { return values.at(static_cast<std::size_t>(i)); });
}

inline std::vector<double> values_of(const Buffer& buffer) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < buffer.elements(); ++i) values.push_back(buffer.get(i));
  return values;
}

/// The largest finite magnitude.
inline double largest_magnitude(const Buffer& buffer) {
  double largest = 0;
  for (std::int64_t i = 0; i < buffer.elements(); ++i) {
    if (std::isfinite(buffer.get(i))) largest = std::max(largest, std::abs(buffer.get(i)));
  }
  return largest;
}

/// The largest difference between two buffers of one shape. Infinite if a value that differs, or a
/// difference, is not a number.
inline double largest_difference(const Buffer& a, const Buffer& b) {
  double largest = 0;
  for (std::int64_t i = 0; i < b.elements(); ++i) {
    const double x = a.get(i), y = b.get(i);
    if (x == y || (std::isnan(x) && std::isnan(y))) continue;
    const double difference = std::abs(x - y);
    largest =
        std::isnan(difference) ? std::numeric_limits<double>::infinity() : std::max(largest, difference);
  }
  return largest;
}

}  // namespace tensordsl::testing
