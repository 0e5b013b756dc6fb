// Two slices of one tensor, concatenated, as one circular shift.
#include "graph/rewrite/recognize_rolls.h"

#include <doctest/doctest.h>

#include "support/after_pass.h"
#include "support/definitions.h"
#include "support/graph_values.h"

using namespace tensordsl;
using namespace tensordsl::definitions;
using namespace tensordsl::graph;
using tensordsl::testing::after;
using testing::attribute;
using testing::Ints;
using testing::OnnxModel;

namespace {

DefinitionGraph recognized(const OnnxModel& model, const std::set<std::string>& kept = {}) {
  return testing::after_pass(
      model, [&](const DefinitionGraph& graph) { return after<recognize_rolls>(graph, kept); });
}

/// "y(i) = value", a line for each tensor that is computed.
std::string lines(const DefinitionGraph& graph) {
  std::string all;
  for (const DefinedTensor& tensor : graph.tensors) {
    if (!tensor.func.is_input()) all += testing::text(tensor.func);
  }
  return all;
}

/// `name` is x[2, 8] from `begin` to `end` along the last dimension.
void slice(OnnxModel& model, const std::string& name, std::int64_t begin, std::int64_t end) {
  model.ints("b" + name, {1}, {begin}).ints("e" + name, {1}, {end}).ints("a" + name, {1}, {1});
  model.node("Slice", {"x", "b" + name, "e" + name, "a" + name}, {name});
}

/// y = x from `first` on, followed by the elements before it.
OnnxModel rolled(std::int64_t first, std::int64_t last, std::int64_t end) {
  OnnxModel model;
  model.input("x", {2, 8});
  slice(model, "s", first, end);
  slice(model, "t", 0, last);
  return model.node("Concat", {"s", "t"}, {"y"}, {attribute("axis", 1)}).output("y");
}

}  // namespace

TEST_CASE("rolls: the end of a tensor before its beginning is one read of it") {
  CHECK(lines(recognized(rolled(3, 3, 8))) == "concat_3(d0, d1) = t0(d0, (d1 + 3)%8):f32\n");
  CHECK(lines(recognized(rolled(7, 7, 8))) == "concat_3(d0, d1) = t0(d0, (d1 + 7)%8):f32\n");
}

TEST_CASE("rolls: what is not all of a tensor, once, stays") {
  CHECK(lines(recognized(rolled(3, 4, 8))).find("select") != std::string::npos);
  CHECK(lines(recognized(rolled(3, 3, 7))).find("select") != std::string::npos);
  CHECK(lines(recognized(rolled(3, 5, 6))).find("select") != std::string::npos);
  CHECK(lines(recognized(rolled(3, 3, 8), {"Concat"})).find("select") != std::string::npos);
  CHECK(lines(recognized(rolled(3, 3, 8), {"Slice"})).find("select") != std::string::npos);
}

TEST_CASE("rolls: what is read elsewhere stays beside them") {
  OnnxModel model = rolled(3, 3, 8);
  model.node("Neg", {"s"}, {"z"}).output("z");
  CHECK(lines(recognized(model)) ==
        "slice_1(d0, d1) = t0(d0, d1 + 3):f32\nconcat_3(d0, d1) = t0(d0, (d1 + 3)%8):f32\n"
        "neg_4(d0, d1) = -0.0 - slice_1(d0, d1):f32\n");
}

TEST_CASE("rolls: one behind the other, of two dimensions") {
  OnnxModel model = rolled(3, 3, 8);
  model.ints("one", {1}, {1}).ints("zero", {1}, {0}).ints("two", {1}, {2});
  model.node("Slice", {"y", "one", "two", "zero"}, {"low"})
      .node("Slice", {"y", "zero", "one", "zero"}, {"high"});
  model.node("Concat", {"low", "high"}, {"z"}, {attribute("axis", 0)}).output("z");
  CHECK(lines(recognized(model)).find("((d0 + 1)%2, d1)") != std::string::npos);
}
