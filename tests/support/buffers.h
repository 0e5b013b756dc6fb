// Buffers and their values.
#pragma once

#include <cstdint>
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

}  // namespace tensordsl::testing
