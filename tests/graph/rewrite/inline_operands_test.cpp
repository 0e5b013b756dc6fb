// Tests which operands and parts are inlined into the definitions of their readers.
#include "graph/rewrite/inline_operands.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "graph/fuse/fuse.h"
#include "graph/rewrite/simplify_graph.h"
#include "support/after_pass.h"
#include "support/definitions.h"
#include "support/graph_values.h"

using namespace tensordsl;
using namespace tensordsl::definitions;
using namespace tensordsl::graph;
using tensordsl::testing::after;
using tensordsl::testing::groups_after;
using testing::attribute;
using testing::definitions_of;
using testing::Ints;
using testing::OnnxModel;

namespace {

/// "Relu -> y", a line for each group; the values are those from before.
std::string composed(const OnnxModel& model, const std::set<std::string>& apart = {}) {
  const DefinitionGraph before = after<simplify_graph>(definitions_of(model));
  const DefinitionGraph now = after<inline_operands>(before, Target(), {}, apart);
  CHECK(testing::values_of(now) == testing::values_of(before));
  std::string all;
  for (const FusedGroup& group : groups_after<fuse>(now))
    all += fmt::format("{} -> {}\n", group.label, now.tensors[group.stored_tensors.at(0)].name);
  return all;
}

OnnxModel& slice(OnnxModel& model, const std::string& x, const std::string& y, std::int64_t from,
                 std::int64_t to) {
  model.ints(y + "_from", {1}, {from}).ints(y + "_to", {1}, {to}).ints(y + "_axis", {1}, {1});
  return model.node("Slice", {x, y + "_from", y + "_to", y + "_axis"}, {y});
}

/// y = x*c + concat(-x[4:], x[:4])*s (Su et al., RoFormer, section 3.4.2)
OnnxModel rotary() {
  OnnxModel model;
  model.input("x", {5, 8}).input("c", {5, 8}).input("s", {5, 8});
  slice(model, "x", "a", 0, 4);
  slice(model, "x", "b", 4, 8).node("Neg", {"b"}, {"n"});
  model.node("Concat", {"n", "a"}, {"r"}, {attribute("axis", 1)});
  model.node("Mul", {"x", "c"}, {"p"}).node("Mul", {"r", "s"}, {"q"});
  return model.node("Add", {"p", "q"}, {"y"});
}

}  // namespace

TEST_CASE("compose parts: a rotary embedding is one definition") {
  OnnxModel model = rotary();
  CHECK(composed(model.output("y")) == "Slice+Slice+Neg+Concat+Mul+Mul+Add -> y\n");
}

TEST_CASE("compose parts: what others read, or the host, or a refused tensor is a tensor") {
  OnnxModel output = rotary();
  CHECK(composed(output.output("y").output("p")) == "Mul -> p\nSlice+Slice+Neg+Concat+Mul+Add -> y\n");
  OnnxModel part = rotary();
  CHECK(composed(part.output("y").output("n")) == "Slice -> a\nSlice+Neg -> n\nConcat+Mul+Mul+Add -> y\n");
  OnnxModel refused = rotary();
  CHECK(composed(refused.output("y"), {"r"}).find("Concat") != std::string::npos);
}

TEST_CASE("compose parts: parts that something accumulates are computed in their places, moved or not") {
  OnnxModel model;
  model.input("x", {4, 6}).floats("w", {6, 6}, std::vector<float>(36, 0.25F));
  model.node("MatMul", {"x", "w"}, {"p"}).node("Relu", {"p"}, {"r"}).node("Neg", {"x"}, {"n"});
  model.node("Concat", {"r", "n"}, {"y"}, {attribute("axis", 1)}).output("y");
  CHECK(composed(model) == "MatMul+Relu -> r\nNeg -> n\nConcat -> y\n");

  OnnxModel moved;
  moved.input("x", {4, 4})
      .floats("w", {4, 4}, std::vector<float>(16, 0.25F))
      .node("MatMul", {"x", "w"}, {"p"});
  moved.node("Transpose", {"p"}, {"t"}, {attribute("perm", Ints{1, 0})}).node("Neg", {"x"}, {"n"});
  moved.node("Concat", {"t", "n"}, {"y"}, {attribute("axis", 0)}).output("y");
  CHECK(composed(moved).find("Concat -> y") != std::string::npos);
}

TEST_CASE("compose parts: many parts stay apart") {
  OnnxModel model;
  testing::Names parts;
  model.input("x", {4, 18});
  for (int i = 0; i < 9; ++i) {
    parts.push_back(fmt::format("n{}", i));
    slice(model, "x", fmt::format("s{}", i), 2 * i, 2 * i + 2)
        .node("Neg", {fmt::format("s{}", i)}, {parts.back()});
  }
  model.node("Concat", parts, {"y"}, {attribute("axis", 1)}).output("y");
  CHECK(composed(model).ends_with("Concat -> y\n"));
}

TEST_CASE(
    "compose parts: chains are left to groups, and neither wholes of wholes nor many operands are composed") {
  OnnxModel chain;
  chain.input("x", {4, 4}).node("Neg", {"x"}, {"a"}).node("Exp", {"a"}, {"b"}).node("Neg", {"b"}, {"y"});
  const DefinitionGraph graph = after<simplify_graph>(definitions_of(chain.output("y")));
  CHECK(after<inline_operands>(graph).tensors.size() == graph.tensors.size());

  OnnxModel nested;
  nested.input("x", {4, 2}).node("Neg", {"x"}, {"n0"});
  for (int i = 0; i < 12; ++i)
    nested.node("Concat", {fmt::format("n{}", i), "x"}, {fmt::format("n{}", i + 1)}, {attribute("axis", 1)});
  CHECK(composed(nested.output("n12")).find("Concat+Concat") == std::string::npos);

  OnnxModel many;
  testing::Names terms;
  for (int i = 0; i < 14; ++i) {
    many.input(fmt::format("x{}", i), {3}).node("Neg", {fmt::format("x{}", i)}, {fmt::format("n{}", i)});
    terms.push_back(fmt::format("n{}", i));
  }
  many.node("Sum", terms, {"y"}).output("y");
  CHECK(composed(many).find("Neg") != std::string::npos);
}
