// How a tensor lies in memory, as the passes that convert addresses see it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tensordsl/expr.h"
#include "tensordsl/image.h"
#include "tensordsl/layout.h"

namespace tensordsl::lower {

struct Storage {
  Layout layout;
  std::vector<Expr> extents;                      // logical; of an allocation: taken from the Allocate
  std::optional<ImageKind> image = std::nullopt;  // a buffer if not set
};

/// By the tensor's name.
using Storages = std::map<std::string, Storage>;

}  // namespace tensordsl::lower
