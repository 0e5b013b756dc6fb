// A program's own context, queues, buffers and images.
#include <doctest/doctest.h>

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#include <algorithm>
#include <random>

#include "support/error_text.h"
#include "support/load_model.h"
#include "tensordsl/opencl.h"

using namespace tensordsl;
using testing::attribute;
using testing::Floats;
using testing::Ints;
using testing::load_model;
using testing::OnnxModel;

namespace {

/// The OpenCL objects of a program that uses OpenCL itself.
struct OwnProgram {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;

  OwnProgram() {
    cl_uint count = 0;
    clGetPlatformIDs(0, nullptr, &count);
    std::vector<cl_platform_id> platforms(count);
    clGetPlatformIDs(count, platforms.data(), nullptr);
    for (cl_platform_id platform : platforms) {
      if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) == CL_SUCCESS) break;
    }
    REQUIRE(device != nullptr);
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
    queue = clCreateCommandQueue(context, device, 0, nullptr);
    REQUIRE(queue != nullptr);
  }
  ~OwnProgram() {
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
  }
  OwnProgram(const OwnProgram&) = delete;
  OwnProgram& operator=(const OwnProgram&) = delete;

  cl_mem image(cl_channel_type type, std::size_t width, std::size_t height) const {
    const cl_image_format format{CL_RGBA, type};
    cl_image_desc what{};
    what.image_type = CL_MEM_OBJECT_IMAGE2D;
    what.image_width = width;
    what.image_height = height;
    return clCreateImage(context, CL_MEM_READ_WRITE, &format, &what, nullptr, nullptr);
  }

  std::shared_ptr<Device> open() const { return opencl::device_of(context, device, queue); }
};

constexpr std::size_t kRows = 9, kColumns = 14;
constexpr std::size_t kOrigin[3] = {0, 0, 0}, kRegion[3] = {kColumns, kRows, 1};

/// A model from three channels to three, with pictures at both ends.
Model style(Picture::Storage storage) {
  OnnxModel model;
  Floats weights;
  for (int i = 0; i < 81; ++i) weights.push_back(static_cast<float>(i * 37 % 101) / 300.0F - 0.15F);
  model.input("x", {1, 3, kRows, kColumns}).floats("w", {3, 3, 3, 3}, weights);
  model.node("Conv", {"x", "w"}, {"c"}, {attribute("pads", Ints{1, 1, 1, 1})});
  model.node("Sigmoid", {"c"}, {"y"}).output("y");
  ModelOptions options;
  options.pictures = {{"x", {{0.5}, {0.25}, storage}}, {"y", {{0}, {1}, storage}}};
  return load_model(model, options);
}

Buffer camera() {
  Buffer bytes(UInt(8), {1, kRows, kColumns, 4});
  std::mt19937 random(9);
  for (std::uint8_t& byte : bytes.as<std::uint8_t>()) byte = static_cast<std::uint8_t>(random() % 256);
  return bytes;
}

Runner runner_of(const Model& model, Device& device) { return model.run(device); }

}  // namespace

TEST_CASE("own objects: from the camera's image to the display's, in the program's queue") {
  const OwnProgram own;
  const auto device = own.open();
  const Buffer bytes = camera();
  Runner buffers = runner_of(style(Picture::Storage::Buffer), *device);
  buffers.write("x", bytes);
  buffers.run();
  const Buffer expected = buffers.read();

  for (const cl_channel_type type : {CL_UNSIGNED_INT8, CL_UNORM_INT8}) {
    for (const Precision precision : {Precision::Float32, Precision::Float16}) {
      CAPTURE(type);
      const cl_mem from = own.image(type, kColumns, kRows), to = own.image(type, kColumns, kRows);
      const bool is_normalized = type == CL_UNORM_INT8;
      Runner runner = style(is_normalized ? Picture::Storage::NormalizedImage : Picture::Storage::Image)
                          .run(*device, precision);
      runner.bind("x", opencl::image_of(*device, from));
      runner.bind("y", opencl::image_of(*device, to));
      // No waits in between: the queue keeps the order.
      std::vector<std::uint8_t> found(bytes.bytes().size());
      CHECK(clEnqueueWriteImage(own.queue, from, CL_FALSE, kOrigin, kRegion, 0, 0, bytes.bytes().data(), 0,
                                nullptr, nullptr) == CL_SUCCESS);
      runner.start();
      CHECK(clEnqueueReadImage(own.queue, to, CL_TRUE, kOrigin, kRegion, 0, 0, found.data(), 0, nullptr,
                               nullptr) == CL_SUCCESS);
      int largest = 0;
      for (std::size_t i = 0; i < found.size(); ++i)
        largest = std::max(largest, std::abs(found[i] - static_cast<int>(expected.get(static_cast<int>(i)))));
      CHECK(largest <= 1);
      runner.wait();
      clReleaseMemObject(from);
      clReleaseMemObject(to);
    }
  }
}

