// Tests that a kernel too large for the device is split into several, not refused.
#include <doctest/doctest.h>

#include <algorithm>

#include "runtime/buffer/uniform.h"
#include "support/fake_device.h"
#include "support/load_model.h"
#include "support/some_device.h"

using namespace tensordsl;
using testing::attribute;
using testing::Ints;
using testing::load_model;
using testing::OnnxModel;

namespace {

/// A mean of 40 channels, and two products after it: 40 and 30 values between them.
OnnxModel chain() {
  OnnxModel model;
  model.input("x", {1, 40, 2, 3}).node("GlobalAveragePool", {"x"}, {"m"});
  model.floats("a", {30, 40, 1, 1}, std::vector<float>(1200, 0.25F));
  model.floats("b", {40, 30, 1, 1}, std::vector<float>(1200, 0.5F));
  model.node("Conv", {"m", "a"}, {"c"}).node("Relu", {"c"}, {"r"}).node("Conv", {"r", "b"}, {"y"});
  return model.output("y");
}

Program compiled(std::int64_t local_memory_bytes) {
  CompileTarget target;
  target.device = some_device();
  target.device->local_memory_bytes = local_memory_bytes;
  return load_model(chain()).compile(target);
}

}  // namespace

TEST_CASE("refused kernels: a chain of sums that fits is one") {
  const Program program = compiled(32 * 1024);
  CHECK(program.launches.size() == 1);
  CHECK(program.launches[0].label == "GlobalAveragePool+Conv+Relu+Conv");
  CHECK(program.warnings.empty());
}

TEST_CASE(
    "refused kernels: one that does not is several, with a warning that names it, and none of the host") {
  const Program program = compiled(128);
  CHECK(program.launches.size() == 4);
  CHECK(program.host_steps.empty());
  REQUIRE(program.warnings.size() == 1);
  CHECK(program.warnings[0].starts_with(
      "node 'm' (GlobalAveragePool), node 'c' (Conv), node 'r' (Relu), node 'y' (Conv): several kernels, "
      "because kernel globalaveragepool_conv_relu_conv_kernel: its tiles need "));
}

TEST_CASE(
    "refused kernels: one whose strategy takes too much gets a simpler one, with a warning that names it") {
  OnnxModel model;
  model.input("x", {32, 64}).floats("w", {64, 96}, std::vector<float>(6144, 1));
  model.node("MatMul", {"x", "w"}, {"p"}).node("Relu", {"p"}, {"y"}).output("y");
  const auto compile = [&](std::int64_t local_memory_bytes) {
    CompileTarget target;
    target.profile = load_hw_profile("nvidia_h100");
    target.device = some_device();
    target.device->local_memory_bytes = local_memory_bytes;
    return load_model(model).compile(target);
  };
  CHECK(compile(48 << 10).warnings.empty());
  const Program program = compile(128);
  CHECK(program.launches.size() == 1);
  CHECK(program.launches[0].label == "MatMul+Relu");
  CHECK(program.host_steps.empty());
  REQUIRE(program.warnings.size() == 1);
  CHECK(
      program.warnings[0].starts_with("node 'p' (MatMul), node 'y' (Relu): with a simpler schedule, because "
                                      "kernel matmul_relu_kernel: its tiles need "));
}

TEST_CASE(
    "refused kernels: one with more images than the device takes has buffers, with a warning that names it") {
  OnnxModel model;
  model.input("x", {1, 4, 8, 8}).floats("w", {8, 4, 3, 3}, std::vector<float>(288, 1));
  model.floats("v", {8, 8, 3, 3}, std::vector<float>(576, 1));
  model.node("Conv", {"x", "w"}, {"a"})
      .node("Relu", {"a"}, {"b"})
      .node("Conv", {"b", "v"}, {"y"})
      .output("y");
  const auto compile = [&](int max_read_images) {
    CompileTarget target;
    target.profile = load_hw_profile("adreno640");
    target.device = some_device();
    target.device->max_read_images = max_read_images;
    return load_model(model).compile(target);
  };
  const auto images = [](const Program& program) {
    std::string names;
    for (const Program::Tensor& tensor : program.tensors) names += tensor.image ? tensor.name + " " : "";
    return names;
  };
  const Program enough = compile(2);
  CHECK(images(enough) == "w b v ");
  CHECK(enough.warnings.empty());
  const Program few = compile(1);
  // The other kernel reads one image, its weights.
  CHECK(images(few) == "w ");
  CHECK(few.host_steps.empty());
  REQUIRE(few.warnings.size() == 1);
  CHECK(few.warnings[0] ==
        "node 'y' (Conv): buffers instead of images, because kernel conv_kernel: it reads 2 images and "
        "writes 0, but the limits of the device are 1 and 8; keep some of them in buffers");
}

