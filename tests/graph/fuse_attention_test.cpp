// Attention as one tensor.
#include "graph/fuse_attention.h"

#include <doctest/doctest.h>

#include <fmt/ranges.h>

#include <random>

#include "graph/simplify_graph.h"
#include "support/definitions.h"
#include "support/graph_values.h"

using namespace tensordsl;
using testing::attribute;
using testing::definitions_of;
using testing::Ints;
using testing::Names;
using testing::OnnxModel;

namespace {

Target cpu() {
  Target target;
  target.vector_width = 16;
  target.group_items = 1;
  return target;
}

DefinitionGraph fused(const OnnxModel& model, const std::set<std::string>& kept = {}) {
  return fuse_attention(simplify_graph(definitions_of(model)), cpu(), kept);
}

/// "Mul; MatMul+Softmax+MatMul": what is computed, and what is in it.
std::string tensors_of(const DefinitionGraph& graph) {
  std::vector<std::string> all;
  for (const DefinedTensor& tensor : graph.tensors) {
    if (tensor.func.is_input()) continue;
    std::vector<std::string> kinds;
    for (const Origin& origin : origins_of(tensor)) kinds.push_back(origin.kind);
    all.push_back(fmt::format("{}", fmt::join(kinds, "+")));
  }
  return fmt::format("{}", fmt::join(all, "; "));
}

/// w[2, 6, 7] = softmax of q[2, 6, 4] by k[2, 4, 7]
OnnxModel weights() {
  OnnxModel model;
  model.input("q", {2, 6, 4}).input("k", {2, 4, 7}).input("v", {2, 7, 5});
  return model.node("MatMul", {"q", "k"}, {"s"}).node("Softmax", {"s"}, {"w"});
}

/// Attention of `scores`, which are [2, 6, 7], to the values.
OnnxModel with_rest(OnnxModel model, const std::string& scores) {
  model.node("Softmax", {scores}, {"w"}).input("v", {2, 7, 5});
  return model.node("MatMul", {"w", "v"}, {"y"}).output("y");
}

}  // namespace

TEST_CASE("attention: two products and the softmax between them are one tensor, in parts for some queries") {
  OnnxModel model = weights();
  const DefinitionGraph graph = fused(model.node("MatMul", {"w", "v"}, {"y"}).output("y"));
  CHECK(tensors_of(graph) == "MatMul+Softmax+MatMul");
  std::string all;
  for (const Func& func : TensorFuncs(graph).funcs_of(graph.tensors.size() - 1)) all += testing::text(func);
  CHECK(
      all ==
      "matmul_5_asked(d0, queries, r_0_of_scores, lane) = t0(d0, min(queries*8 + lane, 5), "
      "r_0_of_scores):f32\n"
      "matmul_5_dot(d0, queries, r_0, lane) over r_0_of_scores:4 = matmul_5_dot(d0, queries, r_0, "
      "lane):f32 + matmul_5_asked(d0, queries, r_0_of_scores, lane):f32*t1(d0, r_0_of_scores, r_0):f32\n"
      "matmul_5_score(d0, queries, r_0, lane) = matmul_5_dot(d0, queries, r_0, lane):f32\n"
      "matmul_5_highest(d0, queries, lane) over r_0:7 = max(matmul_5_highest(d0, queries, lane):f32, "
      "matmul_5_score(d0, queries, r_0, lane):f32)\n"
      "matmul_5_weight(d0, queries, r_0, lane) = select(matmul_5_score(d0, queries, r_0, lane):f32 - "
      "matmul_5_highest(d0, queries, lane):f32 < -87.0, 0.0, exp(matmul_5_score(d0, queries, r_0, lane):f32 "
      "- matmul_5_highest(d0, queries, lane):f32))\n"
      "matmul_5_part(d0, queries, lane, d2) over r_0:7 = matmul_5_part(d0, queries, lane, d2):f32 + "
      "matmul_5_weight(d0, queries, r_0, lane):f32*t2(d0, r_0, d2):f32\n"
      "matmul_5_total(d0, queries, lane) over r_0:7 = matmul_5_total(d0, queries, lane):f32 + "
      "matmul_5_weight(d0, queries, r_0, lane):f32\n"
      "matmul_5(d0, d1, d2) = matmul_5_part(d0, d1/8, d1%8, d2):f32/matmul_5_total(d0, d1/8, d1%8):f32\n");
}

