// Operators of one's own in a model.
#include <doctest/doctest.h>

#include "support/buffers.h"
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

TEST_CASE("own operators: an open extent may stand in a value") {
  OnnxModel m;
  m.input("x", {1, 2}).node("Mirror", {"x"}, {"y"}).output("y");
  m.name_dim(0, 0, "batch").proto.mutable_graph()->mutable_node(0)->set_domain("com.example");
  ModelOptions options;
  options.operators.add("com.example", "Mirror", [](const OperatorNode& node) -> std::vector<OperatorTensor> {
    const OperatorTensor& x = node.input(0);
    const Var i("i"), j("j");
    Func y("mirror");
    y(i, j) = x.func(x.shape[0] - 1 - i, j) / cast(Float(32), x.shape[0]);
    return {{y, x.shape}};
  });
  const auto device = Device::open();
  Runner runner = load_model(m, options).run(*device, Precision::Float32, {{"batch", 3}});
  Buffer x(Float(32), {3, 2});
  for (std::int64_t i = 0; i < 6; ++i) x.set(i, static_cast<double>(3 * i));
  runner.write("x", x);
  runner.run();
  const Buffer y = runner.read("y");
  const std::vector<double> expected{4, 5, 2, 3, 0, 1};
  for (std::int64_t i = 0; i < 6; ++i) CHECK(y.get(i) == expected[static_cast<std::size_t>(i)]);
}

TEST_CASE("own operators: a shape that is none, and what is thrown that is no exception, name the node") {
  const auto check = [](const OperatorDefinition& definition, const char* text) {
    ModelOptions options;
    options.operators.add("com.example", "ScaledRows", definition);
    CHECK_THROWS_WITH_AS(load_model(model_with("com.example"), options), doctest::Contains(text), Error);
  };
  const auto with_shape = [](const std::vector<Expr>& shape) {
    return [shape](const OperatorNode& node) -> std::vector<OperatorTensor> {
      std::vector<OperatorTensor> results = scaled_rows(node);
      results[0].shape = shape;
      return results;
    };
  };
  check(with_shape({Expr(), 3}), "(ScaledRows): its definition returns an undefined extent for output 0");
  check(with_shape({Expr(Var("i")), 3}),
        "(ScaledRows): its definition returns output 0 with the extent i, but \"i\" is in no extent of its "
        "inputs");
  check([](const OperatorNode&) -> std::vector<OperatorTensor> { throw 5; },
        "(ScaledRows): its definition threw an unknown exception");
}

TEST_CASE("own operators: a definition is of the node's inputs, and the same at each call") {
  const auto check = [](const OperatorDefinition& definition, const std::string& text) {
    OnnxModel m;
    m.input("x", {2, 3}).node("Own", {"x"}, {"y"}).output("y");
    m.proto.mutable_graph()->mutable_node(0)->set_domain("com.example");
    ModelOptions options;
    options.operators.add("com.example", "Own", definition);
    CHECK_THROWS_WITH_AS(
        load_model(m, options),
        doctest::Contains(("node 'y' (Own): its definition returns output 0 " + text).c_str()), ModelError);
  };
  using Results = std::vector<OperatorTensor>;
  const Var i("i"), j("j");
  check(
      [&](const OperatorNode& node) -> Results {
        const Input other("other", Float(32), {2, 3});
        Func y("own");
        y(i, j) = node.input(0).func(i, j) + other(i, j);
        return {{y, node.input(0).shape}};
      },
      "that reads other, which is not an input of the node; a definition is called more than once, with "
      "different Funcs each time");
  std::optional<Func> kept;
  check(
      [&](const OperatorNode& node) -> Results {
        if (!kept) {
          kept.emplace("own");
          (*kept)(i, j) = node.input(0).func(i, j) * 2.0F;
        }
        return {{*kept, node.input(0).shape}};
      },
      "that reads x0, which is not an input of the node");
  check(
      [&](const OperatorNode& node) -> Results {
        const Param scale("scale", Float(32));
        Func y("own");
        y(i, j) = node.input(0).func(i, j) * scale;
        return {{y, node.input(0).shape}};
      },
      "that uses the Param scale, which is in no extent of its inputs");
  check(
      [&](const OperatorNode& node) -> Results {
        return {{Func("empty"), node.input(0).shape}};
      },
      "as the Func empty, which has no definition");
  check(
      [&](const OperatorNode& node) -> Results {
        Func pair("pair"), y("own");
        pair(i, j) = {node.input(0).func(i, j), node.input(0).func(i, j) + 1.0F};
        y(i, j) = pair(i, j)[0] + pair(i, j)[1];
        return {{y, node.input(0).shape}};
      },
      "as a tuple, by the Func pair; use one Func per component");
  int calls = 0;
  check(
      [&](const OperatorNode& node) -> Results {
        std::vector<Expr> shape = node.input(0).shape;
        if (++calls > 1) shape[0] = 1;
        return {{node.input(0).func, shape}};
      },
      "as f32[1,3], but returned f32[2,3] before; it must depend only on its argument");
}

