// Borders that go into the windows over them.
#include "graph/rewrite/fold_pads.h"

#include <doctest/doctest.h>

#include <random>

#include "graph/fuse/fuse.h"
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
using testing::OnnxModel;

namespace {

DefinitionGraph merged(const OnnxModel& model, const std::set<std::string>& kept = {}) {
  return testing::after_pass(model,
                             [&](const DefinitionGraph& graph) { return after<fold_pads>(graph, kept); });
}

/// "Pad; Conv", the tensors that are computed.
std::string tensors_of(const DefinitionGraph& graph) {
  std::string all;
  for (const DefinedTensor& tensor : graph.tensors) {
    if (!tensor.func.is_input()) all += (all.empty() ? "" : "; ") + tensor.origin.kind;
  }
  return all;
}

std::string tensors(const OnnxModel& model, const std::set<std::string>& kept = {}) {
  return tensors_of(merged(model, kept));
}

/// The Funcs of the last tensor.
std::string last_funcs(const DefinitionGraph& graph) {
  std::string all;
  for (const Func& func : TensorFuncs(graph).funcs_of(graph.tensors.size() - 1)) all += testing::text(func);
  return all;
}

/// `to` is `from` with a border of `pads` rows and columns: top, left, bottom, right.
OnnxModel& pad(OnnxModel& model, const std::string& from, const std::string& to, const Ints& pads,
               float value = 0) {
  model.ints("pads_" + to, {8}, {0, 0, pads[0], pads[1], 0, 0, pads[2], pads[3]});
  model.floats("value_" + to, {}, {value});
  return model.node("Pad", {from, "pads_" + to, "value_" + to}, {to});
}

/// x[1, 2, 5, 6], and b, which is x with a border.
OnnxModel padded(const Ints& pads = {1, 1, 1, 1}, float value = 0) {
  OnnxModel model;
  model.input("x", {1, 2, 5, 6}).floats("w", {1, 2, 3, 3}, testing::Floats(18, 0.5F));
  return pad(model, "x", "b", pads, value);
}

OnnxModel convolved(OnnxModel model, const std::string& from, const Ints& pads = {0, 0, 0, 0}) {
  return model.node("Conv", {from, "w"}, {"y"}, {attribute("pads", pads)}).output("y");
}

OnnxModel pooled(OnnxModel model, const std::string& op, const Ints& pads = {0, 0, 0, 0}) {
  model.node(op, {"b"}, {"y"}, {attribute("kernel_shape", Ints{3, 3}), attribute("pads", pads)});
  return model.output("y");
}

}  // namespace

TEST_CASE("pads: a border in front of a convolution becomes its own") {
  const std::string own = last_funcs(merged(convolved(padded({0, 0, 0, 0}), "x", {1, 2, 0, 3})));
  CHECK(own ==
        "conv_2_padded(b0, b1, b2, b3) = select(0 <= b2 && b2 < 5 && (0 <= b3 && b3 < 6), "
        "t0(b0, b1, min(max(b2, 0), 5 - 1), min(max(b3, 0), 6 - 1)):f32, f32(0))\n"
        "conv_2_sum(n, c, h, w) over r_0:3 r_1:3 r_2:2 = conv_2_sum(n, c, h, w):f32 + "
        "conv_2_padded(n, r_2, h + r_0 - 1, w + r_1 - 2):f32*t1(c, r_2, r_0, r_1):f32\n"
        "conv_2(n, c, h, w) = conv_2_sum(n, c, h, w):f32\n");
  CHECK(last_funcs(merged(convolved(padded({1, 2, 0, 3}), "b"))) ==
        "conv_3_padded(b0, b1, b2, b3) = select(0 <= b2 && b2 < 5 && (0 <= b3 && b3 < 6), "
        "t0(b0, b1, min(max(b2, 0), 5 - 1), min(max(b3, 0), 6 - 1)):f32, 0.0)\n"
        "conv_3_sum(n, c, h, w) over r_0:3 r_1:3 r_2:2 = conv_3_sum(n, c, h, w):f32 + "
        "conv_3_padded(n, r_2, h + r_0 - 1, r_1 + w - 2):f32*t1(c, r_2, r_0, r_1):f32\n"
        "conv_3(n, c, h, w) = conv_3_sum(n, c, h, w):f32\n");
}

