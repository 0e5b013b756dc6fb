// From a camera's image to a display's in one queue: the network's first kernel reads pixels, its last one
// writes them. camera_to_display [camera_to_display.onnx]; camera_to_display.py writes the model.
#include <tensordsl/model.h>
#include <tensordsl/opencl.h>
#include <tensordsl/tensordsl.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

using namespace tensordsl;

namespace {

constexpr std::size_t kOrigin[3] = {0, 0, 0};

/// The OpenCL objects of a program that draws by itself. They are released when the process ends.
struct Screen {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;

  /// Opens the device that tensordsl opens by default.
  Screen() {
    const DeviceInfo info = Device::open()->info();
    std::vector<cl_platform_id> platforms(static_cast<std::size_t>(info.platform_number) + 1);
    clGetPlatformIDs(static_cast<cl_uint>(platforms.size()), platforms.data(), nullptr);
    std::vector<cl_device_id> devices(static_cast<std::size_t>(info.device_number) + 1);
    clGetDeviceIDs(platforms.back(), CL_DEVICE_TYPE_ALL, static_cast<cl_uint>(devices.size()), devices.data(),
                   nullptr);
    device = devices.back();
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
    queue = clCreateCommandQueue(context, device, 0, nullptr);
  }

  cl_mem image(std::size_t width, std::size_t height) const {
    const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
    cl_image_desc what{};
    what.image_type = CL_MEM_OBJECT_IMAGE2D;
    what.image_width = width;
    what.image_height = height;
    return clCreateImage(context, CL_MEM_READ_WRITE, &format, &what, nullptr, nullptr);
  }
};

}  // namespace

int main(int count, char** arguments) try {
  const char* file = count > 1 ? arguments[1] : "apps/examples/models/camera_to_display.onnx";
  // [pictures]
  ModelOptions options;
  const auto normalized = Picture::Storage::NormalizedImage;
  options.pictures = {{"image", {{0.485, 0.456, 0.406}, {0.229, 0.224, 0.225}, normalized}},
                      {"styled", {{0}, {1}, normalized}}};
  const Model model = Model::load(file, options);
  // [end]
  const std::vector<Expr> shape = model.inputs().at(0).shape;  // [1, rows, columns, 4]
  const auto extent = [&](std::size_t d) {
    return static_cast<std::size_t>(std::stoll(to_string(shape[d])));
  };
  const std::size_t rows = extent(1), columns = extent(2), region[3] = {columns, rows, 1};

  const Screen screen;
  const cl_mem camera = screen.image(columns, rows), display = screen.image(columns, rows);
  // [bind]
  const auto device = opencl::device_of(screen.context, screen.device, screen.queue);
  Runner runner = model.run(*device);
  runner.bind("image", opencl::image_of(*device, camera));
  runner.bind("styled", opencl::image_of(*device, display));
  // [end]

  std::vector<std::uint8_t> picture(rows * columns * 4), shown(picture.size());
  for (std::size_t i = 0; i < picture.size(); ++i) picture[i] = static_cast<std::uint8_t>(i * 7 % 251);
  // [frame]
  clEnqueueWriteImage(screen.queue, camera, CL_FALSE, kOrigin, region, 0, 0, picture.data(), 0, nullptr,
                      nullptr);
  runner.start();  // after the work in the queue; it does not wait
  clEnqueueReadImage(screen.queue, display, CL_TRUE, kOrigin, region, 0, 0, shown.data(), 0, nullptr,
                     nullptr);
  // [end]

  // Runs the same model on numbers, without pictures, as the reference.
  const Model plain = Model::load(file);
  Runner reference = plain.run(*device);
  Buffer values(Float(32), {1, 3, static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns)});
  const double mean[] = {0.485, 0.456, 0.406}, deviation[] = {0.229, 0.224, 0.225};
  for (std::size_t i = 0; i < rows * columns * 3; ++i) {
    const std::size_t channel = i / (rows * columns), pixel = i % (rows * columns);
    values.set(static_cast<std::int64_t>(i),
               (picture[pixel * 4 + channel] / 255.0 - mean[channel]) / deviation[channel]);
  }
  reference.write("image", values);
  reference.run();
  const Buffer styled = reference.read("styled");
  double worst = 0;
  for (std::size_t i = 0; i < rows * columns * 3; ++i) {
    const std::size_t channel = i / (rows * columns), pixel = i % (rows * columns);
    const double expected = styled.get(static_cast<std::int64_t>(i)) * 255;
    worst = std::max(worst, std::abs(shown[pixel * 4 + channel] - expected));
  }
  std::printf("%zu x %zu pixels, the first is %d; largest difference %.2f of 255\n", rows, columns, shown[0],
              worst);
  return worst <= 1.01 ? 0 : 1;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
