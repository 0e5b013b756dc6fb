// Requirements that the launch checks of a model's open extents.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "support/onnx_model.h"
#include "tensordsl/expr.h"

using namespace tensordsl;
using namespace tensordsl::onnx;
using namespace tensordsl::testing;

TEST_CASE("import: what a node needs of an open extent is checked by the launch") {
  const auto requirements = [](const Graph& graph) {
    std::vector<std::string> texts;
    for (const ReadRequirement& r : graph.requirements)
      texts.push_back(fmt::format("{} {}[{}]: [{}, {}) of {}", r.reader, r.tensor, r.dimension,
                                  to_string(r.begin), to_string(r.end), to_string(r.extent)));
    return texts;
  };
  OnnxModel top;
  top.input("x", {2, 5}).ints("k", {1}, {3}).node("TopK", {"x", "k"}, {"y", "places"}).output("y");
  CHECK(requirements(top.import()).empty());
  top.name_dim(0, 1, "length");
  CHECK(requirements(top.import()) == Names{"node 'y' (TopK) with k = 3 x[1]: [0, 3) of length"});
  OnnxModel last;
  last.input("x", {5})
      .ints("begin", {1}, {-1})
      .ints("end", {1}, {9})
      .node("Slice", {"x", "begin", "end"}, {"y"});
  CHECK(requirements(last.output("y").import()).empty());
  last.name_dim(0, 0, "length");
  CHECK(requirements(last.import()) == Names{"node 'y' (Slice) x[0]: [0, 1) of length"});
  last.name_dim(0, 0, "2*length + 2");
  CHECK(requirements(last.import()).empty());
  OnnxModel first;
  first.input("x", {5}).input("z", {5}).node("Shape", {"z"}, {"end"}).ints("zero", {1}, {0});
  first.ints("one", {1}, {1}).node("Min", {"end", "one"}, {"few"}).node("Slice", {"x", "zero", "few"}, {"y"});
  first.name_dim(0, 0, "length").name_dim(1, 0, "3*other + 1").output("y");
  CHECK(requirements(first.import()) == Names{"node 'y' (Slice) x[0]: [0, 1) of length"});
  // A symbolic dimension that is assumed to equal another one is not a Param of the Program.
  OnnxModel added;
  added.input("x", {5}).input("z", {5}).ints("k", {1}, {2}).node("TopK", {"z", "k"}, {"top", "places"});
  added.node("Add", {"x", "z"}, {"y"}).output("y").output("top");
  added.name_dim(0, 0, "length").name_dim(1, 0, "other");
  CHECK(requirements(added.import()) == Names{"node 'top' (TopK) with k = 2 z[0]: [0, 2) of length"});
  OnnxModel gather;
  gather.input("x", {5}).ints("places", {2}, {-2, 3}).node("Gather", {"x", "places"}, {"y"}).output("y");
  CHECK(requirements(gather.import()).empty());
  gather.name_dim(0, 0, "length");
  CHECK(requirements(gather.import()) == Names{"node 'y' (Gather) x[0]: [length - 2, 4) of length"});
}
