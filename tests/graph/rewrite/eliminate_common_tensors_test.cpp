// Graphs in which nothing is defined twice.
#include "graph/rewrite/eliminate_common_tensors.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <random>
#include <set>

#include "graph/fuse/fuse.h"
#include "graph/rewrite/simplify_graph.h"
#include "support/after_pass.h"
#include "support/definitions.h"
#include "support/graph_values.h"
#include "support/random_graph.h"

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

DefinitionGraph merged_graph(const OnnxModel& model, const std::set<std::string>& kept = {}) {
  return testing::after_pass(
      model, [&](const DefinitionGraph& graph) { return after<eliminate_common_tensors>(graph, kept); });
}

/// "a = Exp(x); y = Add(a, b); y is y": the tensors that are computed, with what they read, and the outputs.
std::string text_of(const DefinitionGraph& graph) {
  const TensorFuncs funcs(graph);
  std::vector<std::string> all;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    if (graph.tensors[i].func.is_input()) continue;
    std::vector<std::string> reads;
    for (const std::size_t read : funcs.reads_of(funcs.funcs_of(i)))
      reads.push_back(graph.tensors[read].name);
    all.push_back(fmt::format("{} = {}({})", graph.tensors[i].name, graph.tensors[i].origin.kind,
                              fmt::join(reads, ", ")));
  }
  for (const DefinitionGraph::Output& output : graph.outputs)
    all.push_back(fmt::format("{} is {}", output.name, graph.tensors[output.tensor].name));
  return fmt::format("{}", fmt::join(all, "; "));
}

std::string merged(const OnnxModel& model, const std::set<std::string>& kept = {}) {
  return text_of(merged_graph(model, kept));
}

std::size_t kernels(const OnnxModel& model, bool merges) {
  DefinitionGraph graph = after<simplify_graph>(definitions_of(model));
  return groups_after<fuse>(merges ? after<eliminate_common_tensors>(std::move(graph)) : graph).size();
}

/// Duplicates each node of a model: the copies read the results of the copies, and their results become
/// outputs after the others.
OnnxModel twice(const OnnxModel& model) {
  OnnxModel result = model;
  ::onnx::GraphProto& graph = *result.proto.mutable_graph();
  std::set<std::string> made;
  for (const ::onnx::NodeProto& node : model.proto.graph().node())
    made.insert(node.output().begin(), node.output().end());
  for (const ::onnx::NodeProto& node : model.proto.graph().node()) {
    ::onnx::NodeProto& copy = *graph.add_node();
    copy = node;
    for (std::string& input : *copy.mutable_input()) input += made.contains(input) ? "_again" : "";
    for (std::string& output : *copy.mutable_output()) output += output.empty() ? "" : "_again";
  }
  for (const ::onnx::ValueInfoProto& output : model.proto.graph().output())
    result.output(output.name() + "_again");
  return result;
}

OnnxModel convolutions(const testing::Floats& other) {
  OnnxModel model;
  model.input("x", {1, 1, 3, 3}).floats("w", {1, 1, 1, 1}, {2}).floats("v", {1, 1, 2, 2}, {1, 2, 3, 4});
  model.floats("u", {1, 1, 2, 2}, other).node("Conv", {"x", "v"}, {"a"}).node("Conv", {"x", "u"}, {"b"});
  return model.node("Sub", {"a", "b"}, {"y"}).output("y");
}

}  // namespace

TEST_CASE("equal tensors: what is defined twice is computed once, and so is what reads it") {
  OnnxModel model;
  model.input("x", {2, 3}).node("Softmax", {"x"}, {"a"}).node("Softmax", {"x"}, {"b"});
  model.node("Exp", {"a"}, {"c"}).node("Exp", {"b"}, {"d"}).node("Add", {"c", "d"}, {"y"}).output("y");
  CHECK(merged(model) == "a = Softmax(x); c = Exp(a); y = Add(c); y is y");
}

TEST_CASE("equal tensors: not what differs in an attribute, a shape, a type or the order of its operands") {
  OnnxModel axes;
  axes.input("x", {3, 3}).node("Softmax", {"x"}, {"a"}, {attribute("axis", 0)}).node("Softmax", {"x"}, {"b"});
  CHECK(merged(axes.node("Sub", {"a", "b"}, {"y"}).output("y")) ==
        "a = Softmax(x); b = Softmax(x); y = Sub(a, b); y is y");
  OnnxModel shapes;
  shapes.input("x", {4}).ints("s", {2}, {2, 2}).ints("t", {2}, {4, 1});
  shapes.node("Reshape", {"x", "s"}, {"a"}).node("Reshape", {"x", "t"}, {"b"}).output("a").output("b");
  CHECK(merged(shapes) == "a = Reshape(x); b = Reshape(x); a is a; b is b");
  OnnxModel types;
  types.input("x", {4}).node("Cast", {"x"}, {"a"}, {attribute("to", ::onnx::TensorProto::INT32)});
  types.node("Cast", {"x"}, {"b"}, {attribute("to", ::onnx::TensorProto::INT64)}).output("a").output("b");
  CHECK(merged(types) == "a = Cast(x); b = Cast(x); a is a; b is b");
  OnnxModel operands;
  operands.input("x", {4}).input("z", {4}).node("Sub", {"x", "z"}, {"a"}).node("Sub", {"z", "x"}, {"b"});
  CHECK(merged(operands.output("a").output("b")) == "a = Sub(x, z); b = Sub(z, x); a is a; b is b");
}

