// Attention as one tensor.
#include "graph/attention/fuse_attention.h"

#include <doctest/doctest.h>

#include <fmt/ranges.h>

#include <random>

#include "graph/attention/define_attention.h"
#include "graph/rewrite/simplify_graph.h"
#include "support/after_pass.h"
#include "support/definitions.h"
#include "support/graph_values.h"

using namespace tensordsl;
using namespace tensordsl::definitions;
using namespace tensordsl::graph;
using tensordsl::testing::after;
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
  return after<fuse_attention>(after<simplify_graph>(definitions_of(model)), cpu(), kept);
}

/// "Mul; MatMul+Softmax+MatMul": the tensors that are computed, and the operators in each.
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

TEST_CASE("attention: where work-items have local memory off the chip, products and softmax stay apart") {
  OnnxModel model = weights();
  model.node("MatMul", {"w", "v"}, {"y"}).output("y");
  const auto with = [&](int items, bool is_off_chip) {
    Target target = cpu();
    target.group_items = items;
    target.is_local_memory_off_chip = is_off_chip;
    return tensors_of(after<fuse_attention>(after<simplify_graph>(definitions_of(model)), target));
  };
  CHECK(with(64, false) == "MatMul+Softmax+MatMul");
  CHECK(with(64, true) == "MatMul; Softmax; MatMul");
  CHECK(with(1, true) == "MatMul+Softmax+MatMul");
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

TEST_CASE("attention: a softmax of masked rows, which are 0, is in it") {
  OnnxModel model(23);
  model.input("q", {1, 2, 6, 4}).input("k", {1, 2, 7, 4}).input("v", {1, 2, 7, 5});
  model.input("mask", {6, 7}, ::onnx::TensorProto::BOOL);
  const DefinitionGraph graph = fused(model.node("Attention", {"q", "k", "v", "mask"}, {"y"}).output("y"));
  CHECK(tensors_of(graph) == "Mul+MatMul+Where+MaskedSoftmax+MatMul");
  std::string all;
  for (const Func& func : TensorFuncs(graph).funcs_of(graph.tensors.size() - 1)) all += testing::text(func);
  CHECK(all.find(":f32 == 0.0, 1.0, ") != std::string::npos);
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
  model.node("Cast", {"w"}, {"i"}, to(::onnx::TensorProto::INT32))
      .node("Cast", {"i"}, {"f"}, to(::onnx::TensorProto::FLOAT));
  CHECK(tensors_of(fused(model.node("MatMul", {"f", "v"}, {"y"}).output("y"))) ==
        "MatMul; Softmax; Cast; Cast; MatMul");
}

TEST_CASE("attention: scores that are two sums of products stay") {
  OnnxModel model;
  model.input("q", {2, 6, 4}).input("k", {2, 4, 7}).input("r", {2, 4, 7});
  model.node("MatMul", {"q", "k"}, {"a"}).node("MatMul", {"q", "r"}, {"b"}).node("Add", {"a", "b"}, {"s"});
  CHECK(tensors_of(fused(with_rest(model, "s"))) == "MatMul; MatMul; Add; Softmax; MatMul");
}

TEST_CASE("attention: of an open number of queries or keys it is one tensor, of open elements it stays") {
  for (const auto& [input, dimension] : {std::pair{0, 1}, {1, 2}, {2, 2}}) {
    CAPTURE(input);
    OnnxModel model = weights();
    model.name_dim(input, dimension, "n");
    if (input == 1) model.name_dim(2, 1, "n");
    CHECK(tensors_of(fused(model.node("MatMul", {"w", "v"}, {"y"}).output("y"))) ==
          (input == 2 ? "MatMul; Softmax; MatMul" : "MatMul+Softmax+MatMul"));
  }
}

namespace {

/// An attention of 32 queries.
OnnxModel of_keys(std::int64_t keys) {
  OnnxModel model;
  model.input("q", {32, 4}).input("k", {4, keys}).input("v", {keys, 5});
  model.node("MatMul", {"q", "k"}, {"s"}).node("Softmax", {"s"}, {"w"});
  return model.node("MatMul", {"w", "v"}, {"y"}).output("y");
}

/// True if the attention processes its keys in blocks: then one of its parts has three values.
bool is_running(const DefinitionGraph& graph) {
  return std::ranges::any_of(TensorFuncs(graph).funcs_of(graph.tensors.size() - 1),
                             [](const Func& func) { return func.outputs() == 3; });
}

}  // namespace

TEST_CASE("attention: of more keys than fit, and of an unknown number, it has a running softmax") {
  CHECK_FALSE(is_running(fused(of_keys(1024))));
  CHECK(is_running(fused(of_keys(1025))));
  OnnxModel open = of_keys(7);
  CHECK(is_running(fused(open.name_dim(1, 1, "n").name_dim(2, 0, "n"))));
}

TEST_CASE(
    "attention: one query is one tensor on a CPU, and stays three where a work-group has several items") {
  OnnxModel model;
  model.input("q", {3, 1, 4}).input("k", {3, 4, 7}).input("v", {3, 7, 5});
  model.node("MatMul", {"q", "k"}, {"s"}).node("Softmax", {"s"}, {"w"});
  model.node("MatMul", {"w", "v"}, {"y"}).output("y");
  const DefinitionGraph graph = fused(model);
  CHECK(tensors_of(graph) == "MatMul+Softmax+MatMul");
  CHECK(is_running(graph));
  Target gpu;
  gpu.group_items = 64;
  CHECK(tensors_of(after<fuse_attention>(after<simplify_graph>(definitions_of(model)), gpu)) ==
        "MatMul; Softmax; MatMul");
}

TEST_CASE("attention: blocks of keys leave out what is behind the last key, and rescale what was before") {
  const DefinitionGraph graph = fused(of_keys(1500));
  const auto funcs = TensorFuncs(graph).funcs_of(graph.tensors.size() - 1);
  CHECK(testing::text(funcs[1]) ==
        "matmul_5_dot(queries, keys, r_0, lane) over r_0_of_scores:4 = matmul_5_dot(queries, keys, r_0, "
        "lane):f32 + matmul_5_asked(queries, r_0_of_scores, lane):f32*t1(r_0_of_scores, min(keys*256 + r_0, "
        "1499)):f32\n");
  CHECK(testing::text(funcs[3]) ==
        "matmul_5_highest(queries, keys, lane) over r_0:256 where keys*256 + r_0 < 1500 = "
        "max(matmul_5_highest(queries, keys, lane):f32, matmul_5_score(queries, keys, r_0, lane):f32)\n");
  CHECK(testing::text(funcs[6]) ==
        "matmul_5_part(queries, keys, lane, d1) over r_0:256 where keys*256 + r_0 < 1500 = "
        "matmul_5_part(queries, keys, lane, d1):f32 + matmul_5_weight(queries, keys, r_0, "
        "lane):f32*t2(keys*256 + "
        "r_0, d1):f32\n");
  const std::string
      below = "min(matmul_5_run(queries, lane, d1).0:f32 - matmul_5_highest(queries, keys, lane):f32, 0.0)",
      above = "min(matmul_5_highest(queries, keys, lane):f32 - matmul_5_run(queries, lane, d1).0:f32, 0.0)";
  const auto scaled = [&](int component, const char* now) {
    return fmt::format("matmul_5_run(queries, lane, d1).{}:f32*exp({}) + matmul_5_{}:f32*exp({})", component,
                       below, now, above);
  };
  CHECK(testing::text(funcs[7]) ==
        fmt::format(
            "matmul_5_run(queries, lane, d1) over keys:6 = {{max(matmul_5_run(queries, lane, d1).0:f32, "
            "matmul_5_highest(queries, keys, lane):f32), {}, {}}}\n",
            scaled(1, "total(queries, keys, lane)"), scaled(2, "part(queries, keys, lane, d1)")));
}

TEST_CASE("attention: the log says what became of it, and of what is in it") {
  const auto notes_of = [](const OnnxModel& model, const Target& target,
                           const std::set<std::string>& apart = {}) {
    PassNotes notes;
    after<fuse_attention>(after<simplify_graph>(definitions_of(model)), target, {}, apart, &notes);
    std::string all;
    for (const PassNote& note : notes)
      all += fmt::format("{} {}{}", note.tensor, note.text, note.into.empty() ? "\n" : " *\n");
    return all;
  };
  const std::string parts = "s is fused into the attention %y *\nw is fused into the attention %y *\n";
  CHECK(notes_of(of_keys(7), cpu()) == parts + "y holds the scores of 16 queries at a time, of all keys\n");
  CHECK(notes_of(of_keys(1500), cpu()) ==
        parts +
            "y holds the scores of 16 queries at a time, of 256 keys at a time, with a running softmax\n");
  CHECK(notes_of(of_keys(7), cpu(), {"y"}) ==
        "y is not fused into one kernel: the device refused the kernel\n");
  Target gpu;
  gpu.group_items = 64;
  OnnxModel one;
  one.input("q", {1, 4}).input("k", {4, 7}).input("v", {7, 5}).node("MatMul", {"q", "k"}, {"s"});
  one.node("Softmax", {"s"}, {"w"}).node("MatMul", {"w", "v"}, {"y"}).output("y");
  CHECK(notes_of(one, gpu) == "y is not fused into one kernel: a work-group would compute only one query\n");
  OnnxModel large = of_keys(7);
  large.proto.mutable_graph()->clear_input();
  large.input("q", {32, 8192}).input("k", {8192, 7}).input("v", {7, 5});
  CHECK(notes_of(large, gpu) ==
        "y is not fused into one kernel: 4 queries of 8192 elements need too much local memory\n");
  OnnxModel open = of_keys(7);
  CHECK(notes_of(open.name_dim(0, 1, "n").name_dim(1, 0, "n"), cpu()) ==
        "y is not fused into one kernel: the size of a query or a value is not known\n");
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
                        const std::vector<::onnx::AttributeProto>& attributes = {}) {
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
    const DefinitionGraph graph = after<simplify_graph>(definitions_of(draw(random)));
    const DefinitionGraph now = after<fuse_attention>(graph, cpu());
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

TEST_CASE("attention: 200 of any size and form give the same in blocks of any number of queries and keys") {
  std::mt19937 random(6);
  int found = 0;
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    DefinitionGraph graph = after<simplify_graph>(definitions_of(draw(random)));
    const auto expected = testing::values_of(graph);
    const std::size_t last = graph.outputs[0].tensor;
    const AttentionBlock block{static_cast<int>(1 + random() % 5), static_cast<int>(1 + random() % 9)};
    CAPTURE(block.keys);
    const auto attention = AttentionFinder(graph, {}).find(last);
    if (!attention) continue;
    ++found;
    graph.tensors[last].func = define_attention(graph.tensors[last], *attention, block).funcs.back();
    const auto values = testing::values_of(graph);
    REQUIRE(values[0].size() == expected[0].size());
    for (std::size_t k = 0; k < expected[0].size(); ++k)
      REQUIRE(values[0][k] == doctest::Approx(expected[0][k]).epsilon(1e-5));
  }
  CHECK(found > 165);
}
