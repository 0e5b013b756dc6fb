// Products of 8-bit integers on this device, by its own profile and by those of GPUs.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

#include "runtime/program/merge_programs.h"
#include "support/load_model.h"
#include "support/tier.h"

using namespace tensordsl;
using testing::attribute;
using testing::Ints;
using testing::load_model;
using testing::OnnxModel;

namespace {

constexpr int kI8 = ::onnx::TensorProto::INT8, kU8 = ::onnx::TensorProto::UINT8,
              kI32 = ::onnx::TensorProto::INT32;

Ints spread(std::int64_t count, std::int64_t least, std::int64_t numbers) {
  Ints values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(i * 37 % numbers + least);
  return values;
}

/// y = a*w, with a zero point of each.
OnnxModel product(const Ints& a, std::int64_t columns, int type, std::int64_t a_zero, std::int64_t w_zero) {
  OnnxModel model;
  const std::int64_t least = type == kI8 ? -100 : 0;
  model.input("x", a, kU8).small_ints("w", {a.back(), columns}, spread(a.back() * columns, least, 200), type);
  model.small_ints("xz", {}, {a_zero}, kU8).small_ints("wz", {}, {w_zero}, type);
  return model.node("MatMulInteger", {"x", "w", "xz", "wz"}, {"y"}).output("y");
}

/// y of u8, with a bias, from `inputs` to `outputs` channels.
OnnxModel convolution(std::int64_t inputs, std::int64_t outputs, std::int64_t taps, std::int64_t groups,
                      std::int64_t stride) {
  OnnxModel model;
  const std::int64_t border = taps / 2, of_group = inputs / groups;
  model.input("x", {1, inputs, 9, 7}, kU8);
  model.small_ints("w", {outputs, of_group, taps, taps}, spread(outputs * of_group * taps * taps, -100, 201),
                   kI8);
  model.floats("xs", {}, {0.02F})
      .floats("ws", {}, {0.01F})
      .floats("ys", {}, {0.05F * static_cast<float>(taps)});
  model.small_ints("xz", {}, {113}, kU8).small_ints("wz", {}, {0}, kI8).small_ints("yz", {}, {120}, kU8);
  model.small_ints("b", {outputs}, spread(outputs, -900, 1801), kI32);
  return model
      .node("QLinearConv", {"x", "xs", "xz", "w", "ws", "wz", "ys", "yz", "b"}, {"y"},
            {attribute("pads", Ints{border, border, border, border}),
             attribute("group", static_cast<int>(groups)), attribute("strides", Ints{stride, stride})})
      .output("y");
}

/// Depths that are fours, and others; also of weights that do not fit i8 without their zero point.
std::vector<OnnxModel> models() {
  return {product({37, 64}, 40, kI8, 7, 0),  product({5, 20}, 3, kU8, 0, 128),
          product({2, 3, 17}, 6, kI8, 9, 0), product({4, 16}, 8, kU8, 7, 3),
          product({1, 96}, 24, kI8, 7, 0),   convolution(32, 24, 3, 1, 1),
          convolution(16, 17, 1, 1, 2),      convolution(12, 12, 3, 12, 1),
          convolution(17, 5, 3, 1, 1),       convolution(16, 8, 3, 2, 1)};
}

}  // namespace

TEST_CASE("quantized: products and convolutions are what their definitions say, to the last bit") {
  const auto device = Device::open();
  CompileTarget target;
  target.device = device->info();
  target.max_group_size = [&](const KernelSource& kernel) { return device->max_group_size(kernel); };
  for (const char* profile : {"", "mali_g76", "nvidia_h100"}) {
    if (testing::is_left_to_full(profile == std::string("nvidia_h100"))) continue;
    target.profile.reset();
    if (*profile != '\0') target.profile = load_hw_profile(profile);
    std::vector<runtime::NamedProgram> programs;
    std::map<std::string, Buffer> inputs;
    std::vector<Buffer> expected;
    const std::vector<OnnxModel> all = models();
    // The tier quick draws a third of the models for a GPU's profile.
    const std::size_t step = *profile == '\0' ? 1 : testing::by_tier(3U, 1U);
    for (std::size_t number = 0; number < all.size(); number += step) {
      const OnnxModel& onnx = all[number];
      const Model model = load_model(onnx);
      const std::string name = "m" + std::to_string(programs.size());
      std::vector<std::int64_t> shape;
      const ModelTensor input = model.inputs().at(0);
      for (const Expr& extent : input.shape) shape.push_back(*ir::as_int(extent));
      Buffer x(UInt(8), shape);
      for (std::int64_t i = 0; i < x.elements(); ++i) x.set_int(i, i * 91 % 256);
      inputs.emplace(name + "/x", x);
      expected.push_back(model.interpret({{"x", x}}).at("y"));
      programs.push_back({name, std::make_shared<const Program>(model.compile(target))});
    }
    const bool is_gpu = *profile != '\0' || !device->info().is_cpu;
    const std::string first = programs[0].program->kernels.at(0).text;
    CHECK((first.find("dot_product_ui(") != std::string::npos) ==
          (is_gpu && device->info().has_integer_dot_product));
    Runner runner(std::make_shared<const Program>(runtime::merge_programs(programs)), *device);
    runner.write_all(inputs);
    runner.run();
    for (std::size_t i = 0; i < programs.size(); ++i) {
      CAPTURE(profile);
      CAPTURE(i);
      const Buffer found = runner.read(programs[i].name + "/y");
      REQUIRE(found.shape() == expected[i].shape());
      std::int64_t largest = 0;
      for (std::int64_t e = 0; e < found.elements(); ++e)
        largest = std::max(largest, std::abs(found.get_int(e) - expected[i].get_int(e)));
      // A scaled value halfway between two integers may be rounded to either.
      CHECK(largest <= (found.type() == UInt(8) ? 1 : 0));
    }
  }
}