TEST_CASE("equal tensors: a scalar and a tensor of one element are two") {
  OnnxModel model;
  model.input("x", {3}).node("ReduceSum", {"x"}, {"a"}, {attribute("keepdims", 0)});
  model.node("ReduceSum", {"x"}, {"b"}, {attribute("keepdims", 1)}).output("a").output("b");
  CHECK(merged(model) == "a = ReduceSum(x); b = ReduceSum(x); a is a; b is b");
}

TEST_CASE("equal tensors: two operators may be one definition, but not of what is asked to stay") {
  OnnxModel model;
  model.input("x", {2, 3, 4}).node("Flatten", {"x"}, {"a"}).ints("s", {2}, {2, 12});
  model.node("Reshape", {"x", "s"}, {"b"}).output("a").output("b");
  CHECK(merged(model) == "a = Flatten(x); a is a; b is a");
  CHECK(merged(model, {"Reshape"}) == "a = Flatten(x); b = Reshape(x); a is a; b is b");
}

TEST_CASE("equal tensors: outputs that are equal are all given") {
  OnnxModel model;
  model.input("x", {4}).node("Exp", {"x"}, {"a"}).node("Exp", {"x"}, {"b"}).node("Neg", {"b"}, {"y"});
  CHECK(merged(model.output("b").output("a").output("y")) ==
        "a = Exp(x); y = Neg(a); b is a; a is a; y is y");
}

TEST_CASE("equal tensors: constants of equal bytes are one, of the same bytes in another shape or type two") {
  CHECK(merged(convolutions({1, 2, 3, 4})) == "a = Conv(x, u); y = Sub(a); y is y");
  CHECK(merged(convolutions({1, 2, 3, 5})) == "a = Conv(x, v); b = Conv(x, u); y = Sub(a, b); y is y");
  OnnxModel shapes;
  shapes.input("x", {2, 2}).floats("v", {2, 1}, {1, 2}).floats("u", {1, 2}, {1, 2});
  shapes.node("Mul", {"x", "v"}, {"a"}).node("Mul", {"x", "u"}, {"b"}).output("a").output("b");
  CHECK(merged(shapes) == "a = Mul(x, v); b = Mul(x, u); a is a; b is b");
}

TEST_CASE("equal tensors: large constants that differ in one element are two") {
  constexpr std::int64_t kElements = 1000;
  OnnxModel model;
  testing::Floats values(kElements, 1);
  model.input("x", {kElements}).floats("v", {kElements}, values).floats("same", {kElements}, values);
  values[777] = 2;
  model.floats("other", {kElements}, values).node("Add", {"x", "v"}, {"a"}).node("Add", {"x", "same"}, {"b"});
  model.node("Add", {"x", "other"}, {"c"}).output("a").output("b").output("c");
  CHECK(merged(model) == "a = Add(x, same); c = Add(x, other); a is a; b is a; c is c");
}

TEST_CASE("equal tensors: what different readers compute in their kernels stays two") {
  OnnxModel model;
  model.input("x", {8}).input("z", {8}).node("Sigmoid", {"x"}, {"a"}).node("Sigmoid", {"x"}, {"b"});
  model.node("Mul", {"a", "z"}, {"c"}).node("Add", {"b", "z"}, {"d"}).output("c").output("d");
  CHECK(merged(model) == "a = Sigmoid(x); b = Sigmoid(x); c = Mul(a, z); d = Add(b, z); c is c; d is d");
  CHECK(kernels(model, true) == 2);
  // A third reader has it stored anyway.
  OnnxModel stored = model;
  stored.node("Softmax", {"a"}, {"e"}).node("Softmax", {"b"}, {"f"}).output("e").output("f");
  CHECK(kernels(stored, true) == 4);
  CHECK(kernels(stored, false) == 6);
  // Chains that are equal up to some reader are merged up to it.
  OnnxModel equal = model;
  equal.node("Sub", {"c", "d"}, {"e"}).node("Mul", {"a", "z"}, {"g"}).output("e").output("g");
  CHECK(
      merged(equal) ==
      "a = Sigmoid(x); b = Sigmoid(x); c = Mul(a, z); d = Add(b, z); e = Sub(c, d); c is c; d is d; e is e; "
      "g is c");
}

TEST_CASE("equal tensors: what each was is noted") {
  OnnxModel model;
  model.input("x", {4}).node("Exp", {"x"}, {"a"}).node("Exp", {"x"}, {"b"}).output("a").output("b");
  PassNotes notes;
  after<eliminate_common_tensors>(definitions_of(model), &notes);
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].tensor == "b");
  CHECK(notes[0].outcome == PassOutcome::Same);
  CHECK(notes[0].text == "has the same definition as %a");
  CHECK(notes[0].into == std::vector<std::string>{"a"});
}

TEST_CASE("equal tensors: of 200 random models the second half, which is equal to the first, goes") {
  std::mt19937 random(29);
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    const OnnxModel model = testing::RandomGraph(random, 8).model();
    const DefinitionGraph once =
        after<eliminate_common_tensors>(after<simplify_graph>(definitions_of(model)));
    const DefinitionGraph both = merged_graph(twice(model));
    const auto computed = [](const DefinitionGraph& graph) {
      return std::ranges::count_if(graph.tensors, [](const DefinedTensor& t) { return !t.func.is_input(); });
    };
    CHECK(computed(both) == computed(once));
    const auto values = testing::values_of(once), of_both = testing::values_of(both);
    REQUIRE(of_both.size() == 2 * values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      CHECK(of_both[i] == values[i]);
      CHECK(of_both[i + values.size()] == values[i]);
    }
  }
}
