// ONNX Runtime's own operators on this device: tests/ops/fixtures/contributed.json has what it computes.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "ops/operator_cases.h"
#include "ops/operator_table.h"
#include "support/load_model.h"
#include "support/source_dir.h"

using namespace tensordsl;
using nlohmann::json;
using testing::attribute;
using testing::Ints;
using testing::load_model;
using testing::Names;
using testing::OnnxModel;

namespace {

int onnx_type(Type type) {
  const std::map<std::string, int> types{
      {"f32", onnx::TensorProto::FLOAT}, {"u8", onnx::TensorProto::UINT8},
      {"i8", onnx::TensorProto::INT8},   {"u16", onnx::TensorProto::UINT16},
      {"i16", onnx::TensorProto::INT16}, {"i32", onnx::TensorProto::INT32},
      {"i64", onnx::TensorProto::INT64}};
  return types.at(to_string(type));
}

onnx::AttributeProto attribute_of(const std::string& name, const json& value) {
  if (value.is_string()) return attribute(name, value.get<std::string>().c_str());
  if (value.is_number_integer()) return attribute(name, value.get<int>());
  if (value.is_number()) return attribute(name, value.get<float>());
  if (value.at(0).is_number_integer()) return attribute(name, value.get<Ints>());
  onnx::AttributeProto floats = attribute(name, onnx::AttributeProto::FLOATS);
  for (const json& number : value) floats.add_floats(number.get<float>());
  return floats;
}

void add_constant(OnnxModel& model, const std::string& name, const Buffer& value) {
  auto& tensor = model.initializer(name, Ints(value.shape()), onnx_type(value.type()));
  tensor.set_raw_data(value.bytes().data(), value.size_bytes());
}

/// The cases of one operator as one model, so that a driver builds their kernels together.
struct Cases {
  OnnxModel model{21};
  std::map<std::string, Buffer> inputs;
  std::map<std::string, testing::OperatorCase> expected;  // by output

  void add(const json& one) {
    const std::string prefix = "case" + std::to_string(count_++) + "_";
    Names inputs_of_node, outputs_of_node;
    for (std::size_t i = 0; i < one.at("inputs").size(); ++i) {
      const json& input = one["inputs"][i];
      inputs_of_node.push_back(input.is_null() ? "" : prefix + "x" + std::to_string(i));
      if (input.is_null()) continue;
      const Buffer value = testing::to_buffer(input);
      const Ints constants = one.at("constants").get<Ints>();
      if (std::ranges::find(constants, static_cast<std::int64_t>(i)) != constants.end()) {
        add_constant(model, inputs_of_node.back(), value);
      } else {
        model.input(inputs_of_node.back(), Ints(value.shape()), onnx_type(value.type()));
        inputs.emplace(inputs_of_node.back(), value);
      }
    }
    for (std::size_t i = 0; i < one.at("outputs").size(); ++i) {
      const auto place = one["outputs"][i].get<std::size_t>();
      outputs_of_node.resize(place + 1);
      outputs_of_node[place] = prefix + "y" + std::to_string(place);
      model.output(outputs_of_node[place]);
      expected[outputs_of_node[place]] = {
          one.at("name"), one.at("op"), {}, {}, testing::to_buffer(one.at("expected").at(i))};
    }
    std::vector<onnx::AttributeProto> attributes;
    for (const auto& [name, value] : one.at("attributes").items())
      attributes.push_back(attribute_of(name, value));
    model.node(one.at("op"), inputs_of_node, outputs_of_node, attributes);
    auto& nodes = *model.proto.mutable_graph()->mutable_node();
    nodes[nodes.size() - 1].set_domain(one.at("domain").get<std::string>());
  }

 private:
  int count_ = 0;
};

std::map<std::string, Cases> cases_by_operator() {
  std::ifstream file(source_dir() / "tests/ops/fixtures/contributed.json");
  std::map<std::string, Cases> all;
  for (const json& one : json::parse(file))
    all[operator_key(one.at("domain").get<std::string>(), one.at("op").get<std::string>())].add(one);
  return all;
}

}  // namespace

TEST_CASE("contributed: every operator computes what ONNX Runtime does") {
  const auto device = Device::open();
  const std::map<std::string, Cases> all = cases_by_operator();
  for (const auto& [op, cases] : all) {
    CAPTURE(op);
    Runner runner = load_model(cases.model).run(*device);
    for (const auto& [name, value] : cases.inputs) runner.write(name, value);
    runner.run();
    for (const auto& [name, one] : cases.expected) {
      CAPTURE(one.name);
      CAPTURE(name);
      const Buffer found = runner.read(name);
      REQUIRE(found.shape() == one.expected.shape());
      REQUIRE(found.type() == one.expected.type());
      CHECK(testing::relative_error(one, found) <= testing::tolerance(one));
    }
  }
  // No kernel of ONNX Runtime for processors computes BiasSplitGelu.
  for (const OperatorSpec& spec : operators()) {
    CAPTURE(spec.name);
    if (is_contributed(spec.name) && spec.name != "com.microsoft.BiasSplitGelu")
      CHECK(all.contains(std::string(spec.name)));
  }
}

TEST_CASE("contributed: BiasSplitGelu multiplies one half of a sum by Gelu of the other") {
  OnnxModel model(21);
  model.input("x", {1, 2, 4}).floats("bias", {4}, {1, 0, 0, 2});
  model.node("BiasSplitGelu", {"x", "bias"}, {"y"}).output("y");
  model.proto.mutable_graph()->mutable_node(0)->set_domain("com.microsoft");
  const auto device = Device::open();
  Runner runner = load_model(model).run(*device);
  Buffer x(Float(32), {1, 2, 4});
  for (std::int64_t i = 0; i < 8; ++i) x.set(i, static_cast<double>(i) / 4);
  runner.write("x", x);
  runner.run();
  const Buffer y = runner.read("y");
  REQUIRE(y.shape() == Ints{1, 2, 2});
  const auto gelu = [](double value) { return value / 2 * (1 + std::erf(value / std::sqrt(2.0))); };
  CHECK(y.get(0) == doctest::Approx(1.0 * gelu(0.5)));
  CHECK(y.get(1) == doctest::Approx(0.25 * gelu(2.75)));
  CHECK(y.get(2) == doctest::Approx(2.0 * gelu(1.5)));
  CHECK(y.get(3) == doctest::Approx(1.25 * gelu(3.75)));
}
