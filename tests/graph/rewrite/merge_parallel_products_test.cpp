// Several products of one tensor as one.
#include "graph/rewrite/merge_parallel_products.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <random>

#include "graph/rewrite/simplify_graph.h"
#include "graph/views/fold_views.h"
#include "support/after_pass.h"
#include "support/definitions.h"
#include "support/graph_values.h"

using namespace tensordsl;
using namespace tensordsl::definitions;
using namespace tensordsl::graph;
using tensordsl::testing::after;
using testing::attribute;
using testing::definitions_of;
using testing::Floats;
using testing::Ints;
using testing::OnnxModel;

namespace {

/// "Mul: 3 x 5; MatMul+MatMul: 3 x 8", the tensors that are computed, with their shapes.
std::string merged(const OnnxModel& model, const std::set<std::string>& kept = {}) {
  const DefinitionGraph graph =
      after<merge_parallel_products>(after<simplify_graph>(definitions_of(model)), kept);
  std::string all;
  for (const DefinedTensor& tensor : graph.tensors) {
    if (tensor.func.is_input()) continue;
    std::vector<std::string> kinds, extents;
    for (const Origin& origin : origins_of(tensor)) kinds.push_back(origin.kind);
    for (const Expr& extent : tensor.extents()) extents.push_back(to_string(extent));
    all += fmt::format("{}: {}; ", fmt::join(kinds, "+"), fmt::join(extents, " x "));
  }
  return all;
}

void weights(OnnxModel& model, const std::string& name, const Ints& shape) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  Floats values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>((i * 7 + name.size()) % 11) - 5.0F;
  model.floats(name, shape, values);
}

/// t[columns, 3] = transpose of x[3, 4] by weights
void product(OnnxModel& model, const std::string& name, std::int64_t columns, bool has_bias = true) {
  weights(model, "w" + name, {4, columns});
  model.node("MatMul", {"x", "w" + name}, {"p" + name});
  if (has_bias) {
    weights(model, "b" + name, {columns});
    model.node("Add", {"p" + name, "b" + name}, {"a" + name});
  }
  model.node("Transpose", {(has_bias ? "a" : "p") + name}, {"t" + name}).output("t" + name);
}

OnnxModel input() {
  OnnxModel model;
  model.input("x", {3, 4});
  return model;
}

}  // namespace

TEST_CASE(
    "merge products: one of three may be multiplied by a number, as queries are; of two there is no gain") {
  const auto scaled = [](int products, int with_scale) {
    OnnxModel model = input();
    model.floats("half", {}, {0.5F});
    for (int i = 0; i < products; ++i) {
      const std::string name = std::to_string(i);
      weights(model, "w" + name, {4, 2 + i});
      weights(model, "b" + name, {2 + i});
      model.node("MatMul", {"x", "w" + name}, {"p" + name})
          .node("Add", {"p" + name, "b" + name}, {"a" + name});
      if (i < with_scale) model.node("Mul", {"a" + name, "half"}, {"s" + name});
      model.node("Transpose", {(i < with_scale ? "s" : "a") + name}, {"t" + name}).output("t" + name);
    }
    return model;
  };
  CHECK(merged(scaled(3, 1)) ==
        "MatMul+MatMul+MatMul: 3 x 9; Add+Add+Add: 3 x 9; Add: 3 x 2; Mul: 3 x 2; Transpose: 2 x 3; "
        "Add: 3 x 3; Transpose: 3 x 3; Add: 3 x 4; Transpose: 4 x 3; ");
  for (const auto& [products, with_scale] : {std::pair{3, 2}, {2, 1}})
    CHECK(merged(scaled(products, with_scale)).find("MatMul+") == std::string::npos);
  const DefinitionGraph graph = after<simplify_graph>(definitions_of(scaled(3, 1)));
  const auto expected = testing::values_of(graph),
             values = testing::values_of(after<merge_parallel_products>(graph));
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(values[i] == expected[i]);
}