TEST_CASE("pads: with the border that a convolution has, and around another one, it is one") {
  CHECK(tensors(convolved(padded(), "b", {1, 0, 1, 2})) == "Conv");
  const DefinitionGraph own = merged(convolved(padded(), "b", {1, 0, 1, 2}));
  CHECK(TensorFuncs(own).funcs_of(own.tensors.size() - 1).size() == 3);
  OnnxModel two = padded();
  CHECK(tensors(convolved(pad(two, "b", "c", {2, 0, 1, 1}), "c")) == "Conv");
  OnnxModel alone = padded();
  const DefinitionGraph both = merged(pad(alone, "b", "c", {2, 0, 1, 1}).output("c"));
  CHECK(testing::text(both.tensors.back().func) ==
        "pad_2(d0, d1, d2, d3) = select(0 <= d2 - 3 && d2 - 3 < 5 && (0 <= d3 - 1 && d3 - 1 < 6), "
        "t0(d0, d1, min(max(d2 - 3, 0), 5 - 1), min(max(d3 - 1, 0), 6 - 1)):f32, 0.0)\n");
}

TEST_CASE("pads: borders of different numbers are two, but both the convolution's") {
  CHECK(tensors(convolved(padded({1, 1, 1, 1}, 2.5F), "b")) == "Conv");
  const DefinitionGraph graph = merged(convolved(padded({1, 1, 1, 1}, 2.5F), "b", {1, 1, 1, 1}));
  CHECK(tensors_of(graph) == "Conv");
  const std::vector<Func> funcs = TensorFuncs(graph).funcs_of(graph.tensors.size() - 1);
  REQUIRE(funcs.size() == 4);
  CHECK(funcs[0].name() == "conv_3_padded_");
  CHECK(funcs[1].name() == "conv_3_padded");
  OnnxModel two = padded({1, 1, 1, 1}, 2.5F);
  CHECK(tensors(convolved(pad(two, "b", "c", {1, 1, 1, 1}), "c")) == "Pad; Conv");
}

TEST_CASE("pads: windows of the largest and of the mean slide over borders too") {
  CHECK(tensors(pooled(padded(), "MaxPool")) == "MaxPool");
  CHECK(tensors(pooled(padded(), "MaxPool", {1, 1, 1, 1})) == "MaxPool");
  CHECK(tensors(pooled(padded(), "AveragePool")) == "AveragePool");
  CHECK(tensors(pooled(padded(), "AveragePool", {1, 1, 1, 1})) == "AveragePool");
  OnnxModel indices = padded();
  indices.node("MaxPool", {"b"}, {"y", "i"},
               {attribute("kernel_shape", Ints{3, 3}), attribute("pads", Ints{1, 1, 0, 0})});
  CHECK(tensors(indices.output("y").output("i")) == "MaxPool; MaxPool");
}

TEST_CASE("pads: several convolutions each take the border in, or none does") {
  OnnxModel model = padded();
  model.floats("v", {2, 2, 1, 3}, testing::Floats(12, 2)).node("Conv", {"b", "v"}, {"z"}).output("z");
  CHECK(tensors(convolved(model, "b")) == "Conv; Conv");
  OnnxModel other = padded();
  other.node("Exp", {"b"}, {"z"}).output("z");
  CHECK(tensors(convolved(other, "b")) == "Pad; Exp; Conv");
  CHECK(tensors(convolved(padded().output("b"), "b")) == "Pad; Conv");
  OnnxModel beside = padded({1, 1, 1, 1});
  beside.node("Conv", {"b", "w"}, {"c"}, {attribute("pads", Ints{1, 1, 1, 1})})
      .node("Add", {"c", "b"}, {"z"});
  CHECK(tensors(beside.output("z")) == "Pad; Conv; Add");
}

