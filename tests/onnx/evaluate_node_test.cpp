// Constant folding by interpretation of the definitions.
#include "onnx/evaluate_node.h"

#include <doctest/doctest.h>

#include "onnx/rewrite/fold_constants.h"
#include "support/onnx_model.h"
#include "tensordsl/error.h"

using namespace tensordsl;
using namespace tensordsl::onnx;
using namespace tensordsl::ops;
using testing::OnnxModel;

TEST_CASE("evaluate node: fold_constants computes what depends on constants only") {
  OnnxModel model;
  model.input("x", {2, 3}).floats("a", {2, 1}, {2, 3}).floats("b", {3}, {10, 20, 30});
  model.node("Mul", {"a", "b"}, {"c"}).node("Relu", {"c"}, {"d"}).node("Add", {"x", "d"}, {"y"});
  Graph graph = model.output("y").import();
  fold_constants(graph, evaluate_node);
  REQUIRE(graph.nodes.size() == 1);
  CHECK(graph.nodes[0].op == "Add");
  const Buffer& product = graph.constants.at("d");
  CHECK(product.shape() == Shape{2, 3});
  for (const auto& [at, value] : {std::pair{0, 20.0}, {2, 60.0}, {3, 30.0}, {5, 90.0}})
    CHECK(product.get(at) == value);
}

TEST_CASE("evaluate node: scalars stay scalars") {
  Buffer two(Float(32), {}), three(Float(32), {});
  two.set(0, 2);
  three.set(0, 3);
  const std::vector<Buffer> product = evaluate_node({"n", "Mul", {"a", "b"}, {"c"}, {}}, {&two, &three});
  REQUIRE(product.size() == 1);
  CHECK(product[0].shape().empty());
  CHECK(product[0].get(0) == 6);
}

TEST_CASE("evaluate node: an optional input that is absent is left out") {
  Buffer a(Float(32), {1, 2}), b(Float(32), {2, 1});
  for (int i = 0; i < 2; ++i) a.set(i, i + 1), b.set(i, i + 3);
  const std::vector<Buffer> product =
      evaluate_node({"n", "Gemm", {"a", "b", ""}, {"c"}, {}}, {&a, &b, nullptr});
  CHECK(product.at(0).get(0) == 11);
}

TEST_CASE("evaluate node: an operator without a definition is a bug of the caller") {
  CHECK_THROWS_WITH_AS(evaluate_node({"n", "Loop", {}, {"y"}, {}}, {}), "node 'n' (Loop) has no rules",
                       InternalError);
}
