// Tables of expressions and their values.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tensordsl/tensordsl.h"

namespace tensordsl::docs {

struct ValueExample {
  std::string code;  // the value in its compiled form
  Expr value;
};

#define TENSORDSL_VALUE(...) \
  { #__VA_ARGS__, __VA_ARGS__ }

/// Makes operands of expressions that no compiler knows the value of: elements of Inputs, one for each type.
class Operands {
 public:
  /// Makes an element of the type that holds a number.
  auto of(Type type) {
    return [this, type](double value) { return element(type, value); };
  }
  /// "i32(-7) / 2    // -4, i32" and so on, a value to a line. They are computed by the interpreter, in the
  /// simulator and on the default device, there unless it lacks f64. Throws std::runtime_error if they
  /// differ.
  std::string table(const std::vector<ValueExample>& examples) const;

 private:
  static constexpr int kMost = 64;

  Expr element(Type type, double value);
  std::string values_of(const std::vector<Buffer>& values, const std::vector<ValueExample>& examples) const;

  std::map<std::string, Input> inputs_;
  std::map<std::string, Buffer> buffers_;
  std::map<std::string, int> used_;
};

}  // namespace tensordsl::docs
