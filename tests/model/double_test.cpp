// Models of f64: computed in f64 where the device has it, refused elsewhere, or narrowed with a warning.
#include <doctest/doctest.h>

#include "support/error_text.h"
#include "support/load_model.h"
#include "support/some_device.h"

using namespace tensordsl;
using testing::attribute;
using testing::load_model;
using testing::OnnxModel;

namespace {

constexpr int kDouble = ::onnx::TensorProto::DOUBLE;

/// y = x * 2, z = y as f32
OnnxModel doubled() {
  OnnxModel model;
  model.input("x", {2}, kDouble).initializer("k", {}, kDouble).add_double_data(2);
  model.node("Mul", {"x", "k"}, {"y"})
      .node("Cast", {"y"}, {"z"}, {attribute("to", static_cast<int>(::onnx::TensorProto::FLOAT))});
  return model.output("y", {2}, kDouble).output("z", {2});
}

CompileTarget target_of(bool has_fp64) {
  CompileTarget target;
  target.device = some_device();
  target.device->name = "test";
  target.device->has_fp64 = has_fp64;
  return target;
}

/// "x: f64, y: f64 in f32", the inputs and outputs with what they are stored as.
std::string values(const Program& program) {
  std::string all;
  for (const auto* list : {&program.inputs, &program.outputs}) {
    for (const Program::Value& value : *list) {
      const Type stored = program.tensors[value.tensor].stored.type;
      all += (all.empty() ? "" : ", ") + value.name + ": " + to_string(value.type);
      if (stored != value.type) all += " in " + to_string(stored);
    }
  }
  return all;
}

bool has_double(const Program& program) {
  return std::ranges::any_of(program.kernels, [](const KernelSource& kernel) {
    return kernel.text.find("double") != std::string::npos;
  });
}

using Warnings = std::vector<std::string>;

}  // namespace

TEST_CASE("double: a device that has f64 computes it, and inputs and outputs keep it") {
  const Program program = load_model(doubled()).compile(target_of(true));
  CHECK(values(program) == "x: f64, y: f64, z: f32");
  CHECK(has_double(program));
  CHECK(program.warnings.empty());
  CHECK(load_model(doubled(), {.allow_narrowing = true}).compile(target_of(true)).warnings.empty());
  CompileTarget half = target_of(true);
  half.precision = Precision::Float16;
  CHECK(values(load_model(doubled()).compile(half)) == "x: f64, y: f64, z: f32 in f16");
}

TEST_CASE("double: for a device without f64 the host computes it, unless narrowing is allowed") {
  const Program on_host = load_model(doubled()).compile(target_of(false));
  CHECK(values(on_host) == "x: f64, y: f64, z: f32");
  CHECK(!has_double(on_host));
  CHECK(on_host.host_steps.size() == 2);
  CHECK(on_host.warnings ==
        Warnings{"the host computes node 'y' (Mul), node 'z' (Cast), which is slow: the device test does not "
                 "support f64 (cl_khr_fp64); with ModelOptions::allow_narrowing, --allow-narrowing, kernels "
                 "compute it in f32"});
  const Program program = load_model(doubled(), {.allow_narrowing = true}).compile(target_of(false));
  CHECK(values(program) == "x: f64 in f32, y: f64 in f32, z: f32");
  CHECK(!has_double(program));
  CHECK(program.warnings == Warnings{"the tensor 'x' is f64 in the model, but is computed in f32, because "
                                     "the device has no f64 (cl_khr_fp64)"});
}

TEST_CASE("double: where the device is not known the kernels have f64, unless narrowing is allowed") {
  CompileTarget profile;
  profile.profile = load_hw_profile("adreno640");
  for (const CompileTarget& target : {CompileTarget(), profile}) {
    const Program program = load_model(doubled()).compile(target);
    CHECK(has_double(program));
    CHECK(program.warnings ==
          Warnings{"the tensor 'x' is f64: the kernels need a device with f64 (cl_khr_fp64)"});
    const Program narrow = load_model(doubled(), {.allow_narrowing = true}).compile(target);
    CHECK(!has_double(narrow));
    CHECK(narrow.warnings ==
          Warnings{"the tensor 'x' is f64 in the model, but is computed in f32, because no device is given"});
  }
}

TEST_CASE("double: a model of f32 has no warning, whatever the device is") {
  OnnxModel model;
  model.input("x", {2}).node("Relu", {"x"}, {"y"}).output("y");
  CHECK(load_model(model).compile(target_of(false)).warnings.empty());
  CHECK(load_model(model).compile().warnings.empty());
}

TEST_CASE("double: values that f32 does not have go through the device") {
  const auto device = Device::open();
  if (!device->info().has_fp64) return;
  Runner runner = load_model(doubled()).run(*device);
  Buffer x(Float(64), {2});
  x.set(0, 1e300);
  x.set(1, 0.1);
  runner.write("x", x);
  runner.run();
  CHECK(runner.read("y").get(0) == 2e300);
  CHECK(runner.read("y").get(1) == 0.2);
  CHECK(runner.read("z").get(1) == static_cast<double>(0.2F));
}

TEST_CASE("double: a narrowed model gives f64 from arithmetic in f32") {
  const Model model = load_model(doubled(), {.allow_narrowing = true});
  const auto device = Device::open();
  CompileTarget target;
  target.device = device->info();
  target.device->has_fp64 = false;
  Runner runner(std::make_shared<const Program>(model.compile(target)), *device);
  Buffer x(Float(64), {2});
  x.set(1, 0.1);
  runner.write("x", x);
  runner.run();
  CHECK(runner.read("y").type() == Float(64));
  CHECK(runner.read("y").get(1) == static_cast<double>(0.2F));
}

TEST_CASE("double: constants are folded in f64") {
  OnnxModel model;
  model.input("x", {1}, kDouble).initializer("a", {1}, kDouble).add_double_data(1e200);
  model.initializer("b", {1}, kDouble).add_double_data(1e100);
  model.node("Mul", {"a", "b"}, {"c"}).node("Div", {"x", "c"}, {"y"}).output("y");
  const auto device = Device::open();
  if (!device->info().has_fp64) return;
  Runner runner = load_model(model).run(*device);
  Buffer x(Float(64), {1});
  x.set(0, 3e300);
  runner.write("x", x);
  runner.run();
  CHECK(runner.read().get(0) == doctest::Approx(3).epsilon(1e-14));
}
