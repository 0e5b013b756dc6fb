// Winograd convolutions on a device.
#include <doctest/doctest.h>

#include <random>

#include "runtime/program/merge_programs.h"
#include "support/buffers.h"
#include "support/convolutions.h"
#include "support/load_model.h"
#include "support/tier.h"

using namespace tensordsl;
using testing::attribute;
using testing::Floats;
using testing::Ints;
using testing::load_model;
using testing::OnnxModel;
using testing::SmallConvolution;

namespace {

/// Two convolutions, one after the other, with operators that may come before, between and after them.
class RandomConvolutions {
 public:
  explicit RandomConvolutions(int seed) : random_(static_cast<unsigned>(seed)) {
    SmallConvolution one{.inputs = 16 * number(1, 3),
                         .outputs = 16 * number(3, 6),
                         .rows = number(10, 19),
                         .columns = number(10, 19),
                         .pads = pads(),
                         .batch = number(1, 2)};
    model_.input("x", one.input_shape());
    std::string at = "x";
    if (is_so()) at = then("Sigmoid", {at});
    if (is_so()) {
      at = then("Transpose", {at}, {attribute("perm", Ints{0, 1, 3, 2})});
      std::swap(one.rows, one.columns);
    }
    at = convolve(one, at);
    if (is_so()) at = then("Add", {at, channels(one.outputs)});
    if (is_so()) at = then("Relu", {at});
    SmallConvolution two{.inputs = one.outputs,
                         .outputs = one.outputs,
                         .rows = one.rows + one.pads[0] + one.pads[2] - 2,
                         .columns = one.columns + one.pads[1] + one.pads[3] - 2,
                         .pads = {1, 1, 1, 1},
                         .batch = one.batch};
    const std::string beside = at;
    at = convolve(two, at);
    if (is_so()) at = then("Add", {at, beside});
    if (is_so()) at = then("Concat", {at, beside}, {attribute("axis", 1)});
    if (is_so()) at = then("Transpose", {at}, {attribute("perm", Ints{0, 2, 3, 1})});
    model_.output(at);
  }

  const OnnxModel& model() const { return model_; }

 private:
  std::int64_t number(int first, int last) {
    return first + static_cast<std::int64_t>(random_() % static_cast<unsigned>(last - first + 1));
  }
  bool is_so() { return random_() % 2 == 0; }
  /// Pads with which a picture shrinks by at most one row or column.
  Ints pads() { return {number(0, 2), number(1, 2), 1, number(0, 1)}; }
  std::string fresh() { return "v" + std::to_string(made_++); }

  std::string then(const char* op, const std::vector<std::string>& inputs,
                   const std::vector<::onnx::AttributeProto>& attributes = {}) {
    std::string name = fresh();
    model_.node(op, inputs, {name}, attributes);
    return name;
  }
  std::string convolve(const SmallConvolution& convolution, const std::string& x) {
    std::string name = fresh();
    convolution.append(model_, x, name, name + "_weights");
    return name;
  }
  std::string channels(std::int64_t count) {
    std::string name = fresh();
    Floats values(static_cast<std::size_t>(count));
    for (float& value : values) value = static_cast<float>(number(-8, 8)) / 8;
    model_.floats(name, {count, 1, 1}, values);
    return name;
  }

  std::mt19937 random_;
  OnnxModel model_;
  int made_ = 0;
};

bool has_transformed_weights(const Program& program) {
  return std::ranges::any_of(program.tensors, [](const Program::Tensor& tensor) {
    const auto& extents = tensor.stored.extents;
    return tensor.kind == Program::Tensor::Kind::Constant && extents.size() == 4 &&
           to_string(extents[0]) == "4" && to_string(extents[1]) == "4";
  });
}

}  // namespace

TEST_CASE("Winograd: random convolutions on a device give what they give without it") {
  const int models = testing::by_tier(3, 8);
  const auto device = Device::open();
  std::vector<runtime::NamedProgram> programs;
  std::map<std::string, Buffer> inputs;
  int used = 0;
  for (int seed = 0; seed < models; ++seed) {
    const Model model = load_model(RandomConvolutions(seed).model());
    CompileTarget target;
    target.device = device->info();
    target.profile = load_hw_profile("pocl_cpu_avx512");
    for (const bool winograd : {true, false}) {
      target.optimizations.winograd = winograd;
      auto program = std::make_shared<const Program>(model.compile(target));
      CHECK((winograd || !has_transformed_weights(*program)));
      used += has_transformed_weights(*program);
      const std::string name = (winograd ? "w" : "d") + std::to_string(seed);
      const Program::Value& x = program->inputs.at(0);
      std::vector<std::int64_t> shape;
      for (const SizeExpr& extent : x.shape) shape.push_back(extent.constant().value());
      inputs[name + "/" + x.name] = testing::filled(
          Float(32), shape, [](std::int64_t i) { return static_cast<double>(i * 37 % 101) / 50 - 1; });
      programs.push_back({name, program});
    }
  }
  CHECK(used >= models / 2);
  Runner runner(std::make_shared<const Program>(runtime::merge_programs(programs)), *device);
  runner.write_all(inputs);
  runner.run();
  for (int seed = 0; seed < models; ++seed) {
    CAPTURE(seed);
    const auto result = [&](const char* way) {
      const auto number = static_cast<std::size_t>(2 * seed);
      return runner.read(way + std::to_string(seed) + "/" + programs[number].program->outputs.at(0).name);
    };
    const Buffer found = result("w"), expected = result("d");
    REQUIRE(found.shape() == expected.shape());
    const double largest = testing::largest_magnitude(expected);
    CHECK(largest > 1);
    CHECK(testing::largest_difference(found, expected) <= 1e-5 * largest);
  }
}
