// Operators of one's own in a model.
#include <doctest/doctest.h>

#include "support/error_text.h"
#include "support/load_model.h"

using namespace tensordsl;
using testing::attribute;
using testing::load_model;
using testing::OnnxModel;

namespace {

/// x * factor, and the sum of a row.
std::vector<OperatorTensor> scaled_rows(const OperatorNode& node) {
  const OperatorTensor& x = node.input(0);
  const auto factor = static_cast<float>(node.attribute<double>("factor", 2.0));
  const Var row("row"), column("column");
  const RDom r({{0, x.shape[1]}}, "r");
  Func scaled("scaled"), sum("sum");
  scaled(row, column) = x.func(row, column) * factor;
  sum(row) += x.func(row, r);
  return {{scaled, x.shape}, {sum, {x.shape[0]}}};
}

OnnxModel model_with(const char* domain) {
  OnnxModel m;
  m.input("x", {2, 3}).node("Relu", {"x"}, {"a"});
  m.node("ScaledRows", {"a"}, {"b", "s"}, {attribute("factor", 10.0F)}).node("Neg", {"b"}, {"y"});
  m.output("y").output("s");
  m.proto.mutable_graph()->mutable_node(1)->set_domain(domain);
  return m;
}

}  // namespace

TEST_CASE("own operators: a definition takes part in a model as ONNX's own do") {
  ModelOptions options;
  options.operators.add("com.example", "ScaledRows", scaled_rows);
  const auto device = Device::open();
  Runner runner = load_model(model_with("com.example"), options).run(*device);
  Buffer x(Float(32), {2, 3});
  for (std::int64_t i = 0; i < 6; ++i) x.set(i, static_cast<double>(i) - 2);
  runner.write("x", x);
  runner.run();
  const Buffer y = runner.read("y"), s = runner.read("s");
  const std::vector<double> expected{0, 0, 0, -10, -20, -30};
  for (std::int64_t i = 0; i < 6; ++i) CHECK(y.get(i) == expected[static_cast<std::size_t>(i)]);
  CHECK(s.shape() == std::vector<std::int64_t>{2});
  CHECK(s.get(0) == 0);
  CHECK(s.get(1) == 6);
}

TEST_CASE("own operators: a pointwise definition is fused with the operator before it") {
  OnnxModel m;
  m.input("x", {1, 2, 5}).floats("w", {3, 2, 1}, testing::Floats(6, 0.5F));
  m.node("Conv", {"x", "w"}, {"a"}).node("Twice", {"a"}, {"y"}).output("y");
  m.proto.mutable_graph()->mutable_node(1)->set_domain("com.example");
  ModelOptions options;
  options.operators.add("com.example", "Twice", [](const OperatorNode& node) -> std::vector<OperatorTensor> {
    const Var n("n"), c("c"), t("t");
    Func y("twice");
    y(n, c, t) = node.input(0).func(n, c, t) * 2.0f;
    return {{y, node.input(0).shape}};
  });
  const Program program = load_model(m, options).compile();
  REQUIRE(program.launches.size() == 1);
  CHECK(program.launches[0].label == "Conv+Twice");
}

TEST_CASE("own operators: mistakes name the node, or the call") {
  CHECK_THROWS_WITH_AS(
      load_model(model_with("com.example")),
      doctest::Contains(
          "operator ScaledRows of the domain 'com.example' is not supported; supported: operators "
          "of ONNX's own domain and those of ModelOptions::operators, which has none"),
      ModelError);
  ModelOptions options;
  options.operators.add("com.example", "ScaledRows",
                        [](const OperatorNode& node) -> std::vector<OperatorTensor> {
                          return {{node.input(0).func, node.input(0).shape}};
                        });
  CHECK_THROWS_WITH_AS(load_model(model_with("com.example"), options),
                       doctest::Contains("(ScaledRows): its definition gives 1 outputs; the node has 2"),
                       ModelError);
  ModelOptions missing;
  missing.operators.add("com.example", "ScaledRows",
                        [](const OperatorNode& node) -> std::vector<OperatorTensor> {
                          node.attribute<std::string>("factor");
                          return {};
                        });
  CHECK_THROWS_WITH_AS(load_model(model_with("com.example"), missing),
                       doctest::Contains("attribute factor is a number; it must be a string"), ModelError);
  OperatorTable table;
  table.add("d", "Op", scaled_rows);
  CHECK_THROWS_WITH_AS(table.add("d", "Op", scaled_rows),
                       "OperatorTable::add(\"d\", \"Op\"): the table has that operator; add it once", Error);
  CHECK_THROWS_WITH_AS(
      table.add("", "Op", scaled_rows),
      "OperatorTable::add(\"\", \"Op\"): the domain is ONNX's own; give your operators a domain "
      "of yours",
      Error);
}