TEST_CASE("attention: a scale, a mask, a reshape and a cheap factor are in it") {
  OnnxModel model;
  model.input("x", {1, 2, 6, 4}).input("z", {2, 7, 4}).input("mask", {6, 7}).floats("c", {}, {0.5F});
  model.node("Mul", {"x", "c"}, {"q4"}).ints("shape", {3}, {2, 6, 4}).node("Reshape", {"q4", "shape"}, {"q"});
  model.node("Transpose", {"z"}, {"t"}, {attribute("perm", Ints{0, 2, 1})}).node("Mul", {"t", "c"}, {"k"});
  model.node("MatMul", {"q", "k"}, {"s"}).node("Div", {"s", "c"}, {"d"}).node("Add", {"mask", "d"}, {"m"});
  const DefinitionGraph graph = fused(with_rest(model, "m"));
  CHECK(tensors_of(graph) == "Mul+Mul+MatMul+Div+Add+Softmax+MatMul");
  const auto funcs = TensorFuncs(graph).funcs_of(graph.tensors.size() - 1);
  // The keys' scale goes with the queries, and their transpose into the index.
  CHECK(testing::text(funcs[0]) ==
        "matmul_13_asked(d0, queries, r_0_of_scores, lane) = "
        "t0(0, d0, min(queries*8 + lane, 5), r_0_of_scores):f32*t4(0):f32*t4(0):f32\n");
  CHECK(testing::text(funcs[1]) ==
        "matmul_13_dot(d0, queries, r_0, lane) over r_0_of_scores:4 = matmul_13_dot(d0, queries, r_0, "
        "lane):f32 + "
        "matmul_13_asked(d0, queries, r_0_of_scores, lane):f32*t1(d0, r_0, r_0_of_scores):f32\n");
}

TEST_CASE("attention: the weights may be the product's second factor") {
  OnnxModel model;
  model.input("k", {2, 7, 4}).input("q", {2, 4, 6}).input("v", {2, 5, 7});
  model.node("MatMul", {"k", "q"}, {"s"}).node("Softmax", {"s"}, {"w"}, {attribute("axis", 1)});
  const DefinitionGraph graph = fused(model.node("MatMul", {"v", "w"}, {"y"}).output("y"));
  CHECK(tensors_of(graph) == "MatMul+Softmax+MatMul");
}

TEST_CASE("attention: what others read, what is kept, and what is no softmax along the keys stay") {
  OnnxModel read = weights();
  read.node("MatMul", {"w", "v"}, {"y"}).output("y").output("w");
  CHECK(tensors_of(fused(read)) == "MatMul; Softmax; MatMul");
  OnnxModel scores = weights();
  scores.node("MatMul", {"w", "v"}, {"y"}).node("Neg", {"s"}, {"z"}).output("y").output("z");
  CHECK(tensors_of(fused(scores)) == "MatMul; Softmax; MatMul; Neg");
  OnnxModel plain = weights();
  plain.node("MatMul", {"w", "v"}, {"y"}).output("y");
  CHECK(tensors_of(fused(plain, {"Softmax"})) == "MatMul; Softmax; MatMul");
  CHECK(tensors_of(fused(plain, {"MatMul"})) == "MatMul; Softmax; MatMul");
  OnnxModel other_axis;
  other_axis.input("q", {2, 6, 4}).input("k", {2, 4, 7}).input("v", {2, 7, 5});
  other_axis.node("MatMul", {"q", "k"}, {"s"}).node("Softmax", {"s"}, {"w"}, {attribute("axis", 1)});
  CHECK(tensors_of(fused(other_axis.node("MatMul", {"w", "v"}, {"y"}).output("y"))) ==
        "MatMul; Softmax; MatMul");
  OnnxModel logarithms;
  logarithms.input("q", {2, 6, 4}).input("k", {2, 4, 7}).input("v", {2, 7, 5});
  logarithms.node("MatMul", {"q", "k"}, {"s"}).node("LogSoftmax", {"s"}, {"w"});
  CHECK(tensors_of(fused(logarithms.node("MatMul", {"w", "v"}, {"y"}).output("y"))) ==
        "MatMul; LogSoftmax; MatMul");
  OnnxModel no_product;
  no_product.input("s", {2, 6, 7}).node("Neg", {"s"}, {"m"});
  CHECK(tensors_of(fused(with_rest(no_product, "m"))) == "Neg; Softmax; MatMul");
}