TEST_CASE("own objects: an image is bound where an image of its size and kind is wanted") {
  const OwnProgram own;
  const auto device = own.open();
  Runner buffers = runner_of(style(Picture::Storage::Buffer), *device),
         bytes = runner_of(style(Picture::Storage::Image), *device),
         normalized = runner_of(style(Picture::Storage::NormalizedImage), *device);
  const auto image = [&](cl_channel_type type, std::size_t width) {
    const cl_mem made = own.image(type, width, kRows);
    auto wrapped = opencl::image_of(*device, made);
    clReleaseMemObject(made);
    return wrapped;
  };
  CHECK(error_of([&] { bytes.bind("y", image(CL_UNSIGNED_INT8, 7)); }) ==
        "bind: \"y\" is an Image2D of 14 x 9 x 1 texels of 4 u8, but the image is an Image2D of 7 x 9 x 1 "
        "texels of 4 u8");
  CHECK(error_of([&] { bytes.bind("y", image(CL_UNORM_INT8, kColumns)); }) ==
        "bind: \"y\" is an Image2D of 14 x 9 x 1 texels of 4 u8, but the image is an Image2D of 14 x 9 x 1 "
        "texels of 4 normalized u8");
  CHECK(error_of([&] { normalized.bind("y", image(CL_UNSIGNED_INT8, kColumns)); }) ==
        "bind: \"y\" is an Image2D of 14 x 9 x 1 texels of 4 f32, but the image is an Image2D of 14 x 9 x 1 "
        "texels of 4 u8");
  CHECK(error_of([&] { bytes.bind("y", device->allocate(1000)); }) ==
        "bind: \"y\" is an image; pass an image, not a buffer");
  CHECK(error_of([&] { buffers.bind("y", image(CL_UNSIGNED_INT8, kColumns)); }) ==
        "bind: \"y\" is a buffer; pass a buffer, not an image");
  // Two handles of one image.
  const cl_mem both = own.image(CL_UNORM_INT8, kColumns, kRows);
  normalized.bind("x", opencl::image_of(*device, both));
  CHECK(error_of([&] { normalized.bind("y", opencl::image_of(*device, both)); }) ==
        "bind: \"x\" is already bound to this image; bind \"y\" to another one");
  clReleaseMemObject(both);
  CHECK(
      error_of([&] {
        normalized.write("x", Buffer(Float(32), {1, kRows, kColumns, 4}));
      }) ==
      "write: \"x\" is bound to an Image2D of 14 x 9 x 1 texels of 4 normalized u8, which has another type; "
      "write that image directly, or bind an Image2D of 14 x 9 x 1 texels of 4 f32");
  // A tensor that is read as floats accepts every floating-point channel type.
  for (const cl_channel_type type : {CL_FLOAT, CL_HALF_FLOAT, CL_UNORM_INT8})
    CHECK_NOTHROW(normalized.bind("y", image(type, kColumns)));
}

TEST_CASE("own objects: an output needs memory that kernels may read and write") {
  const OwnProgram own;
  const auto device = own.open();
  Runner runner = runner_of(style(Picture::Storage::Buffer), *device);
  const std::size_t size = camera().bytes().size();
  const cl_mem read_only = clCreateBuffer(own.context, CL_MEM_READ_ONLY, size, nullptr, nullptr);
  CHECK_NOTHROW(runner.bind("x", opencl::buffer_of(*device, read_only)));
  CHECK(error_of([&] { runner.bind("y", opencl::buffer_of(*device, read_only)); }) ==
        "bind: kernels can only read the memory given for \"y\"; create it with CL_MEM_READ_WRITE");
  clReleaseMemObject(read_only);
}

TEST_CASE("own objects: an image is bound again where its size has changed") {
  const OwnProgram own;
  const auto device = own.open();
  OnnxModel model;
  model.input("x", {1, 3, 4, 5}).name_dim(0, 2, "height").name_dim(0, 3, "width");
  model.node("Neg", {"x"}, {"n"}).node("Sigmoid", {"n"}, {"y"}).output("y");
  ModelOptions options;
  options.pictures = {{"y", {{0}, {1}, Picture::Storage::Image}}};
  Runner runner = load_model(model, options).run(*device, Precision::Float32, {{"height", 8}, {"width", 6}});
  const auto run_on = [&](std::int64_t height, std::int64_t width) {
    runner.set_params({{"height", height}, {"width", width}});
    runner.write("x", Buffer(Float(32), {1, 3, height, width}));
    runner.run();
  };
  const cl_mem large = own.image(CL_UNSIGNED_INT8, 6, 8), small = own.image(CL_UNSIGNED_INT8, 3, 2);
  runner.bind("y", opencl::image_of(*device, large));
  run_on(8, 6);
  CHECK(error_of([&] { run_on(2, 3); }) ==
        "run: \"y\" is now an Image2D of 3 x 2 x 1 texels of 4 u8, but was bound to an Image2D of 6 x 8 x 1 "
        "texels of 4 u8; bind it again");
  runner.bind("y", opencl::image_of(*device, small));
  run_on(2, 3);
  CHECK(runner.read().get(0) == 128);
  clReleaseMemObject(large);
  clReleaseMemObject(small);
}

