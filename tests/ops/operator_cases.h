// The cases of fixtures/operators.json, which make_fixtures.py has computed with ONNX Runtime.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "ops/attributes.h"
#include "tensordsl/buffer.h"

namespace tensordsl::testing {

struct OperatorCase {
  std::string name, op;
  ops::Attributes attributes;
  std::vector<Buffer> inputs;
  Buffer expected;
};

std::vector<OperatorCase> operator_cases();

/// A tensor of the fixtures: its type, shape and values.
Buffer to_buffer(const nlohmann::json& tensor);

/// The largest difference between `found` and the expected values, over the largest of their magnitudes.
double relative_error(const OperatorCase& one, const Buffer& found);
/// How large that may be: integers are exact, and of f16 values the last rounding may differ.
double tolerance(const OperatorCase& one);

}  // namespace tensordsl::testing
