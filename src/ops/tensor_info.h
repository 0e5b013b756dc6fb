// The type and shape of a tensor, known before anything runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ops/size.h"
#include "tensordsl/type.h"

namespace tensordsl::ops {

/// The extents of a tensor.
class Shape : public Sizes {
 public:
  using Sizes::Sizes;
  Shape() = default;
  Shape(Sizes extents) : Sizes(std::move(extents)) {}                    // NOLINT: the same
  Shape(const Ints& extents) : Sizes(extents.begin(), extents.end()) {}  // NOLINT: of a Buffer

  friend bool operator==(const Shape& a, const Shape& b) {
    return static_cast<const Sizes&>(a) == static_cast<const Sizes&>(b);
  }
};

struct TensorInfo {
  std::string name;
  Type type;
  Shape shape;

  friend bool operator==(const TensorInfo&, const TensorInfo&) = default;
};

/// The most bytes of a tensor of a model (8 GiB): beyond it a file is assumed to be damaged or hostile.
inline constexpr std::int64_t kMaxTensorBytes = std::int64_t{1} << 33;

/// ... nor have more dimensions.
inline constexpr std::size_t kMaxRank = 32;

/// "f32[1,3,224,224]"
std::string to_string(const TensorInfo& tensor);

/// The product of the extents.
Size element_count(const Shape& shape);
/// True if an extent is 0.
bool is_empty(const Shape& shape);
/// Checks the size of a tensor. Throws ShapeError on an extent that is negative, more than kMaxRank
/// dimensions or, if the shape is known, more than kMaxTensorBytes.
void check_tensor(Type type, const Shape& shape);
/// Bytes of such a tensor. Throws as check_tensor, and ModelError if the shape is not known.
std::int64_t checked_bytes(Type type, const Shape& shape);

/// The shape of an element-wise operation on `a` and `b` (ONNX's multidirectional broadcasting: aligned at
/// the last dimension, extents equal or one of them 1). Throws ShapeError.
Shape broadcast(const Shape& a, const Shape& b);

}  // namespace tensordsl::ops