TEST_CASE("pads: a border on one side, and elements left out on the other") {
  CHECK(tensors(convolved(padded({1, 0, 0, 2}), "b")) == "Conv");
  CHECK(tensors(convolved(padded({1, -1, -1, 2}), "b")) == "Conv");
  // With a second border around it, cropped elements must not come back, so the two borders are not merged.
  const DefinitionGraph graph = merged(convolved(padded({1, -1, -1, 2}), "b", {1, 1, 1, 1}));
  CHECK(tensors_of(graph) == "Conv");
  CHECK(TensorFuncs(graph).funcs_of(graph.tensors.size() - 1).size() == 4);
}

TEST_CASE("pads: channels and images get borders as rows do") {
  OnnxModel model;
  model.input("x", {2, 2, 5, 6}).ints("p", {8}, {1, 1, 0, 1, 0, 2, 0, 1}).node("Pad", {"x", "p"}, {"b"});
  model.floats("w", {1, 5, 3, 3}, testing::Floats(45, 0.5F));
  CHECK(tensors(convolved(model, "b", {1, 1, 1, 1})) == "Conv");
}

TEST_CASE("pads: what repeats elements, or reads by data, is no constant border") {
  for (const char* mode : {"edge", "reflect"}) {
    OnnxModel model;
    model.input("x", {1, 2, 5, 6}).ints("p", {8}, {0, 0, 1, 1, 0, 0, 1, 1});
    model.node("Pad", {"x", "p"}, {"b"}, {attribute("mode", mode)});
    model.floats("w", {1, 2, 3, 3}, testing::Floats(18, 0.5F));
    CHECK(tensors(convolved(model, "b")) == "Pad; Conv");
  }
}

TEST_CASE("pads: what is asked to stay stays, and so does what is around it") {
  CHECK(tensors(convolved(padded(), "b"), {"Pad"}) == "Pad; Conv");
  CHECK(tensors(convolved(padded(), "b"), {"Conv"}) == "Pad; Conv");
}

TEST_CASE("pads: sizes may be open") {
  OnnxModel model = convolved(padded({1, 0, 2, 1}), "b", {0, 1, 1, 1});
  model.name_dim(0, 2, "rows").name_dim(0, 3, "columns");
  CHECK(tensors_of(after<fold_pads>(after<simplify_graph>(definitions_of(model)))) == "Conv");
}

TEST_CASE("pads: what became of each is noted") {
  OnnxModel model = padded();
  pad(model, "x", "c", {0, 0, 1, 1}).node("Exp", {"c"}, {"z"}).output("z");
  PassNotes notes;
  after<fold_pads>(after<simplify_graph>(definitions_of(convolved(model, "b"))), &notes);
  REQUIRE(notes.size() == 2);
  CHECK(notes[0].tensor == "b");
  CHECK(notes[0].outcome == PassOutcome::Gone);
  CHECK(notes[0].text == "is the border of %y");
  CHECK(notes[1].tensor == "c");
  CHECK(notes[1].outcome == PassOutcome::Kept);
  CHECK(to_string(notes[1]) == "%c stays: %z does more than slide windows over it");
}

TEST_CASE("pads: of 300 random borders, one behind the other, none changes a value") {
  std::mt19937 random(31);
  const auto draw = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  int gone = 0;
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    OnnxModel model;
    model.input("x", {1, 2, 5, 6}).floats("w", {2, 2, 2, 3}, testing::Floats(24, 0.5F));
    const auto border = [&](int low) { return Ints{draw(low, 2), draw(low, 2), draw(low, 2), draw(low, 2)}; };
    const int count = draw(1, 3);
    std::string last = "x";
    for (int i = 0; i < count; ++i) {
      const std::string next = "b" + std::to_string(i);
      pad(model, last, next, border(draw(0, 4) == 0 ? -1 : 0), static_cast<float>(draw(0, 3) / 3));
      last = next;
    }
    if (draw(0, 1) == 0) {
      model = convolved(model, last, border(0));
    } else {
      model.node("MaxPool", {last}, {"y"},
                 {attribute("kernel_shape", Ints{3, 3}), attribute("pads", border(0)),
                  attribute("strides", Ints{draw(1, 2), 1})});
      model.output("y");
    }
    gone += count + 1 - static_cast<int>(std::ranges::count_if(merged(model).tensors, [](const auto& tensor) {
              return !tensor.func.is_input();
            }));
  }
  CHECK(gone > 300);
}
