#include "ops/tensor_info.h"

#include <fmt/format.h>

#include <algorithm>

#include "ops/assumed_sizes.h"
#include "tensordsl/error.h"

namespace tensordsl::ops {

std::string to_string(const TensorInfo& tensor) { return to_string(tensor.type) + to_string(tensor.shape); }

Size element_count(const Shape& shape) {
  Size product = 1;
  for (const Size& extent : shape) product *= extent;
  return product;
}

bool is_empty(const Shape& shape) { return std::ranges::count(shape, Size(0)) > 0; }

void check_tensor(Type type, const Shape& shape) {
  if (shape.size() > kMaxRank) {
    throw ShapeError(
        fmt::format("a tensor of {} dimensions is not supported; supported: {}", shape.size(), kMaxRank));
  }
  // The limit is applied to the extents without regard to zeros, so that [0, 2^40, 2^40] is refused as well.
  std::int64_t least = type.bytes();
  for (const Size& extent : shape) {
    if (!extent.is_known()) continue;
    if (extent.value() < 0)
      throw ShapeError(fmt::format("the shape {} has a negative extent", to_string(shape)));
    if (extent.value() > 0 && extent.value() > kMaxTensorBytes / least) {
      throw ShapeError(fmt::format("a tensor {}{} is larger than the limit of {} bytes", to_string(type),
                                   to_string(shape), kMaxTensorBytes));
    }
    least *= std::max<std::int64_t>(extent.value(), 1);
  }
}

std::int64_t checked_bytes(Type type, const Shape& shape) {
  check_tensor(type, shape);
  return element_count(shape).value() * type.bytes();
}

Shape broadcast(const Shape& a, const Shape& b) {
  const std::size_t rank = std::max(a.size(), b.size());
  const auto extent_from_end = [](const Shape& shape, std::size_t i) {
    return i < shape.size() ? shape[shape.size() - 1 - i] : Size(1);
  };
  Shape result(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    const Size from_a = extent_from_end(a, i), from_b = extent_from_end(b, i);
    if (from_a != from_b && from_a != Size(1) && from_b != Size(1)) {
      refuse_unequal(fmt::format("{} and {} do not broadcast: {} against {} in dimension {} from the end",
                                 to_string(a), to_string(b), to_string(from_a), to_string(from_b), i + 1),
                     from_a, from_b);
    }
    result[rank - 1 - i] = from_a == Size(1) ? from_b : from_a;
  }
  return result;
}

}  // namespace tensordsl::ops
