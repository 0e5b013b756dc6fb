// Sizes as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "tensordsl/size_expr.h"

namespace tensordsl {

/// Returns a number if it is one, so that a reader without expressions can do without them.
inline nlohmann::ordered_json size_json(const SizeExpr& size) {
  if (size.type() == Int(32) && size.constant()) return *size.constant();
  return to_string(size);
}

inline nlohmann::ordered_json sizes_json(std::span<const SizeExpr> sizes) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const SizeExpr& size : sizes) list.push_back(size_json(size));
  return list;
}

}  // namespace tensordsl
