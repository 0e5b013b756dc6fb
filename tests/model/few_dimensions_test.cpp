// Operands of few dimensions: an operator has them or refuses them, and none ends the process.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/node_cases.h"
#include "onnx/define_graph.h"
#include "ops/operator_spec.h"

using namespace tensordsl;
using namespace tensordsl::ops;
using testing::NodeCases;

namespace {

/// Leaves the last `rank` extents of the dimensions.
template <typename Dims>
void shorten(Dims& dims, int rank) {
  if (dims.size() > rank) dims.erase(dims.begin(), dims.end() - rank);
}

/// The model with `rank` dimensions at most of operand `only` of its node, or of each if that is -1.
testing::OnnxModel shortened(testing::OnnxModel model, int only, int rank) {
  auto& graph = *model.proto.mutable_graph();
  const auto is_chosen = [&](const std::string& name) {
    return only < 0 || graph.node(0).input(only) == name;
  };
  for (auto& input : *graph.mutable_input()) {
    if (is_chosen(input.name()))
      shorten(*input.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(), rank);
  }
  for (auto& tensor : *graph.mutable_initializer()) {
    if (!is_chosen(tensor.name())) continue;
    std::size_t before = 1, after = 1;
    for (const std::int64_t extent : tensor.dims()) before *= static_cast<std::size_t>(extent);
    shorten(*tensor.mutable_dims(), rank);
    for (const std::int64_t extent : tensor.dims()) after *= static_cast<std::size_t>(extent);
    if (before > 0) tensor.mutable_raw_data()->resize(tensor.raw_data().size() / before * after);
  }
  return model;
}

/// Lets the node have all the outputs that its operator may have.
void list_outputs(testing::OnnxModel& model) {
  auto& node = *model.proto.mutable_graph()->mutable_node(0);
  const OperatorSpec* spec = find_operator(operator_key(node.domain(), node.op_type()));
  REQUIRE(spec != nullptr);
  const int most = static_cast<int>(std::min<std::size_t>(spec->outputs, 4));
  for (int i = 0; i < most; ++i) {
    if (i < node.output_size() && !node.output(i).empty()) continue;
    const std::string name = "more" + std::to_string(i);
    if (i < node.output_size())
      node.set_output(i, name);
    else
      node.add_output(name);
    model.output(name);
  }
}

/// True if the model is imported; false if it is refused.
bool is_defined(const testing::OnnxModel& model) {
  try {
    define_graph(model.import());
    return true;
  } catch (const InternalError&) {
    throw;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

TEST_CASE("few dimensions: an operator has operands of few dimensions or refuses them") {
  int defined = 0, refused = 0;
  for (const auto& [file, opset] : {std::pair{"contributed.json", 21}, {"composed.json", 28}}) {
    testing::for_each_node_case(file, [&](const nlohmann::json& one) {
      CAPTURE(one.at("name").get<std::string>());
      NodeCases alone(opset);
      alone.add(one);
      list_outputs(alone.model);
      for (int operand = -1; operand < alone.model.proto.graph().node(0).input_size(); ++operand) {
        for (const int rank : {0, 1, 2, 3})
          ++(is_defined(shortened(alone.model, operand, rank)) ? defined : refused);
      }
    });
  }
  CHECK(defined > 1000);
  CHECK(refused > 500);
}