TEST_CASE("attention: weights that are cut to integers are no averages' weights") {
  OnnxModel model = weights();
  const auto to = [](int type) { return std::vector{attribute("to", type)}; };
  model.node("Cast", {"w"}, {"i"}, to(onnx::TensorProto::INT32))
      .node("Cast", {"i"}, {"f"}, to(onnx::TensorProto::FLOAT));
  CHECK(tensors_of(fused(model.node("MatMul", {"f", "v"}, {"y"}).output("y"))) ==
        "MatMul; Softmax; Cast; Cast; MatMul");
}

TEST_CASE("attention: scores that are two sums of products stay") {
  OnnxModel model;
  model.input("q", {2, 6, 4}).input("k", {2, 4, 7}).input("r", {2, 4, 7});
  model.node("MatMul", {"q", "k"}, {"a"}).node("MatMul", {"q", "r"}, {"b"}).node("Add", {"a", "b"}, {"s"});
  CHECK(tensors_of(fused(with_rest(model, "s"))) == "MatMul; MatMul; Add; Softmax; MatMul");
}

TEST_CASE("attention: of an open number of queries, keys or elements stays") {
  for (const auto& [input, dimension] : {std::pair{0, 1}, {1, 2}, {2, 2}}) {
    OnnxModel model = weights();
    model.name_dim(input, dimension, "n");
    if (input == 1) model.name_dim(2, 1, "n");
    CHECK(tensors_of(fused(model.node("MatMul", {"w", "v"}, {"y"}).output("y"))) ==
          "MatMul; Softmax; MatMul");
  }
}

TEST_CASE("attention: rows of more keys than fit, and of an unknown number, stay three tensors") {
  for (const std::int64_t keys : {1024, 1025}) {
    OnnxModel model;
    model.input("q", {32, 4}).input("k", {4, keys}).input("v", {keys, 5});
    model.node("MatMul", {"q", "k"}, {"s"}).node("Softmax", {"s"}, {"w"});
    model.node("MatMul", {"w", "v"}, {"y"}).output("y");
    CHECK((tensors_of(fused(model)) == "MatMul+Softmax+MatMul") == (keys == 1024));
  }
}

namespace {

/// Attention in one of the ways in which it is written, of any sizes.
OnnxModel draw(std::mt19937& random) {
  const auto number = [&](std::int64_t end) {
    return 1 + static_cast<std::int64_t>(random() % static_cast<unsigned>(end));
  };
  const std::int64_t b = number(3), n = number(19), m = number(19), d = number(7), e = number(9);
  OnnxModel model;
  model.floats("c", {}, {0.7F}).input("v", {b, m, e}).input("mask", {1, n, m});
  std::string q = "q", k = "k", s = "s";
  const auto then = [&](std::string& name, const char* op, Names inputs,
                        const std::vector<onnx::AttributeProto>& attributes = {}) {
    if (random() % 2 == 0) return;
    const std::string next = name + "_";
    model.node(op, inputs, {next}, attributes);
    name = next;
  };
  model.input("q", {b, n, d});
  then(q, "Mul", {q, "c"});
  if (random() % 2 == 0) {
    model.input("z", {b, m, d}).node("Transpose", {"z"}, {"k"}, {attribute("perm", Ints{0, 2, 1})});
  } else {
    model.input("k", {b, d, m});
  }
  then(k, "Mul", {"c", k});
  model.node("MatMul", {q, k}, {s});
  then(s, "Div", {s, "c"});
  then(s, "Add", {s, "mask"});
  if (random() % 2 == 0) {
    model.ints("apart", {4}, {1, b, n, m}).node("Reshape", {s, "apart"}, {s + "4"}).input("bias", {b, n, m});
    model.node("Add", {s + "4", "bias"}, {s + "5"}).ints("together", {3}, {b, n, m});
    model.node("Reshape", {s + "5", "together"}, {s + "6"});
    s += "6";
  }
  model.node("Softmax", {s}, {"w"}).node("MatMul", {"w", "v"}, {"y"});
  return model.output("y");
}

}  // namespace

TEST_CASE("attention: 200 of any size and form are found and give the same") {
  std::mt19937 random(5);
  int found = 0;
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    const DefinitionGraph graph = simplify_graph(definitions_of(draw(random)));
    const DefinitionGraph now = fuse_attention(graph, cpu());
    found += now.tensors.size() < graph.tensors.size() ? 1 : 0;
    const auto expected = testing::values_of(graph), values = testing::values_of(now);
    REQUIRE(values.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      REQUIRE(values[i].size() == expected[i].size());
      for (std::size_t k = 0; k < expected[i].size(); ++k)
        REQUIRE(values[i][k] == doctest::Approx(expected[i][k]).epsilon(1e-5));
    }
  }
  CHECK(found > 165);
}
