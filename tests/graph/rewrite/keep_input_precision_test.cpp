// Inputs that stay as they come where other tensors are halves.
#include "graph/rewrite/keep_input_precision.h"

#include <doctest/doctest.h>

#include "graph/rewrite/simplify_graph.h"
#include "support/after_pass.h"
#include "support/definitions.h"

using namespace tensordsl;
using namespace tensordsl::definitions;
using namespace tensordsl::graph;
using tensordsl::testing::after;
using testing::definitions_of;
using testing::OnnxModel;

namespace {

/// The names of the inputs that are stored as f32, each followed by a space.
std::string kept(const OnnxModel& model, Precision precision = Precision::Float16, int group_items = 1,
                 bool is_state = false) {
  DefinitionGraph graph = after<simplify_graph>(definitions_of(model));
  if (is_state) graph.states = {{0, 0, -1}};
  CompileOptions options;
  options.precision = precision;
  options.target.group_items = group_items;
  graph = after<keep_input_precision>(std::move(graph), options);
  std::string names;
  for (const DefinedTensor& tensor : graph.tensors) {
    if (tensor.stored_as == Float(32)) names += tensor.name + " ";
  }
  return names;
}

/// Two pictures: sums of products read the first.
OnnxModel with_pictures() {
  OnnxModel m;
  m.input("x", {1, 3, 8, 8}).input("z", {1, 3, 8, 8}).floats("w", {3, 3, 1, 1}, std::vector<float>(9, 1));
  return m.node("Conv", {"x", "w"}, {"c"}).node("Add", {"c", "z"}, {"y"}).output("y");
}

}  // namespace

TEST_CASE("keep inputs: what only sums of products read stays f32 where a group runs on a thread") {
  CHECK(kept(with_pictures()) == "x ");
  CHECK(kept(with_pictures(), Precision::Float16, 64) == "");
  CHECK(kept(with_pictures(), Precision::Float32) == "");
}

TEST_CASE("keep inputs: what others read too, what is given back and what is a state is stored as all is") {
  OnnxModel read_twice = with_pictures();
  CHECK(kept(read_twice.node("Relu", {"x"}, {"r"}).output("r")) == "");
  OnnxModel given_back = with_pictures();
  CHECK(kept(given_back.output("x")) == "");
  CHECK(kept(with_pictures(), Precision::Float16, 1, /*is_state=*/true) == "");
}
