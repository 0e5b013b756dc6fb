// DynamicQuantizeLinear: the steps that it becomes.
#include <doctest/doctest.h>

#include "support/onnx_model.h"

using namespace tensordsl;
using namespace tensordsl::ops;
using namespace tensordsl::testing;

namespace {

/// "Reshape Einsum Identity"
std::string operators_of(const OnnxModel& model) {
  std::string text;
  for (const Node& node : model.import().nodes) text += (text.empty() ? "" : " ") + node.op;
  return text;
}

}  // namespace

TEST_CASE("DynamicQuantizeLinear: many rows have the extremes of each first") {
  const auto of = [](const Ints& shape) { return operators_of(one_node("DynamicQuantizeLinear", shape)); };
  const std::string rest = "QuantizationParameters Pad Reshape Pad Reshape Cast QuantizeLinear Identity";
  for (const Ints& shape : {Ints{}, {7}, {1, 7}, {1, 1, 3, 5}}) CHECK(of(shape) == rest);
  for (const Ints& shape : {Ints{3, 7}, {1, 3, 7}, {1, 3, 5, 7}}) CHECK(of(shape) == "RowExtremes " + rest);
  OnnxModel model(17);
  model.input("x", {3}, ::onnx::TensorProto::FLOAT16).node("DynamicQuantizeLinear", {"x"}, {"y"}).output("y");
  CHECK(model.error() == "m.onnx: node 'y' (DynamicQuantizeLinear): input 0 is f16[3]; supported: f32");
}
