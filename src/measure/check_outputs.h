// Checks that a kernel under trial computes its definitions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tensordsl/buffer.h"

namespace tensordsl::measure {

/// The outputs of a kernel for the inputs of operand_values.h: some of their elements, as the
/// interpreter computes them from the definitions.
struct ExpectedOutputs {
  struct Element {
    std::size_t output = 0;
    std::int64_t at = 0;  ///< row-major
    double value = 0;
    friend bool operator==(const Element&, const Element&) = default;
  };
  std::vector<Element> elements;
  double tolerance = 1e-4;  ///< allowed difference relative to the largest value of an output
  friend bool operator==(const ExpectedOutputs&, const ExpectedOutputs&) = default;
};

/// Compares outputs with the expected elements, and every element with the first outputs that passed.
class OutputCheck {
 public:
  explicit OutputCheck(ExpectedOutputs expected) : expected_(std::move(expected)) {}

  /// Returns a description of the fault; empty if the outputs are right.
  std::string check(const std::vector<Buffer>& outputs);

 private:
  std::string compare(const std::vector<Buffer>& outputs) const;

  ExpectedOutputs expected_;
  std::vector<Buffer> whole_;  // empty until outputs were right
};

}  // namespace tensordsl::measure