TEST_CASE("own objects: buffers of the program are inputs and outputs") {
  const OwnProgram own;
  const auto device = own.open();
  const Buffer bytes = camera();
  const std::size_t size = bytes.bytes().size();
  Runner runner = runner_of(style(Picture::Storage::Buffer), *device);
  runner.write("x", bytes);
  runner.run();
  const Buffer expected = runner.read();
  const cl_mem from = clCreateBuffer(own.context, CL_MEM_READ_WRITE, size, nullptr, nullptr),
               to = clCreateBuffer(own.context, CL_MEM_READ_WRITE, size, nullptr, nullptr);
  runner.bind("x", opencl::buffer_of(*device, from));
  runner.bind("y", opencl::buffer_of(*device, to));
  clEnqueueWriteBuffer(own.queue, from, CL_FALSE, 0, size, bytes.bytes().data(), 0, nullptr, nullptr);
  runner.start();
  std::vector<std::uint8_t> found(size);
  clEnqueueReadBuffer(own.queue, to, CL_TRUE, 0, size, found.data(), 0, nullptr, nullptr);
  CHECK(std::equal(found.begin(), found.end(), expected.as<std::uint8_t>().begin()));
  runner.wait();
  clReleaseMemObject(from);
  clReleaseMemObject(to);
}

TEST_CASE("own objects: two queues of one context run two Runners, and one takes what the other gave") {
  const OwnProgram own;
  const auto device = own.open();
  const auto beside = opencl::with_another_queue(*device);
  const Buffer bytes = camera();
  const Model model = style(Picture::Storage::Buffer);
  Runner first = runner_of(model, *device), second = runner_of(model, *beside);
  first.write("x", bytes);
  first.run();
  const Buffer once = first.read();
  second.write("x", once);
  second.run();
  const Buffer twice = second.read();

  const auto between = device->allocate(bytes.bytes().size());
  first.bind("y", between);
  second.bind("x", between);
  const Buffer nothing(UInt(8), bytes.shape());
  for (int i = 0; i < 3; ++i) {
    device->write(*between, nothing.bytes());
    first.start();
    first.wait();
    second.start();
    second.wait();
  }
  CHECK(std::ranges::equal(second.read().as<std::uint8_t>(), twice.as<std::uint8_t>()));
}

TEST_CASE("own objects: what kernels cannot take is refused, with what they can") {
  const OwnProgram own, other;
  const auto device = own.open();
  CHECK(error_of([&] { opencl::device_of(own.context, own.device, nullptr); }) ==
        "device_of: the context, device and queue must not be null");
  CHECK(error_of([&] { opencl::device_of(own.context, own.device, other.queue); }) ==
        "device_of: the queue belongs to another context; pass a queue of this context");
  const cl_mem real = own.image(CL_UNSIGNED_INT16, 4, 4);
  CHECK(error_of([&] { opencl::image_of(*device, real); }) ==
        "image_of: unsupported channel type 0x10db; supported: CL_FLOAT, CL_HALF_FLOAT, CL_SIGNED_INT32, "
        "CL_SIGNED_INT8, CL_UNSIGNED_INT8 and CL_UNORM_INT8");
  CHECK(error_of([&] { opencl::buffer_of(*device, real); }) ==
        "buffer_of: the object is not a buffer; use image_of for images");
  CHECK(error_of([&] { opencl::image_of(*device, nullptr); }) ==
        "image_of: the memory object is null; pass one");
  CHECK(error_of([&] {
          opencl::image_of(*other.open(), real);
        }).starts_with("image_of: the memory belongs to another context than "));
  const cl_mem buffer = clCreateBuffer(own.context, CL_MEM_READ_WRITE, 64, nullptr, nullptr);
  CHECK(error_of([&] { opencl::image_of(*device, buffer); }) ==
        "image_of: the object is not a supported image; supported: Image1DBuffer, Image2D, Image2DArray");
  clReleaseMemObject(buffer);
  clReleaseMemObject(real);
}
