// Sizes in formatted texts.
#pragma once

#include <fmt/format.h>

#include <string>

#include "tensordsl/size_expr.h"

/// Writes a size as to_string() does.
template <>
struct fmt::formatter<tensordsl::SizeExpr> : fmt::formatter<std::string> {
  template <typename Context>
  auto format(const tensordsl::SizeExpr& size, Context& context) const {
    return fmt::formatter<std::string>::format(tensordsl::to_string(size), context);
  }
};
