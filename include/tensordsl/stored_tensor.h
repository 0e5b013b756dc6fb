// Type, shape and layout of a tensor in memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tensordsl/expr.h"
#include "tensordsl/image.h"
#include "tensordsl/layout.h"
#include "tensordsl/type.h"

namespace tensordsl {

/// Description of a tensor in memory that kernels, the host that launches them and the plan of a network
/// share.
struct StoredTensor {
  Type type;                                      ///< type of an element in memory
  std::vector<Expr> extents;                      ///< logical extents, outermost first; constants and Params
  Layout layout;                                  ///< layout of as many dimensions
  std::optional<ImageKind> image = std::nullopt;  ///< kind of image; a buffer if not set

  /// Returns the number of elements in memory, the layout's padding included.
  Expr elements() const;
  /// Returns the extents as numbers. Throws ShapeError if one depends on a Param.
  std::vector<std::int64_t> shape() const;
  /// Returns the size in memory. Throws ShapeError if an extent depends on a Param, or if a kernel could not
  /// index so many elements.
  std::int64_t bytes() const;
  friend bool operator==(const StoredTensor& a, const StoredTensor& b);
};

/// Returns a text such as "f32 [1, 64, h, w], layout \"d1/4 | d2 d3 | d1%4\", Image2D": row-major order and
/// buffers are not named.
std::string to_string(const StoredTensor& tensor);

}  // namespace tensordsl
