// Where a tensor lies in memory.
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

/// What kernels, the host that launches them and the plan of a whole network say of a tensor.
struct StoredTensor {
  Type type;                                      ///< of an element, as it is stored
  std::vector<Expr> extents;                      ///< logical, outermost first; constants and Params
  Layout layout;                                  ///< of as many dimensions
  std::optional<ImageKind> image = std::nullopt;  ///< a buffer if not set

  /// Elements in memory, with those that the layout pads.
  Expr elements() const;
  /// The extents as numbers. Throws ShapeError if one depends on a Param.
  std::vector<std::int64_t> shape() const;
  /// In memory. Throws ShapeError if an extent depends on a Param, or if a kernel could not index so many
  /// elements.
  std::int64_t bytes() const;
  friend bool operator==(const StoredTensor& a, const StoredTensor& b);
};

/// "f32 [1, 64, h, w], layout \"d1/4 | d2 d3 | d1%4\", Image2D": row-major order and buffers are not named.
std::string to_string(const StoredTensor& tensor);

}  // namespace tensordsl