TEST_CASE("own operators: a definition may read a transpose under a condition") {
  OnnxModel m;
  m.input("x", {2, 3, 4}).node("Transpose", {"x"}, {"t"}, {attribute("perm", testing::Ints{1, 0, 2})});
  m.node("Delay", {"t"}, {"y"}).output("y");
  m.proto.mutable_graph()->mutable_node(1)->set_domain("com.example");
  ModelOptions options;
  options.operators.add("com.example", "Delay", [](const OperatorNode& node) -> std::vector<OperatorTensor> {
    const OperatorTensor& x = node.input(0);
    const Var i("i"), j("j"), k("k");
    Func y("delay");
    y(i, j, k) = select(i >= 1, x.func(i - 1, j, k) * 2.0F, 0.0F);
    return {{y, x.shape}};
  });
  const auto device = Device::open();
  Runner runner = load_model(m, options).run(*device);
  runner.write("x", testing::filled(Float(32), {2, 3, 4}, [](std::int64_t i) { return i; }));
  runner.run();
  const Buffer y = runner.read("y");
  for (std::int64_t i = 0; i < 3; ++i) {
    for (std::int64_t j = 0; j < 2; ++j) {
      for (std::int64_t k = 0; k < 4; ++k) {
        const std::int64_t expected = i == 0 ? 0 : 2 * (j * 12 + (i - 1) * 4 + k);
        CHECK(y.get(i * 8 + j * 4 + k) == static_cast<double>(expected));
      }
    }
  }
}

TEST_CASE("own operators: what cannot be lowered names the nodes") {
  OnnxModel m;
  m.input("x", {2, 3}).node("Own", {"x"}, {"a"}).node("Neg", {"a"}, {"y"}).output("y");
  m.proto.mutable_graph()->mutable_node(0)->set_domain("com.example");
  ModelOptions options;
  options.operators.add("com.example", "Own", [](const OperatorNode& node) -> std::vector<OperatorTensor> {
    const Var i("i"), j("j");
    Func y("own");
    y(i, j) = node.input(0).func(i + 1, j);
    return {{y, node.input(0).shape}};
  });
  CHECK_THROWS_WITH_AS(load_model(m, options).compile(),
                       doctest::Contains("node 'a' (Own), node 'y' (Neg): "), ModelError);
}

TEST_CASE("own operators: mistakes name the node, or the call") {
  CHECK_THROWS_WITH_AS(
      load_model(model_with("com.example")),
      doctest::Contains(
          "operator ScaledRows of the domain 'com.example' is not supported; supported: operators of ONNX's "
          "own domain and of com.microsoft, and those that a C++ program defines in ModelOptions::operators, "
          "here none"),
      ModelError);
  ModelOptions options;
  options.operators.add("com.example", "ScaledRows",
                        [](const OperatorNode& node) -> std::vector<OperatorTensor> {
                          return {{node.input(0).func, node.input(0).shape}};
                        });
  CHECK_THROWS_WITH_AS(
      load_model(model_with("com.example"), options),
      doctest::Contains("(ScaledRows): its definition returns 1 outputs, but the node has 2"), ModelError);
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
                       "OperatorTable::add(\"d\", \"Op\"): the table already has this operator", Error);
  CHECK_THROWS_WITH_AS(
      table.add("", "Op", scaled_rows),
      "OperatorTable::add(\"\", \"Op\"): the domain is reserved for ONNX; use another domain", Error);
}
