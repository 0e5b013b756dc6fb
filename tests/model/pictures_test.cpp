// Inputs and outputs of bytes.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "support/error_text.h"
#include "support/load_model.h"
#include "support/tier.h"

using namespace tensordsl;
using testing::attribute;
using testing::Floats;
using testing::Ints;
using testing::load_model;
using testing::OnnxModel;

namespace {

const Picture kCamera{{0.485, 0.456, 0.406}, {0.229, 0.224, 0.225}};

ModelOptions with_pictures(const std::map<std::string, Picture>& pictures) {
  ModelOptions options;
  options.pictures = pictures;
  return options;
}

Buffer random_bytes(const std::vector<std::int64_t>& shape) {
  Buffer bytes(UInt(8), shape);
  std::mt19937 random(3);
  for (std::uint8_t& byte : bytes.as<std::uint8_t>()) byte = static_cast<std::uint8_t>(random() % 256);
  return bytes;
}

double of(const std::vector<double>& values, std::int64_t channel) {
  return values.size() == 1 ? values[0] : values[static_cast<std::size_t>(channel)];
}

/// The values that the model's own input would have.
Buffer values_of(const Buffer& bytes, const Picture& picture, std::int64_t channels) {
  const std::int64_t batch = bytes.shape()[0], rows = bytes.shape()[1], columns = bytes.shape()[2];
  Buffer values(Float(32), {batch, channels, rows, columns});
  for (std::int64_t i = 0; i < values.elements(); ++i) {
    const std::int64_t pixel = i % (rows * columns), c = i / (rows * columns) % channels,
                       n = i / (rows * columns * channels);
    values.set(i, (bytes.get((n * rows * columns + pixel) * 4 + c) / 255 - of(picture.mean, c)) /
                      of(picture.deviation, c));
  }
  return values;
}

/// y = relu(conv(x)), padded, with a stride of 2, from `channels` to `outputs`.
OnnxModel convolution(std::int64_t channels, std::int64_t outputs, std::int64_t rows, std::int64_t columns,
                      std::int64_t stride = 2) {
  OnnxModel model;
  Floats weights;
  for (std::int64_t i = 0; i < outputs * channels * 9; ++i)
    weights.push_back(static_cast<float>(i * 37 % 101) / 500.0F - 0.1F);
  model.input("x", {2, channels, rows, columns}).floats("w", {outputs, channels, 3, 3}, weights);
  model.node("Conv", {"x", "w"}, {"c"},
             {attribute("pads", Ints{1, 1, 1, 1}), attribute("strides", Ints{stride, stride})});
  return model.node("Relu", {"c"}, {"y"}).output("y");
}

Program compiled(const OnnxModel& model, const std::map<std::string, Picture>& pictures,
                 const CompileTarget& target = {}) {
  return load_model(model, with_pictures(pictures)).compile(target);
}

Buffer run(const OnnxModel& model, const std::map<std::string, Picture>& pictures, const Buffer& input,
           CompileTarget target = {}) {
  const auto device = Device::open();
  target.device = device->info();
  target.max_group_size = [&](const KernelSource& kernel) { return device->max_group_size(kernel); };
  Runner runner(std::make_shared<const Program>(compiled(model, pictures, target)), *device);
  runner.write("x", input);
  runner.run();
  return runner.read("y");
}

double largest_difference(const Buffer& a, const Buffer& b) {
  REQUIRE(a.shape() == b.shape());
  double largest = 0;
  for (std::int64_t i = 0; i < a.elements(); ++i) largest = std::max(largest, std::abs(a.get(i) - b.get(i)));
  return largest;
}

}  // namespace

TEST_CASE("pictures: an input of bytes is what the model would have of it, for no kernel more") {
  for (const std::int64_t channels : {1, 3, 4}) {
    for (const auto& [rows, columns] : {std::pair{1, 1}, {5, 7}, {16, 17}}) {
      if (testing::is_left_to_full((channels == 3) != (rows == 16))) continue;
      CAPTURE(channels);
      CAPTURE(columns);
      const OnnxModel model = convolution(channels, 8, rows, columns);
      const Picture picture = channels == 3 ? kCamera : Picture{{0.5}, {0.25}};
      const Buffer bytes = random_bytes({2, rows, columns, 4});
      CHECK(largest_difference(run(model, {{"x", picture}}, bytes),
                               run(model, {}, values_of(bytes, picture, channels))) < 1e-4);
      CHECK(compiled(model, {{"x", picture}}).launches.size() == compiled(model, {}).launches.size());
    }
  }
}

TEST_CASE("pictures: on every profile, and with halves, the same") {
  const OnnxModel model = convolution(3, 8, 9, 10);
  const Buffer bytes = random_bytes({2, 9, 10, 4});
  const Buffer expected = run(model, {}, values_of(bytes, kCamera, 3));
  for (const char* profile : {"adreno640", "mali_g76", "mali_t860", "nvidia_h100"}) {
    if (testing::is_left_to_full(profile == std::string("mali_t860") ||
                                 profile == std::string("nvidia_h100")))
      continue;
    for (const Precision precision : {Precision::Float32, Precision::Float16}) {
      CAPTURE(profile);
      CompileTarget target;
      target.profile = load_hw_profile(profile);
      target.precision = precision;
      const double most = precision == Precision::Float16 ? 2e-2 : 1e-4;
      CHECK(largest_difference(run(model, {{"x", kCamera}}, bytes, target), expected) < most);
    }
  }
}

