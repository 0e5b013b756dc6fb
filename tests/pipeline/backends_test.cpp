// Pipelines go through the Backend interface, and use only the interface of a device.
#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "backends/bundled_backends.h"
#include "codegen/backend.h"
#include "ir/text/print.h"
#include "support/error_text.h"
#include "support/fake_device.h"
#include "support/some_device.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

/// Writes kernels in a language of its own.
class CountingBackend final : public Backend {
 public:
  explicit CountingBackend(std::string name) : name_(std::move(name)) {}
  std::string name() const override { return name_; }
  KernelSource emit(const lower::LoweredKernel& kernel, const std::set<std::string>& taken_entries,
                    const DeviceInfo* device) const override {
    KernelSource source;
    source.entry = kernel.name + "_" + std::to_string(taken_entries.size());
    source.text = name_ + " runs " + kernel.name + (device ? " on " + device->name : " somewhere");
    for (const lower::BufferArgument& b : kernel.buffers) {
      KernelArgument argument;
      argument.name = b.name;
      argument.type = b.type;
      source.arguments.push_back(argument);
    }
    return source;
  }

 private:
  std::string name_;
};

/// A backend with vectors of 5 or 8 lanes and a division that floors, which writes kernels as IR.
class OddBackend final : public Backend {
 public:
  std::string name() const override { return "odd"; }
  std::vector<int> vector_widths() const override { return {5, 8}; }
  lower::IntegerDivision division() const override { return lower::IntegerDivision::Flooring; }
  KernelSource emit(const lower::LoweredKernel& kernel, const std::set<std::string>&,
                    const DeviceInfo*) const override {
    KernelSource source;
    source.entry = kernel.name;
    source.text = ir::print(kernel.body);
    return source;
  }
};

/// Two kernels: first(x) = x, second(x) = first(x) + 1.
Func two_kernels() {
  const Var x("x");
  Func first("first"), second("second");
  first(x) = cast(Float(32), x);
  second(x) = first(x) + 1.0f;
  first.compute_root();
  second.bound({8});
  return second;
}

DeviceInfo device_of(const std::string& backend) {
  DeviceInfo device = some_device();
  device.name = "Board";
  device.backend = backend;
  return device;
}

Func copy_of_halves() {
  const Var x("x"), y("y");
  Input in("in", Float(16), {2, 4}, {"y", "x"});
  Func out("out");
  out(y, x) = cast(Float(32), in(y, x));
  out.bound({2, 4});
  in.layout("y | x").set_image(Image2D);
  return out;
}

}  // namespace

TEST_CASE("Pipeline: kernels are what the first backend writes where no device is known") {
  const Pipeline pipeline(two_kernels(), {std::make_shared<CountingBackend>("loom"),
                                          std::make_shared<CountingBackend>("abacus")});
  const Program compiled = pipeline.compile();
  REQUIRE(compiled.kernels.size() == 2);
  CHECK(compiled.kernels[0].entry == "first_0");
  CHECK(compiled.kernels[0].text == "loom runs first somewhere");
  CHECK(compiled.kernels[1].entry == "second_1");
  CHECK(pipeline.emit("cl") == "loom runs first somewhere\nloom runs second somewhere\n");
}

TEST_CASE("Pipeline: a device gets the kernels of the backend that it names, and runs them") {
  const Pipeline pipeline(two_kernels(), {std::make_shared<CountingBackend>("loom"),
                                          std::make_shared<CountingBackend>("abacus")});
  CHECK(pipeline.compile(device_of("")).kernels[0].text == "loom runs first on Board");
  FakeDevice device(device_of("abacus"));
  CHECK(pipeline.realize({}, device).shape() == std::vector<std::int64_t>{8});
  REQUIRE(device.built.size() == 2);
  CHECK(device.built[0].text == "abacus runs first on Board");
  CHECK(device.built[1].text == "abacus runs second on Board");
  CHECK(device.replays == 1);
}

