// SmartMem's Tables 3 and 4, only from definitions.
#include "classify/layout_type.h"

#include <doctest/doctest.h>

#include "classify/movement.h"
#include "ops/define_operator.h"
#include "schedule/func_schedule.h"

using namespace tensordsl;
using namespace tensordsl::classify;
using namespace tensordsl::ops;
using testing::define_operator;

namespace {

std::string type_of(const Func& output, const Shape& shape) {
  std::vector<Classification> funcs;
  for (const ir::FunctionPtr& f : ir::reachable(output.shared())) {
    if (!f->is_input()) funcs.push_back(classify::classify(*f));
  }
  std::vector<Expr> extents;
  for (const Size& extent : shape) extents.push_back(extent.expr());
  const auto movement = movement_of(output.contents(), extents);
  return to_string(layout_type_of(funcs, movement && movement->is_bijective));
}

std::string type_of(const std::string& op, const std::vector<Shape>& shapes,
                    const std::map<std::string, Attributes::Value>& values = {}) {
  Attributes attributes;
  for (const auto& [name, value] : values) attributes.set(name, value);
  std::vector<TensorInfo> infos;
  for (const Shape& shape : shapes) infos.push_back({"", Float(32), shape});
  const auto y = define_operator(op, infos, attributes);
  return type_of(y.outputs.at(0), y.inferred.shape());
}

const Var d0("d0"), d1("d1"), d2("d2"), d3("d3");

}  // namespace

TEST_CASE("SmartMem Table 3: convolution, matrix product, LayerNorm and Softmax are ILD & Variable") {
  CHECK(type_of("Conv", {{1, 4, 5, 5}, {8, 4, 3, 3}}, {{"pads", Ints{1, 1, 1, 1}}}) == "ILD & Variable");
  CHECK(type_of("MatMul", {{3, 5}, {5, 7}}) == "ILD & Variable");
  CHECK(type_of("Softmax", {{3, 5}}) == "ILD & Variable");
  const Input x("x", Float(32), {4, 8}), scale("scale", Float(32), {8});
  const RDom r({{0, 8}}, "r");
  Func mean("mean"), variance("variance"), norm("norm");
  mean(d0) += x(d0, r) / 8.0f;
  variance(d0) += (x(d0, r) - mean(d0)) * (x(d0, r) - mean(d0)) / 8.0f;
  norm(d0, d1) = (x(d0, d1) - mean(d0)) / sqrt(variance(d0) + 1e-5f) * scale(d1);
  CHECK(type_of(norm, {4, 8}) == "ILD & Variable");
}

TEST_CASE("SmartMem Table 3: unary functions and sums are ILI & Variable") {
  CHECK(type_of("Sigmoid", {{3, 5}}) == "ILI & Variable");
  CHECK(type_of("Add", {{3, 5}, {3, 5}}) == "ILI & Variable");
  CHECK(type_of("Add", {{3, 5}, {5}}) == "ILI & Variable");
}

TEST_CASE("SmartMem Table 3: reshape, transpose, depth to space and back are ILD & Fixed") {
  CHECK(type_of("Reshape", {{4, 6}}, {{"shape", Ints{2, 12}}}) == "ILD & Fixed");
  CHECK(type_of("Transpose", {{4, 6}}, {{"perm", Ints{1, 0}}}) == "ILD & Fixed");
  const Input x("x", Float(32), {1, 4, 6, 6}), y("y", Float(32), {1, 16, 3, 3});
  Func to_depth("to_depth"), to_space("to_space");
  to_depth(d0, d1, d2, d3) = x(d0, d1 % 4, d2 * 2 + d1 / 8, d3 * 2 + d1 / 4 % 2);
  to_space(d0, d1, d2, d3) = y(d0, d2 % 2 * 8 + d3 % 2 * 4 + d1, d2 / 2, d3 / 2);
  CHECK(type_of(to_depth, {1, 16, 3, 3}) == "ILD & Fixed");
  CHECK(type_of(to_space, {1, 4, 6, 6}) == "ILD & Fixed");
}

TEST_CASE("SmartMem Table 3: gather and slice are ILI & Fixed") {
  const Input x("x", Float(32), {10, 6}), index("index", Int(32), {4});
  Func gather("gather"), slice("slice");
  gather(d0, d1) = x(clamp(index(d0), 0, 9), d1);
  slice(d0, d1) = x(d0 + 2, d1);
  CHECK(type_of(gather, {4, 6}) == "ILI & Fixed");
  CHECK(type_of(slice, {5, 6}) == "ILI & Fixed");
  CHECK(type_of("Concat", {{3, 2}, {3, 5}}, {{"axis", std::int64_t{1}}}) == "ILI & Fixed");
}
