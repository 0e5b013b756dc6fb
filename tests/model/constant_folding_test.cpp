// Constants that follow from others: which are interpreted, and which are computed by kernels.
#include <doctest/doctest.h>

#include <cmath>

#include "support/buffers.h"
#include "support/fake_device.h"
#include "support/load_model.h"
#include "support/some_device.h"

using namespace tensordsl;
using testing::Floats;
using testing::load_model;
using testing::OnnxModel;

namespace {

Floats wave(std::int64_t size, float step) {
  Floats values(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(step * static_cast<float>(i));
  return values;
}

/// y = x + a * b, a and b square matrices that are known, as often as `products` says.
OnnxModel product_of_constants(std::int64_t size, int products = 1) {
  OnnxModel model;
  model.input("x", {size, size});
  std::string sum = "x";
  for (int i = 0; i < products; ++i) {
    const std::string n = std::to_string(i);
    model.floats("a" + n, {size, size}, wave(size * size, 0.37F));
    model.floats("b" + n, {size, size}, wave(size * size, 0.73F + static_cast<float>(i)));
    model.node("MatMul", {"a" + n, "b" + n}, {"c" + n}).node("Add", {sum, "c" + n}, {"y" + n});
    sum = "y" + n;
  }
  return model.output(sum);
}

/// The constant that the model adds to its input.
Buffer constant_part(const Model& model) {
  Runner runner = model.run(*Device::open());
  const auto& input = runner.program().inputs[0];
  runner.write(input.name, Buffer(input.type, default_input(input).shape()));
  runner.run();
  return runner.read();
}

std::shared_ptr<FakeDevice> fake_device() {
  DeviceInfo info = some_device();
  return std::make_shared<FakeDevice>(info);
}

}  // namespace

TEST_CASE("constant folding: the device is asked for once, and for large constants only") {
  int asked = 0;
  const auto device = fake_device();
  ModelOptions options;
  options.folding_device = [&] {
    ++asked;
    return device;
  };
  load_model(product_of_constants(32), options);
  CHECK(asked == 0);
  load_model(product_of_constants(256, 2), options);
  CHECK(asked == 1);
  CHECK(device->replays == 2);
}

TEST_CASE("constant folding: many of moderate size are computed by kernels too") {
  const auto device = fake_device();
  ModelOptions options;
  options.folding_device = [&] { return device; };
  load_model(product_of_constants(128), options);
  CHECK(device->replays == 0);
  load_model(product_of_constants(128, 5), options);
  CHECK(device->replays > 0);
  CHECK(device->replays < 5);
}

TEST_CASE("constant folding: kernels give what the interpreter gives") {
  const OnnxModel model = product_of_constants(208);
  ModelOptions options;
  bool asked = false;
  options.folding_device = [&] {
    asked = true;
    return Device::open();
  };
  const Buffer compiled = constant_part(load_model(model, options)),
               interpreted = constant_part(load_model(model));
  CHECK(asked);
  REQUIRE(compiled.elements() == interpreted.elements());
  CHECK(testing::largest_difference(compiled, interpreted) < 1e-4);
}

TEST_CASE("constant folding: integers are the same on the host and on the device") {
  constexpr std::int64_t kSize = 1500;
  testing::Ints values(kSize);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int64_t>(i) * 12345678901;
  OnnxModel model;
  model.input("x", {kSize, kSize}, ::onnx::TensorProto::INT64);
  model.ints("a", {kSize, 1}, values).ints("b", {kSize}, values);
  // Each is of moderate size; the last ones are too many for the host.
  model.node("Sub", {"a", "b"}, {"c0"});
  for (int i = 0; i < 5; ++i)
    model.node("Add", {"c" + std::to_string(i), "b"}, {"c" + std::to_string(i + 1)});
  model.node("Add", {"x", "c5"}, {"y"}).output("y");
  ModelOptions options;
  bool asked = false;
  options.folding_device = [&] {
    asked = true;
    return Device::open();
  };
  const Buffer y = constant_part(load_model(model, options));
  CHECK(asked);
  for (const std::int64_t i : {0, 1, 1499, 1501, 2249999}) {
    const std::int64_t a = values[static_cast<std::size_t>(i / kSize)],
                       b = values[static_cast<std::size_t>(i % kSize)];
    CHECK(y.get_int(i) == a + 4 * b);
  }
}

TEST_CASE("constant folding: without a device that works the host computes, and says how far it is") {
  int failures = 0, reports = 0, last = 0, all = 0;
  ModelOptions options;
  options.folding_device = [&]() -> std::shared_ptr<Device> {
    ++failures;
    throw DeviceError("there is none");
  };
  options.folding_progress = [&](int done, int total) {
    ++reports;
    CHECK(done >= last);
    last = done;
    all = total;
  };
  const Buffer y = constant_part(load_model(product_of_constants(208), options));
  CHECK(failures == 1);
  CHECK(reports > 10);
  CHECK(last <= all);
  double first = 0;
  const Floats a = wave(208 * 208, 0.37F), b = wave(208 * 208, 0.73F);
  for (std::size_t k = 0; k < 208; ++k) first += static_cast<double>(a[k]) * b[k * 208];
  CHECK(y.get(0) == doctest::Approx(first).epsilon(1e-4));
}

TEST_CASE("constant folding: f64 is not folded on a device without it") {
  OnnxModel model;
  constexpr int kDouble = ::onnx::TensorProto::DOUBLE;
  model.input("x", {208, 208}, kDouble);
  for (const char* name : {"a", "b"}) {
    auto& tensor = model.initializer(name, {208, 208}, kDouble);
    for (const float value : wave(208 * 208, 0.37F)) tensor.add_double_data(value);
  }
  model.node("MatMul", {"a", "b"}, {"c"}).node("Add", {"x", "c"}, {"y"}).output("y");
  const auto device = fake_device();
  ModelOptions options;
  options.folding_device = [&] { return device; };
  load_model(model, options);
  CHECK(device->replays == 0);
}