TEST_CASE("Pipeline: a backend says which vectors there are, and how its division rounds") {
  const auto compiled = [](int lanes, std::vector<std::shared_ptr<const Backend>> backends) {
    const Var x("x"), i("i"), o("o");
    Func f("f");
    f(x) = cast(Float(32), x) * 2.0F;
    f.bound({40}).split(x, o, i, lanes).vectorize(i);
    return Pipeline(f, std::move(backends)).compile().kernels[0];
  };
  CHECK(compiled(5, {std::make_shared<OddBackend>()}).text.find(", 1, 5)") != std::string::npos);
  CHECK(compiled(5, {std::make_shared<OddBackend>()}).backend == "odd");
  CHECK(error_of([&] { compiled(4, {std::make_shared<OddBackend>()}); }) ==
        "vectorize: loop \"f.i\" has the extent 4; the device's vectors have 5 or 8 lanes; split the loop by "
        "one of these and vectorize the inner loop");
  CHECK(error_of([&] {
          compiled(5, bundled_backends());
        }).find("the device's vectors have 2, 3, 4, 8 or 16 lanes") != std::string::npos);

  const Var x("x");
  Func third("third");
  third(x) = x / 3;
  third.bound({40});
  CHECK(Pipeline(third, {std::make_shared<OddBackend>()}).compile().kernels[0].text.find("/3") !=
        std::string::npos);
  CHECK(Pipeline(third).compile().kernels[0].text.find("floor_div") == std::string::npos);
}

TEST_CASE("Pipeline: a device of another backend is refused with the backends that there are") {
  CHECK(error_of([] { Pipeline(two_kernels()).compile(device_of("abacus")); }) ==
        "Pipeline: Board runs kernels of backend \"abacus\", but the pipeline has backend \"opencl\", "
        "\"llvm\"; pass the device's backend to Pipeline, or open another device");
  CHECK(error_of([] { Pipeline(two_kernels(), {}).compile(); }) ==
        "Pipeline: no backend given; pass at least one");
}

TEST_CASE("Pipeline: the bundled backends write what a Pipeline without backends has") {
  REQUIRE(bundled_backends().size() == 2);
  CHECK(bundled_backends()[0]->name() == "opencl");
  CHECK(bundled_backends()[1]->name() == "llvm");
  CHECK(Pipeline(two_kernels(), bundled_backends()).compile().kernels ==
        Pipeline(two_kernels()).compile().kernels);
  CHECK(Device::open()->info().backend == "opencl");
}

TEST_CASE("Device: whether it reads images of one f16 to a texel is asked once, whatever the pipelines") {
  FakeDevice device(some_device());
  const Pipeline without_images(two_kernels());
  without_images.prepare(device);
  CHECK(device.r16f_probes == 0);
  const Pipeline first(copy_of_halves()), second(copy_of_halves());
  first.prepare(device);
  second.prepare(device);
  CHECK(device.r16f_probes == 1);
  // The pipelines' kernels and no other.
  CHECK(device.built.size() == 4);
}

TEST_CASE("Device: a wrong answer about images of one f16 to a texel is kept too") {
  DeviceInfo info = some_device();
  info.name = "Board";
  FakeDevice device(info, false);
  for (int i = 0; i < 2; ++i) {
    CHECK(error_of([&] { Pipeline(copy_of_halves()).prepare(device); }) ==
          "out_kernel: in is an image of one f16 per texel, which Board supports but reads incorrectly; use "
          "four per texel, with a layout that ends in \"| c%4\", or f32");
  }
  CHECK(device.r16f_probes == 1);
  CHECK(device.built.empty());
}

TEST_CASE("Device: threads that ask at once about images of one f16 to a texel share one answer") {
  FakeDevice device(some_device());
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back([&] { device.reads_r16f_images(); });
  for (std::thread& thread : threads) thread.join();
  CHECK(device.r16f_probes == 1);
}

}  // namespace tensordsl
