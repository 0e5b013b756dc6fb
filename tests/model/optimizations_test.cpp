// Tests the graph compiler with single optimizations switched off.
#include <doctest/doctest.h>

#include "support/convolutions.h"
#include "support/load_model.h"

using namespace tensordsl;
using testing::attribute;
using testing::Floats;
using testing::Ints;
using testing::load_model;
using testing::OnnxModel;

namespace {

/// A convolution, its Relu, a transpose, and a product of that.
OnnxModel model() {
  OnnxModel m;
  m.input("x", {1, 4, 6, 8})
      .floats("w", {8, 4, 1, 1}, Floats(32, 0.5F))
      .floats("v", {8, 5}, Floats(40, 0.5F));
  m.node("Conv", {"x", "w"}, {"c"}).node("Relu", {"c"}, {"r"});
  m.node("Transpose", {"r"}, {"t"}, {attribute("perm", Ints{0, 2, 3, 1})});
  return m.node("MatMul", {"t", "v"}, {"p"}).node("Neg", {"p"}, {"y"}).output("y");
}

Program compiled(const Optimizations& optimizations) {
  CompileTarget target;
  target.optimizations = optimizations;
  return load_model(model()).compile(target);
}

}  // namespace

TEST_CASE("optimizations: all of them make two kernels of five operators") {
  const Program all = compiled({});
  CHECK(all.launches.size() == 2);
  CHECK(all.tensors[all.launches[0].tensors.back()].stored.layout.to_string({"n", "c", "h", "w"}) ==
        "n h w c");
}

TEST_CASE("optimizations: without view folding a transpose is a kernel") {
  const Program program = compiled({.movement_elimination = false});
  REQUIRE(program.launches.size() == 3);
  CHECK(program.launches[1].label == "Transpose");
}

TEST_CASE("optimizations: without fusion every operator that computes is a kernel") {
  CHECK(compiled({.fusion = false}).launches.size() == 4);
}

TEST_CASE("optimizations: without layout selection all tensors are row-major") {
  const Program program = compiled({.layout_selection = false});
  for (const Program::Tensor& tensor : program.tensors) {
    if (tensor.kind != Program::Tensor::Kind::Constant) CHECK(tensor.stored.layout.is_row_major());
  }
}

TEST_CASE("optimizations: without a memory plan no two tensors share memory") {
  CHECK(!compiled({}).slot_bytes.empty());
  CHECK(compiled({.memory_plan = false}).slot_bytes.empty());
}

TEST_CASE("optimizations: without Winograd the weights of a 3x3 convolution stay 9 of each channel") {
  OnnxModel m;
  const testing::SmallConvolution of_channels{.rows = 56, .columns = 56};
  m.input("x", of_channels.input_shape());
  of_channels.append(m, "x", "y", "w");
  const Model convolution = load_model(m.output("y"));
  const auto elements_of_weights = [&](const Optimizations& optimizations, Precision precision) {
    CompileTarget target;
    target.profile = load_hw_profile("pocl_cpu_avx512");
    target.optimizations = optimizations;
    target.precision = precision;
    std::string elements;
    for (const Program::Tensor& tensor : convolution.compile(target).tensors) {
      if (tensor.kind == Program::Tensor::Kind::Constant) elements += to_string(tensor.elements) + " ";
    }
    return elements;
  };
  CHECK(elements_of_weights({}, Precision::Float32) == "36864 ");  // 36 of each
  CHECK(elements_of_weights({.winograd = false}, Precision::Float32) == "9216 ");
  CHECK(elements_of_weights({}, Precision::Float16) == "36864 ");
  CHECK(elements_of_weights({.winograd = false}, Precision::Float16) == "9216 ");
}
