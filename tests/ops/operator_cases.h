// The cases of fixtures/operators.json, which make_fixtures.py has computed with ONNX Runtime.
#pragma once

#include <string>
#include <vector>

#include "ops/attributes.h"
#include "tensordsl/buffer.h"

namespace tensordsl::testing {

struct OperatorCase {
  std::string name, op;
  Attributes attributes;
  std::vector<Buffer> inputs;
  Buffer expected;
};

std::vector<OperatorCase> operator_cases();

}  // namespace tensordsl::testing
