// The class of a Func, and the roles of a contraction's axes.
#include "classify/classify.h"

#include <doctest/doctest.h>

#include "ops/define_operator.h"
#include "schedule/func_schedule.h"
#include "tensordsl/boundary.h"

using namespace tensordsl;
using namespace tensordsl::classify;
using namespace tensordsl::ops;
using testing::define_operator;

namespace {

const Var n("n"), c("c"), h("h"), w("w"), i("i"), j("j");

TensorInfo f32(Shape shape) { return {"", Float(32), std::move(shape)}; }

/// The first line of the class's description.
std::string text(const Func& f) {
  const std::string all = to_string(classify::classify(f.contents()));
  return all.substr(0, all.find('\n'));
}

/// Describes the class of the Func of that name in the definition of an operator.
std::string text(const std::string& op, const std::vector<TensorInfo>& infos, const std::string& func,
                 const std::map<std::string, Attributes::Value>& values = {}) {
  Attributes attributes;
  for (const auto& [name, value] : values) attributes.set(name, value);
  return text(define_operator(op, infos, attributes).outputs.at(0).producer(func));
}

}  // namespace

TEST_CASE("classes: a contraction knows its rows, columns and inner axis") {
  CHECK(text("MatMul", {f32({2, 3, 5}), f32({2, 5, 7})}, "y_sum") ==
        "contraction batch(d0) m(d1) n(d2) k(r_0)");
  CHECK(text("MatMul", {f32({2, 3, 5}), f32({5, 7})}, "y_sum") == "contraction m(d0, d1) n(d2) k(r_0)");
  CHECK(text("MatMul", {f32({5}), f32({5, 7})}, "y_sum") == "contraction n(d0) k(r_0)");
  CHECK(text("Gemm", {f32({5, 3}), f32({7, 5})}, "y_sum",
             {{"transA", std::int64_t{1}}, {"transB", std::int64_t{1}}}) == "contraction m(d0) n(d1) k(r_0)");
}

TEST_CASE("classes: a convolution is a contraction with windows") {
  CHECK(text("Conv", {f32({1, 4, 9, 9}), f32({8, 4, 3, 3})}, "y_sum",
             {{"strides", Ints{2, 1}}, {"dilations", Ints{1, 2}}, {"pads", Ints{1, 1, 1, 1}}}) ==
        "contraction m(n, h, w) n(c) k(r_2) window(h: r_0, stride 2) window(w: r_1, dilation 2)");
}

TEST_CASE("classes: a depthwise convolution has its channel as batch, a grouped one as group") {
  CHECK(text("Conv", {f32({1, 4, 5, 5}), f32({4, 1, 3, 3})}, "y_sum", {{"group", std::int64_t{4}}}) ==
        "contraction batch(c) m(n, h, w) window(h: r_0) window(w: r_1)");
  CHECK(text("Conv", {f32({1, 4, 5, 5}), f32({6, 2, 3, 3})}, "y_sum", {{"group", std::int64_t{2}}}) ==
        "contraction group(c) m(n, h, w) k(r_2) window(h: r_0) window(w: r_1)");
}

TEST_CASE("classes: what is read at a place of a batch has no window in it") {
  const Input q("q", Float(32), {5, 24}), k("k", Float(32), {2, 4, 7});
  const RDom r({{0, 4}}, "r");
  const Var h("h"), row("row"), column("column");
  Func scores("scores");
  scores(h, row, column) += q(row, h * 4 + r) * k(h, r, column);
  CHECK(text(scores) == "contraction batch(h) m(row) n(column) k(r_0)");
}

TEST_CASE("classes: the factors of a contraction may come in either order") {
  const Input x("x", Float(32), {10}), taps("taps", Float(32), {3});
  const RDom r({{0, 3}}, "r");
  Func f("f"), g("g");
  f(i) += taps(r) * x(i + r);
  g(i) += x(i + r) * taps(r);
  CHECK(text(f) == "contraction m(i) window(i: r_0)");
  CHECK(text(f) == text(g));
  CHECK(classify::classify(f.contents()).roles->a.name == "x");
}

TEST_CASE("classes: pools and sums are reductions, with windows where they slide") {
  CHECK(text("MaxPool", {f32({1, 2, 6, 6})}, "y_max",
             {{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}}) ==
        "reduction window(h: r_0, stride 2) window(w: r_1, stride 2)");
  CHECK(text("GlobalAveragePool", {f32({1, 8, 7, 7})}, "y_sum") == "reduction");
  CHECK(text("Softmax", {f32({2, 5})}, "y_sum") == "reduction");
  const Classification pool = classify::classify(
      define_operator("GlobalAveragePool", {f32({1, 8, 7, 7})}, {}).outputs[0].producer("y_sum").contents());
  CHECK(to_string(pool.steps) == "49");
}