TEST_CASE(
    "refused kernels: one whose work-group its driver finds too large gets a smaller one, with a warning") {
  OnnxModel model;
  model.input("x", {1, 32, 20, 20}).floats("w", {64, 32, 3, 3}, std::vector<float>(18432, 0.01F));
  model.node("Conv", {"x", "w"}, {"c"}, {attribute("pads", Ints{1, 1, 1, 1})}).node("Relu", {"c"}, {"r"});
  model.node("GlobalAveragePool", {"r"}, {"m"}).node("Flatten", {"m"}, {"f"});
  model.floats("v", {64, 50}, std::vector<float>(3200, 0.1F)).node("MatMul", {"f", "v"}, {"p"});
  model.node("Softmax", {"p"}, {"y"}).output("y");
  for (const char* profile : {"nvidia_h100", "adreno640", "mali_g76"}) {
    CAPTURE(std::string(profile));
    CompileTarget target;
    target.profile = load_hw_profile(profile);
    target.device = some_device();
    target.device->max_group_size = 1024;
    target.device->max_group_sizes = {1024, 1024, 64};
    const auto largest = [](const Program& program) {
      std::int64_t most = 0;
      for (const KernelSource& kernel : program.kernels) {
        const auto& size = kernel.launch.group_size;
        most = std::max(most, std::int64_t{size[0]} * size[1] * size[2]);
      }
      return most;
    };
    const Program free = load_model(model).compile(target);
    CHECK(free.warnings.empty());
    CHECK(largest(free) >= 64);
    for (const std::int64_t allowed : {32, 7, 1}) {
      CAPTURE(allowed);
      target.max_group_size = [allowed](const KernelSource&) { return allowed; };
      const Program program = load_model(model).compile(target);
      CHECK(largest(program) <= allowed);
      CHECK(program.host_steps.empty());
      REQUIRE(!program.warnings.empty());
      CHECK(program.warnings[0].find("smaller work-groups, because the driver limits the kernel ") !=
            std::string::npos);
    }
  }
}

TEST_CASE(
    "refused kernels: a model that is run is scheduled again where the driver finds its work-groups too "
    "large") {
  OnnxModel model;
  model.input("x", {64, 64}).node("Exp", {"x"}, {"y"}).output("y");
  DeviceInfo info = some_device();
  info.is_gpu = true;
  info.preferred_group_multiple = 32;
  info.max_allocation_bytes = 1 << 20;
  FakeDevice device(info);
  const Runner free = load_model(model).run(device);
  CHECK(free.program().warnings.empty());
  device.most_of_kernel = 8;
  const Runner narrow = load_model(model).run(device);
  REQUIRE(!narrow.program().warnings.empty());
  CHECK(
      narrow.program().warnings[0].starts_with("node 'y' (Exp): smaller work-groups, because the driver "
                                               "limits the kernel exp_kernel to 8 work-items"));
  for (const KernelSource& kernel : narrow.program().kernels) {
    const auto& size = kernel.launch.group_size;
    CHECK(size[0] * size[1] * size[2] <= 8);
  }
}

TEST_CASE("refused kernels: one that a device refuses by every strategy is computed by the host") {
  OnnxModel model;
  model.input("x", {32, 64}).node("Exp", {"x"}, {"y"}).output("y");
  CompileTarget target;
  target.device = some_device();
  target.device->is_gpu = true;
  target.max_group_size = [](const KernelSource&) { return 0; };
  const Program program = load_model(model).compile(target);
  CHECK(program.host_steps.size() == 1);
  const std::string expected =
      "node 'y' (Exp): on the host, because the driver limits the kernel exp_kernel to 0 work-items";
  CHECK(std::ranges::count(program.warnings, expected) == 1);
}
