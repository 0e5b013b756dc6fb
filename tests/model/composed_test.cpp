// Operators that are put together of others, on this device: tests/ops/fixtures/composed.json has what ONNX's
// reference computes.
#include <doctest/doctest.h>

#include "model/node_cases.h"

using namespace tensordsl;

TEST_CASE("composed: every operator computes what ONNX's reference does") {
  testing::check_node_cases(testing::node_cases("composed.json", 28));
}