TEST_CASE("classes: a sum of three factors, or of a square, is what its form says") {
  const Input x("x", Float(32), {10}), y("y", Float(32), {10}), z("z", Float(32), {10});
  const RDom r({{0, 10}}, "r");
  Func cube("cube"), square("square");
  cube(i) += x(r) * y(r) * z(i);
  square(i) += x(r) * x(r);
  CHECK(text(cube) == "reduction");
  CHECK(text(square) == "contraction k(r_0)");
}

TEST_CASE("classes: elements that only move make a layout transformation, with arithmetic it is pointwise") {
  const Input x("x", Float(32), {4, 6}), mask("mask", Bool(), {4, 6});
  Func transposed("transposed"), where("where"), twice("twice"), filled("filled");
  transposed(i, j) = x(j, i);
  where(i, j) = select(mask(i, j), x(i, j), 0.0f);
  twice(i, j) = x(i, j) * 2.0f;
  filled(i, j) = 1.0f;
  CHECK(text(transposed) == "movement");
  CHECK(text(BoundaryConditions::zero(x, {4, 6})) == "movement");
  CHECK(text("Concat", {f32({3, 2}), f32({3, 5})}, "y", {{"axis", std::int64_t{1}}}) == "movement");
  CHECK(text(where) == "pointwise");
  CHECK(text(twice) == "pointwise");
  CHECK(text(filled) == "pointwise");
}

TEST_CASE("classes: running sums are scans, histograms scatters, exchanges of own elements sorts") {
  const Input x("x", Float(32), {16}), bin("bin", Int(32), {16});
  const RDom later({{1, 15}}, "r"), all({{0, 16}}, "q"), pairs({{0, 8}}, "p");
  Func scan("scan"), histogram("histogram"), placed("placed"), sorted("sorted");
  scan(i) = x(i);
  scan(later) += scan(later - 1);
  CHECK(text(scan) == "scan");
  histogram(i) = 0;
  histogram(clamp(bin(all), 0, 9)) += 1;
  CHECK(text(histogram) == "scatter");
  placed(i) = 0.0f;
  placed(all * 2) = x(all);
  CHECK(text(placed) == "scatter");
  sorted(i) = x(i);
  sorted(pairs * 2) = min(sorted(pairs * 2), sorted(pairs * 2 + 1));
  CHECK(text(sorted) == "sort");
}

TEST_CASE("classes: several updates have the class that comes last") {
  const Input x("x", Float(32), {16});
  const RDom r({{0, 16}}, "r");
  Func f("f");
  f(i) = 0.0f;
  f(i) += x(r);
  f(i) = f(i) * 2.0f;
  CHECK(text(f) == "reduction");
}

TEST_CASE("reads in place: at the same point, whatever else is read") {
  const Input x("x", Float(32), {4, 6}), b("b", Float(32), {6});
  Func sum("sum"), transposed("transposed"), both("both");
  sum(i, j) = x(i, j) + b(j);
  transposed(i, j) = x(j, i) + b(j);
  both(i, j) = x(i, j) + x(i, 0);
  CHECK(reads_in_place(sum.contents(), "x"));
  CHECK_FALSE(reads_in_place(sum.contents(), "b"));
  CHECK_FALSE(reads_in_place(sum.contents(), "z"));
  CHECK_FALSE(reads_in_place(transposed.contents(), "x"));
  CHECK_FALSE(reads_in_place(both.contents(), "x"));
}

TEST_CASE("classes: exactly the operators without reductions and moved elements are pointwise") {
  const Shape image{1, 2, 4, 4};
  std::string pointwise;
  for (const char* op : {"Abs",         "Add",       "BatchNormalization",
                         "Ceil",        "Clip",      "Div",
                         "Erf",         "Exp",       "Floor",
                         "HardSigmoid", "HardSwish", "LeakyRelu",
                         "Log",         "Max",       "Min",
                         "Mul",         "Neg",       "Pow",
                         "Relu",        "Sigmoid",   "Sqrt",
                         "Sub",         "Tanh"}) {
    std::vector<TensorInfo> infos(find_operator(op)->inputs.least, f32(image));
    if (infos.size() == 5) infos = {f32(image), f32({2}), f32({2}), f32({2}), f32({2})};
    const auto defined = define_operator(op, infos, {});
    const bool moves_only = std::string(op) == "Clip";  // without bounds it gives back its input
    CAPTURE(op);
    CHECK(text(defined.outputs.at(0)) == (moves_only ? "movement" : "pointwise"));
    CHECK(reads_in_place(defined.outputs.at(0).contents(), "x0"));
  }
}
