// SmartMem's Figures 3 to 5: indices after layout transformations, a graph whose readers sum along two
// dimensions, and the order in memory that serves both.
#include <doctest/doctest.h>

#include "graph/planned_model.h"
#include "ir/simplify/simplify.h"
#include "schedule/func_schedule.h"
#include "support/graph_values.h"
#include "tensordsl/pipeline.h"

using namespace tensordsl;
using testing::attribute;
using testing::Ints;
using testing::OnnxModel;
using testing::PlannedModel;

namespace {

/// Builds y = Neg of a chain of layout transformations of x.
struct Movements {
  OnnxModel model;
  std::string last = "x";
  int count = 0;

  explicit Movements(const Ints& shape) { model.input("x", shape); }
  Movements& transpose(const Ints& perm) {
    const std::string next = "t" + std::to_string(count++);
    model.node("Transpose", {last}, {next}, {attribute("perm", perm)});
    last = next;
    return *this;
  }
  Movements& reshape(const Ints& shape) {
    const std::string next = "t" + std::to_string(count++);
    model.ints(next + "_shape", {static_cast<std::int64_t>(shape.size())}, shape);
    model.node("Reshape", {last, next + "_shape"}, {next});
    last = next;
    return *this;
  }
  /// The kernels, and the first definition of the first one.
  std::string index() {
    const PlannedModel plan(model.node("Neg", {last}, {"y"}).output("y"));
    CHECK(testing::values_of(plan.graph) == testing::values_of(testing::definitions_of(model)));
    return plan.kernels() + ": " + testing::text(plan.groups.at(0).anchors.at(0));
  }
};

}  // namespace

TEST_CASE(
    "SmartMem Figure 3: a reshape, a transpose and a reshape are one index of identity, split and merge") {
  CHECK(Movements({2, 8, 6}).reshape({2, 4, 2, 6}).transpose({0, 2, 1, 3}).reshape({2, 2, 24}).index() ==
        "Reshape+Neg: reshape_3(d0, d1, d2) = t0(d0, d2/6*2 + d1, d2%6):f32\n");
  CHECK(Movements({2, 8, 6}).reshape({2, 4, 2, 6}).transpose({0, 2, 1, 3}).index() ==
        "Neg: neg_3(d0, d1, d2, d3) = -0.0 - t0(d0, d2*2 + d1, d3):f32\n");
}

TEST_CASE("SmartMem Figure 3: i%Ca%Cb is i%Cb where Cb divides Ca") {
  // Without strength reduction t0(d0%12/4, d0/12, d0%12%4).
  CHECK(Movements({3, 2, 4}).transpose({1, 0, 2}).reshape({2, 12}).reshape({24}).index() ==
        "Reshape+Neg: reshape_3(d0) = t0(d0/4%3, d0/12, d0%4):f32\n");
  // Reshapes that undo each other need neither quotients nor remainders.
  CHECK(
      Movements({3, 2, 4}).transpose({1, 0, 2}).reshape({2, 12}).reshape({6, 4}).reshape({2, 3, 4}).index() ==
      "Neg: neg_5(d0, d1, d2) = -0.0 - t0(d1, d0, d2):f32\n");
  const Expr i = ir::make_var("i");
  CHECK(to_string(ir::simplify(i % 12 % 4)) == "i%4");
  CHECK(to_string(ir::simplify(i % 12 % 5)) == "i%12%5");
}

namespace {

/// Figure 4 (a): a product l[D0, D1]; l0[D1, D2, D3], D0 = D2*D3; its means along D1 and along D3; and a
/// convolution of it, sums over D1 and windows along D3, to which both are added.
OnnxModel figure_4() {
  OnnxModel model;
  model.input("p", {1, 8, 5}).floats("q", {5, 6}, testing::Floats(30, 1)).node("MatMul", {"p", "q"}, {"l"});
  model.node("Transpose", {"l"}, {"t"}, {attribute("perm", Ints{0, 2, 1})}).ints("shape", {4}, {1, 6, 2, 4});
  model.node("Reshape", {"t", "shape"}, {"l0"});
  model.node("ReduceMean", {"l0"}, {"l1"}, {attribute("axes", Ints{1})});
  model.node("ReduceMean", {"l0"}, {"l2"}, {attribute("axes", Ints{3})});
  model.floats("w", {6, 6, 1, 3}, testing::Floats(108, 1));
  model.node("Conv", {"l0", "w"}, {"c"}, {attribute("pads", Ints{0, 1, 0, 1})});
  return model.node("Add", {"c", "l1"}, {"s"}).node("Add", {"s", "l2"}, {"y"}).output("y");
}

}  // namespace

