// What is known of a tensor before anything runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tensordsl/type.h"

namespace tensordsl {

using Shape = std::vector<std::int64_t>;

struct TensorInfo {
  std::string name;
  Type type;
  Shape shape;

  friend bool operator==(const TensorInfo&, const TensorInfo&) = default;
};

/// No tensor of a model may be larger (8 GiB): beyond it a file is taken to be damaged or hostile.
inline constexpr std::int64_t kMaxTensorBytes = std::int64_t{1} << 33;

/// ... nor have more dimensions.
inline constexpr std::size_t kMaxRank = 32;

/// "[1,3,224,224]"
std::string to_string(const Shape& shape);
/// "f32[1,3,224,224]"
std::string to_string(const TensorInfo& tensor);

/// The product of the extents; empty if one is negative or the product exceeds 2^62.
std::optional<std::int64_t> element_count(const Shape& shape);
/// Bytes of such a tensor. Throws ShapeError on a negative extent, more than kMaxRank dimensions
/// or more than kMaxTensorBytes.
std::int64_t checked_bytes(Type type, const Shape& shape);

/// The shape of an element-wise operation on `a` and `b` (ONNX's multidirectional broadcasting: aligned at
/// the last dimension, extents equal or one of them 1). Throws ShapeError.
Shape broadcast(const Shape& a, const Shape& b);

}  // namespace tensordsl
