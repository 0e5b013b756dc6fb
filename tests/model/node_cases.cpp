#include "model/node_cases.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>

#include "ops/operator_spec.h"
#include "support/source_dir.h"

namespace tensordsl::testing {

using nlohmann::json;

namespace {

int onnx_type(Type type) {
  const std::map<std::string, int> types{
      {"f32", ::onnx::TensorProto::FLOAT},  {"u8", ::onnx::TensorProto::UINT8},
      {"i8", ::onnx::TensorProto::INT8},    {"u16", ::onnx::TensorProto::UINT16},
      {"i16", ::onnx::TensorProto::INT16},  {"i32", ::onnx::TensorProto::INT32},
      {"i64", ::onnx::TensorProto::INT64},  {"f16", ::onnx::TensorProto::FLOAT16},
      {"f64", ::onnx::TensorProto::DOUBLE}, {"bool", ::onnx::TensorProto::BOOL}};
  return types.at(to_string(type));
}

::onnx::AttributeProto attribute_of(const std::string& name, const json& value) {
  if (value.is_string()) return attribute(name, value.get<std::string>().c_str());
  if (value.is_number_integer()) return attribute(name, value.get<int>());
  if (value.is_number()) return attribute(name, value.get<float>());
  if (value.at(0).is_number_integer()) return attribute(name, value.get<Ints>());
  ::onnx::AttributeProto floats = attribute(name, ::onnx::AttributeProto::FLOATS);
  for (const json& number : value) floats.add_floats(number.get<float>());
  return floats;
}

void add_constant(OnnxModel& model, const std::string& name, const Buffer& value) {
  auto& tensor = model.initializer(name, Ints(value.shape()), onnx_type(value.type()));
  tensor.set_raw_data(value.bytes().data(), value.size_bytes());
}

}  // namespace

void NodeCases::add(const json& one) {
  const std::string prefix = "case" + std::to_string(count_++) + "_";
  Names inputs_of_node, outputs_of_node;
  for (std::size_t i = 0; i < one.at("inputs").size(); ++i) {
    const json& input = one["inputs"][i];
    inputs_of_node.push_back(input.is_null() ? "" : prefix + "x" + std::to_string(i));
    if (input.is_null()) continue;
    const Buffer value = to_buffer(input);
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
        one.at("name"), one.at("op"), {}, {}, to_buffer(one.at("expected").at(i))};
  }
  std::vector<::onnx::AttributeProto> attributes;
  for (const auto& [name, value] : one.at("attributes").items())
    attributes.push_back(attribute_of(name, value));
  model.node(one.at("op"), inputs_of_node, outputs_of_node, attributes);
  auto& nodes = *model.proto.mutable_graph()->mutable_node();
  nodes[nodes.size() - 1].set_domain(one.at("domain").get<std::string>());
}

void for_each_node_case(const std::string& file, const std::function<void(const json&)>& use) {
  std::ifstream stream(source_dir() / "tests/ops/fixtures" / file);
  for (const json& one : json::parse(stream)) use(one);
}

std::map<std::string, NodeCases> node_cases(const std::string& file, std::int64_t opset) {
  std::map<std::string, NodeCases> all;
  for_each_node_case(file, [&](const json& one) {
    const std::string key =
        ops::operator_key(one.at("domain").get<std::string>(), one.at("op").get<std::string>());
    all.try_emplace(key, opset).first->second.add(one);
  });
  return all;
}

void check_node_cases(const std::map<std::string, NodeCases>& all) {
  const auto device = Device::open();
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
      CHECK(relative_error(one, found) <= tolerance(one));
    }
  }
}

}  // namespace tensordsl::testing