TEST_CASE("products: of one tensor by several constants are one, with what is added to each") {
  OnnxModel model = input();
  for (const auto& [name, columns] : {std::pair{"q", 5}, {"k", 5}, {"v", 2}}) product(model, name, columns);
  CHECK(merged(model) ==
        "MatMul+MatMul+MatMul: 3 x 12; Add+Add+Add: 3 x 12; Add: 3 x 5; Transpose: 5 x 3; Add: 3 x 5; "
        "Transpose: 5 x 3; Add: 3 x 2; Transpose: 2 x 3; ");
}

TEST_CASE("products: what a device has refused as one product stays several") {
  OnnxModel model = input();
  for (const char* name : {"q", "k"}) product(model, name, 5);
  const DefinitionGraph before = after<simplify_graph>(definitions_of(model));
  const auto has = [](const DefinitionGraph& graph, const std::string& name) {
    return std::ranges::count(graph.tensors, name, &DefinedTensor::name) > 0;
  };
  CHECK(has(after<merge_parallel_products>(before), "pq..pk"));
  const DefinitionGraph apart = after<merge_parallel_products>(before, Target(), {}, {"pq..pk"});
  CHECK(!has(apart, "pq..pk"));
  CHECK(has(apart, "pq"));
  CHECK(has(apart, "pk"));
}

TEST_CASE("products: where not the same is done to all of them, they stay") {
  OnnxModel some = input();
  product(some, "a", 5);
  product(some, "b", 5, false);
  CHECK(merged(some) == "MatMul: 3 x 5; Add: 3 x 5; Transpose: 5 x 3; MatMul: 3 x 5; Transpose: 5 x 3; ");
  OnnxModel plain = input();
  product(plain, "a", 5, false);
  product(plain, "b", 4, false);
  CHECK(merged(plain) ==
        "MatMul+MatMul: 3 x 9; MatMul: 3 x 5; Transpose: 5 x 3; MatMul: 3 x 4; Transpose: 4 x 3; ");
}

TEST_CASE("products: those of which something else is read stay, and so do kept ones and one alone") {
  OnnxModel one = input();
  product(one, "a", 5);
  CHECK(merged(one) == "MatMul: 3 x 5; Add: 3 x 5; Transpose: 5 x 3; ");
  OnnxModel kept = input();
  product(kept, "a", 5);
  product(kept, "b", 5);
  CHECK(merged(kept, {"MatMul"}).starts_with("MatMul: 3 x 5; "));
  OnnxModel read = input();
  product(read, "a", 5);
  product(read, "b", 5);
  read.node("Softmax", {"aa"}, {"y"}).output("y");
  CHECK(merged(read).starts_with("MatMul: 3 x 5; "));
  OnnxModel output = input();
  product(output, "a", 5);
  product(output, "b", 5);
  CHECK(merged(output.output("aa")).starts_with("MatMul: 3 x 5; "));
  // Both together take as many kernels if they are unfused.
  OnnxModel gated = input();
  weights(gated, "w0", {4, 5});
  weights(gated, "w1", {4, 5});
  gated.node("MatMul", {"x", "w0"}, {"p"}).node("MatMul", {"x", "w1"}, {"g"});
  gated.node("Mul", {"p", "g"}, {"y"}).output("y");
  CHECK(merged(gated).starts_with("MatMul: 3 x 5; MatMul: 3 x 5; "));
}

TEST_CASE("products: more than eight stay, as each slice is a kernel of its own") {
  OnnxModel model = input();
  for (int i = 0; i < 9; ++i) product(model, std::to_string(i), 5);
  CHECK(merged(model).starts_with("MatMul: 3 x 5; "));
}

TEST_CASE("products: 200 models of several give the same") {
  std::mt19937 random(9);
  int found = 0;
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    OnnxModel model = input();
    const int products = 2 + static_cast<int>(random() % 4);
    const bool have_bias = random() % 2 == 0;
    for (int i = 0; i < products; ++i)
      product(model, std::to_string(i), 1 + static_cast<std::int64_t>(random() % 9), have_bias);
    const DefinitionGraph graph = after<simplify_graph>(definitions_of(model)),
                          now = after<merge_parallel_products>(graph);
    found += now.tensors.size() < graph.tensors.size() ? 1 : 0;
    REQUIRE(testing::values_of(now) == testing::values_of(graph));
    REQUIRE(testing::values_of(after<fold_views>(now)) == testing::values_of(graph));
  }
  CHECK(found > 100);
}
