#include "ops/tensor_info.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tensordsl/error.h"

namespace tensordsl {

std::string to_string(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ",")); }

std::string to_string(const TensorInfo& tensor) { return to_string(tensor.type) + to_string(tensor.shape); }

std::optional<std::int64_t> element_count(const Shape& shape) {
  // The limit is applied to the extents without regard to zeros, so that [0, 2^40, 2^40] is refused as well.
  constexpr std::int64_t kLimit = std::int64_t{1} << 62;
  std::int64_t product = 1;
  bool empty = false;
  for (const std::int64_t extent : shape) {
    if (extent < 0) return std::nullopt;
    if (extent == 0) {
      empty = true;
      continue;
    }
    if (extent > kLimit / product) return std::nullopt;
    product *= extent;
  }
  return empty ? 0 : product;
}

std::int64_t checked_bytes(Type type, const Shape& shape) {
  if (shape.size() > kMaxRank) {
    throw ShapeError(
        fmt::format("a tensor of {} dimensions is not supported; supported: {}", shape.size(), kMaxRank));
  }
  const std::optional<std::int64_t> count = element_count(shape);
  if (std::ranges::any_of(shape, [](std::int64_t extent) { return extent < 0; })) {
    throw ShapeError(fmt::format("the shape {} has a negative extent", to_string(shape)));
  }
  if (!count || *count > kMaxTensorBytes / type.bytes()) {
    throw ShapeError(fmt::format("a tensor {}{} is larger than the limit of {} bytes", to_string(type),
                                 to_string(shape), kMaxTensorBytes));
  }
  return *count * type.bytes();
}

Shape broadcast(const Shape& a, const Shape& b) {
  const std::size_t rank = std::max(a.size(), b.size());
  const auto extent_from_end = [](const Shape& shape, std::size_t i) {
    return i < shape.size() ? shape[shape.size() - 1 - i] : 1;
  };
  Shape result(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t from_a = extent_from_end(a, i), from_b = extent_from_end(b, i);
    if (from_a != from_b && from_a != 1 && from_b != 1) {
      throw ShapeError(fmt::format("{} and {} do not broadcast: {} against {} in dimension {} from the end",
                                   to_string(a), to_string(b), from_a, from_b, i + 1));
    }
    result[rank - 1 - i] = from_a == 1 ? from_b : from_a;
  }
  return result;
}

}  // namespace tensordsl
