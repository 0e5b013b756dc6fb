// Integer expressions of a kernel as numbers, for many work-items at once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ir/nodes/expr_node.h"

namespace tensordsl::predict {

/// A number for each of some work-items.
using Lanes = std::vector<std::int64_t>;

/// Values of names, for each of some work-items.
class LaneValues {
 public:
  explicit LaneValues(std::size_t lanes) : lanes_(lanes) {}

  std::size_t lanes() const { return lanes_; }
  void set(const std::string& name, std::optional<Lanes> value) { names_[name] = std::move(value); }
  void forget(const std::string& name) { names_.erase(name); }

  /// Evaluates a scalar that is an integer or a truth value (1 or 0); a vector of equal steps counts as its
  /// first lane. Returns nothing if it depends on memory, or on floating-point numbers.
  std::optional<Lanes> evaluate(const Expr& expr) const;

 private:
  std::optional<Lanes> of_operation(const ir::ExprNode& node) const;

  std::size_t lanes_;
  std::map<std::string, std::optional<Lanes>> names_;
};

}  // namespace tensordsl::predict