TEST_CASE("pictures: images of bytes, read and written, are what buffers are") {
  const OnnxModel model = convolution(3, 3, 9, 10, 1);
  const Buffer bytes = random_bytes({2, 9, 10, 4});
  Picture camera = kCamera, display{{0.25}, {0.5}};
  const Buffer expected = run(model, {{"x", camera}, {"y", display}}, bytes);
  camera.storage = display.storage = Picture::Storage::Image;
  for (const char* profile : {"", "adreno640", "mali_g76", "nvidia_h100"}) {
    if (testing::is_left_to_full(profile == std::string("nvidia_h100"))) continue;
    CAPTURE(profile);
    CompileTarget target;
    if (*profile) target.profile = load_hw_profile(profile);
    const Program program = compiled(model, {{"x", camera}, {"y", display}}, target);
    CHECK(program.tensors[program.inputs[0].tensor].image);
    CHECK(program.tensors[program.outputs[0].tensor].image);
    CHECK(largest_difference(run(model, {{"x", camera}, {"y", display}}, bytes, target), expected) <= 1);
  }
}

TEST_CASE("pictures: an output is rounded and cut, opaque, and gray if it has one channel") {
  for (const std::int64_t channels : {1, 3, 4}) {
    CAPTURE(channels);
    const OnnxModel model = convolution(3, channels, 6, 9, 1);
    const Picture picture{{0.25}, {0.5}};
    const Buffer bytes = random_bytes({2, 6, 9, 4});
    const Buffer input = values_of(bytes, kCamera, 3), values = run(model, {}, input);
    const Buffer found = run(model, {{"y", picture}}, input);
    REQUIRE(found.type() == UInt(8));
    REQUIRE(found.shape() == std::vector<std::int64_t>{2, 6, 9, 4});
    for (std::int64_t i = 0; i < found.elements(); ++i) {
      const std::int64_t c = i % 4, pixel = i / 4 % 54, n = i / 216;
      if (c == 3 && channels < 4) {
        CHECK(found.get(i) == 255);
        continue;
      }
      const std::int64_t channel = std::min(c, channels - 1);
      const double value = (values.get((n * channels + channel) * 54 + pixel) * 0.5 + 0.25) * 255;
      CHECK(std::abs(found.get(i) - std::clamp(value, 0.0, 255.0)) < 0.501);
    }
    // Pictures at both ends.
    CHECK(largest_difference(run(model, {{"x", kCamera}, {"y", picture}}, bytes), found) <= 1);
  }
}

TEST_CASE("pictures: an input that several read is converted by each") {
  OnnxModel model;
  model.input("x", {1, 3, 4, 5}).node("Relu", {"x"}, {"r"}).node("Neg", {"x"}, {"n"});
  model.node("ReduceSum", {"x"}, {"s"}).node("Mul", {"r", "s"}, {"m"});
  model.node("Sub", {"m", "n"}, {"y"}).output("y");
  const Buffer bytes = random_bytes({1, 4, 5, 4});
  CHECK(largest_difference(run(model, {{"x", kCamera}}, bytes),
                           run(model, {}, values_of(bytes, kCamera, 3))) < 1e-3);
}

TEST_CASE("pictures: a model with other outputs keeps those that are pictures") {
  const Model model = load_model(convolution(3, 3, 6, 9, 1), with_pictures({{"y", {}}}));
  const auto outputs = model.with_outputs({"y", "c"}).outputs();
  REQUIRE(outputs.size() == 2);
  CHECK(outputs[0].type == UInt(8));
  CHECK(outputs[1].type == Float(32));
}

TEST_CASE("pictures: what is none is refused, with what there is") {
  const auto refused = [](const OnnxModel& model, const std::map<std::string, Picture>& pictures) {
    const std::string text = error_of([&] { load_model(model, with_pictures(pictures)); });
    return text.substr(std::min(text.find("pictures: "), text.size()));
  };
  const OnnxModel model = convolution(3, 8, 5, 5);
  CHECK(refused(model, {{"data", {}}}) ==
        "pictures: the model has no input or output \"data\"; it has \"x\", \"y\"");
  CHECK(refused(model, {{"y", {}}}) ==
        "pictures: \"y\" is f32 [2, 8, 3, 3]; a picture must be f32 [batch, channels, rows, columns] with 1, "
        "3 or 4 channels");
  CHECK(refused(model, {{"x", {{0, 0}, {1}}}}) ==
        "pictures: \"x\" has 3 channels, but 2 values of mean; pass one value, or one per channel");
  CHECK(refused(model, {{"x", {{0}, {0}}}}) ==
        "pictures: \"x\" has a mean of 0 and a deviation of 0; both must be finite, and the deviation must "
        "not be 0");
  CHECK(refused(model, {{"x", {{0}, {1e-42}}}}) ==
        "pictures: \"x\" has a deviation of 1e-42, too small to divide by");
  CompileTarget without_images;
  without_images.device = DeviceInfo();
  without_images.device->name = "A";
  CHECK(error_of([&] {
          compiled(model, {{"x", {{0}, {1}, Picture::Storage::Image}}}, without_images);
        }) == "the picture \"x\" must be an image, but A has no images; store it in a buffer");
  OnnxModel given;
  given.input("x", {1, 3, 2, 2}).node("Relu", {"x"}, {"y"}).output("y").output("x");
  CHECK(refused(given, {{"x", {}}}) ==
        "pictures: \"x\" is both an input and an output; only one of them can be a picture");
}