TEST_CASE("SmartMem Figure 4: of seven operators four are left, and all read the product where it lies") {
  const PlannedModel plan(figure_4());
  CHECK(plan.kernels() == "MatMul; ReduceMean; ReduceMean; Conv+Add+Add");
  CHECK(testing::text(plan.kernel_of("l1")->anchors[0]).find("matmul_3(0, d2*4 + d3, r_0)") !=
        std::string::npos);
  CHECK(testing::text(plan.kernel_of("l2")->anchors[0]).find("matmul_3(0, d2*4 + r_0, d1)") !=
        std::string::npos);
  CHECK(testing::text(plan.kernel_of("y")->prologue[0]).find("matmul_3(0, b2*4 + min(max(b3, 0), 3), b1)") !=
        std::string::npos);
}

TEST_CASE(
    "SmartMem Figure 4: of the product's two reduction dimensions a buffer has D1 innermost, behind it D3") {
  const PlannedModel plan(figure_4());
  CHECK(plan.layout("l") == "a b c");  // D0 = D2*D3, D1
  CHECK(plan.layout("l1") == "a c d b");
  CHECK(plan.layout("l2") == "a c d b");
}

namespace {

const std::vector<std::string> kDims{"d1", "d2", "d3"};
const std::vector<std::int64_t> kExtents{8, 5, 6};

/// Figure 5's L0: rows are D2 and blocks of D1, columns D3, and a texel has four neighbors along D1.
const char* const kLayout = "d2 d1/4 | d3 | d1%4";

Input l0() {
  Input result("l0", Float(32), {8, 5, 6}, kDims);
  result.set_image(Image2D).layout(kLayout);
  return result;
}

int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("SmartMem Figure 5: four along one reduction dimension and all of the other one are a chunk") {
  const Layout layout = Layout::parse(kLayout, kDims);
  const auto at = [&](std::int64_t d1, std::int64_t d2, std::int64_t d3) {
    return layout.position({d1, d2, d3}, kExtents);
  };
  for (std::int64_t d2 = 0; d2 < 5; ++d2) {
    for (std::int64_t block = 0; block < 2; ++block) {
      for (std::int64_t i = 0; i < 4 * 6; ++i)
        CHECK(at(block * 4 + i % 4, d2, i / 4) == at(block * 4, d2, 0) + i);
    }
  }
}

TEST_CASE("SmartMem Figure 5: a sum along either dimension reads each texel once, by coordinates alone") {
  const Var d1("d1"), d2("d2"), d3("d3"), o("o"), i("i"), ro("ro"), ri("ri");
  Func along_d1("along_d1"), along_d3("along_d3");
  const RDom r1({{0, 8}}, "r1"), r3({{0, 6}}, "r3");
  along_d1(d2, d3) += l0()(r1, d2, d3);
  along_d1.bound({5, 6});
  along_d1.update().split(r1[0], ro, ri, 4).unroll(ri).gpu_tile(d3, d2, {6, 1});
  along_d3(d2, d1) += l0()(d1, d2, r3);
  along_d3.bound({5, 8});
  along_d3.update().split(d1, o, i, 4).reorder({d2, o, r3[0], i}).vectorize(i).gpu_tile(o, d2, {2, 1});
  for (const auto& [sum, loop] : {std::pair(along_d1, "ro < 2;"), std::pair(along_d3, "r3_0 < 6;")}) {
    const std::string text = Pipeline(sum).emit("cl");
    CAPTURE(text);
    CHECK(count_of(text, loop) == 1);
    CHECK(count_of(text, "read_imagef") == 1);
    CHECK(count_of(text, " / ") + count_of(text, " % ") == 0);
  }
}
