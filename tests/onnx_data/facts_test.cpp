#include "onnx_data/facts.h"

#include <doctest/doctest.h>

#include "support/onnx_model.h"

namespace tensordsl::conformance {
namespace {

using testing::OnnxModel;

std::string reason(const OnnxModel& model) { return facts_of(model.proto).out_of_scope.value_or("in scope"); }

OnnxModel model_of(const std::string& op, const testing::Names& inputs = {"x"}) {
  OnnxModel model;
  model.input("x", {2}).node(op, inputs, {"y"}).output("y");
  return model;
}

}  // namespace

TEST_CASE("the operators of a model are those of its nodes and their bodies") {
  OnnxModel body, model = model_of("Abs");
  body.node("Neg", {"x"}, {"z"});
  auto branch = testing::attribute("then_branch", ::onnx::AttributeProto::GRAPH);
  *branch.mutable_g() = body.proto.graph();
  model.node("If", {"c"}, {"z"}, {branch}).node("Constant", {}, {"k"});
  const Facts facts = facts_of(model.proto);
  CHECK(facts.operators == std::set<std::string>{"Abs", "If", "Neg"});
  CHECK(facts.nodes == 3);
  CHECK(facts.opset == 17);
  CHECK(reason(model) == "in scope");
}

TEST_CASE("other things than tensors of numbers are out of scope") {
  OnnxModel model = model_of("Abs");
  model.proto.mutable_graph()->mutable_input(0)->mutable_type()->mutable_sequence_type();
  CHECK(reason(model) == "'x' is a sequence");
  model.proto.mutable_graph()->mutable_input(0)->mutable_type()->mutable_optional_type();
  CHECK(reason(model) == "'x' is an optional");
  model.proto.mutable_graph()->mutable_input(0)->mutable_type()->mutable_map_type();
  CHECK(reason(model) == "'x' is a map");
  model = OnnxModel();
  model.input("x", {2}, ::onnx::TensorProto::STRING);
  CHECK(reason(model) == "'x' is a tensor of strings");
  CHECK(reason(model_of("SequenceLength")) == "SequenceLength is about sequences");
  CHECK(reason(model_of("OptionalGetElement")) == "OptionalGetElement is about optional values");
}

TEST_CASE("training, random numbers and other domains are out of scope") {
  CHECK(reason(model_of("Dropout", {"x", "r"})) == "in scope");
  CHECK(reason(model_of("Dropout", {"x", "r", "t"})) == "Dropout is to train");
  OnnxModel model;
  model.node("BatchNormalization", {"x"}, {"y"}, {testing::attribute("training_mode", 1)});
  CHECK(reason(model) == "BatchNormalization is to train");
  CHECK(reason(model_of("RandomNormal")) == "RandomNormal is random");
  CHECK(facts_of(model_of("RandomNormal").proto).is_random);
  model = model_of("Adam");
  model.proto.mutable_graph()->mutable_node(0)->set_domain("ai.onnx.preview.training");
  CHECK(reason(model) == "Adam is of the domain ai.onnx.preview.training");
  CHECK(facts_of(model.proto).operators == std::set<std::string>{"ai.onnx.preview.training::Adam"});
}

}  // namespace tensordsl::conformance
