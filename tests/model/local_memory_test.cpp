// Products and convolutions whose factors go through local memory, on this device: by the profile of a GPU.
#include <doctest/doctest.h>

#include "runtime/program/merge_programs.h"
#include "support/buffers.h"
#include "support/convolutions.h"
#include "support/load_model.h"

using namespace tensordsl;
using testing::attribute;
using testing::Ints;
using testing::load_model;
using testing::OnnxModel;
using testing::SmallConvolution;

namespace {

OnnxModel product(std::int64_t rows, std::int64_t depth, std::int64_t columns) {
  OnnxModel model;
  std::vector<float> weights(static_cast<std::size_t>(depth * columns));
  for (std::size_t i = 0; i < weights.size(); ++i)
    weights[i] = 0.01F * static_cast<float>(i * 37 % 101) - 0.5F;
  model.input("x", {rows, depth}).floats("w", {depth, columns}, weights);
  model.floats("b", {columns}, std::vector<float>(static_cast<std::size_t>(columns), 0.25F));
  return model.node("MatMul", {"x", "w"}, {"p"}).node("Add", {"p", "b"}, {"y"}).output("y");
}

OnnxModel convolution(const SmallConvolution& of) {
  OnnxModel model;
  model.input("x", of.input_shape());
  of.append(model, "x", "c", "w");
  return model.node("Relu", {"c"}, {"y"}).output("y");
}

/// Products of sizes that tiles divide, of odd ones, of one row, with borders and strides, and of two
/// computed tensors.
std::vector<OnnxModel> models() {
  OnnxModel batched;
  batched.input("x", {3, 19, 64}).input("w", {3, 64, 52}).node("MatMul", {"x", "w"}, {"y"}).output("y");
  return {product(64, 128, 96),
          product(197, 64, 40),
          product(1, 300, 61),
          batched,
          convolution({.inputs = 64, .outputs = 24, .rows = 7, .columns = 5}),
          convolution({.inputs = 16, .outputs = 40, .rows = 17, .columns = 23, .strides = {2, 2}})};
}

}  // namespace

TEST_CASE("local memory: products and convolutions through it give what their definitions say") {
  const auto device = Device::open();
  CompileTarget target;
  target.device = device->info();
  target.profile = load_hw_profile("nvidia_h100");
  for (const Precision precision : {Precision::Float32, Precision::Float16}) {
    target.precision = precision;
    std::vector<runtime::NamedProgram> programs;
    std::map<std::string, Buffer> inputs;
    std::vector<Buffer> expected;
    int sharing = 0;
    const std::vector<OnnxModel> all = models();
    // Builds take most of the time: of f16 every other one.
    for (std::size_t m = 0; m < all.size(); m += precision == Precision::Float16 ? 2 : 1) {
      const Model model = load_model(all[m]);
      const std::string name = "m" + std::to_string(programs.size());
      std::map<std::string, Buffer> own;
      for (const ModelTensor& input : model.inputs()) {
        std::vector<std::int64_t> shape;
        for (const Expr& extent : input.shape) shape.push_back(*ir::as_int(extent));
        own[input.name] =
            testing::filled(Float(32), shape, [](std::int64_t i) { return (i * 37 % 101) / 64.0 - 0.75; });
        inputs[name + "/" + input.name] = own[input.name];
      }
      expected.push_back(model.interpret(own).at("y"));
      programs.push_back({name, std::make_shared<const Program>(model.compile(target))});
      CHECK(programs.back().program->warnings.empty());
      for (const KernelSource& kernel : programs.back().program->kernels)
        sharing += kernel.resources.local_bytes > 0 ? 1 : 0;
    }
    CHECK(sharing == static_cast<int>(programs.size()));
    Runner runner(std::make_shared<const Program>(runtime::merge_programs(programs)), *device);
    runner.write_all(inputs);
    runner.run();
    for (std::size_t i = 0; i < programs.size(); ++i) {
      CAPTURE(i);
      const Buffer found = runner.read(programs[i].name + "/y");
      REQUIRE(found.shape() == expected[i].shape());
      const double rounding = precision == Precision::Float16 ? 1e-2 : 1e-5;
      CHECK(testing::largest_difference(found, expected[i]) <=
            rounding * testing::largest_magnitude(expected[i]));
    }
  }
}
