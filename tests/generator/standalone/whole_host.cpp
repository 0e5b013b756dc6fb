// A host program as docs/GENERATORS.md shows it: the generated header, OpenCL, and nothing else.
// [whole_host]
#include "conv2d.h"

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <vector>

namespace conv2d = kernels::conv2d;

/// The first device that a platform has; null if there is none.
cl_device_id first_device() {
  cl_uint count = 0;
  clGetPlatformIDs(0, nullptr, &count);
  std::vector<cl_platform_id> platforms(count);
  clGetPlatformIDs(count, platforms.data(), nullptr);
  cl_device_id device = nullptr;
  for (cl_platform_id platform : platforms) {
    if (device == nullptr) clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr);
  }
  return device;
}

int main() try {
  cl_device_id device = first_device();
  if (device == nullptr) throw std::runtime_error("there is no OpenCL device");
  cl_int status = CL_SUCCESS;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
  if (status != CL_SUCCESS) throw std::runtime_error("clCreateContext failed");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  if (status != CL_SUCCESS) throw std::runtime_error("clCreateCommandQueue failed");

  // The sizes that the generator was run with. Arrays are row-major: y x c, and o ky kx i for the weights.
  constexpr std::size_t kHeight = 32, kWidth = 48, kInputs = 16, kOutputs = 8;
  const std::vector<float> pixels(kHeight * kWidth * kInputs, 1.0f);
  const std::vector<float> filter(kOutputs * 3 * 3 * kInputs, 0.5f);
  const std::vector<float> shift(kOutputs, -10.0f);
  std::vector<float> results(kHeight * kWidth * kOutputs);
  {
    conv2d::Launcher launcher(context, device);  // builds the kernels
    // Buffers or images, as the kernels need them; their destructors release them.
    const conv2d::Memory in = launcher.create_in(), weights = launcher.create_weights(),
                         bias = launcher.create_bias(), out = launcher.create_out();
    launcher.write_in(queue, in, pixels.data());  // copied into the tensor's layout
    launcher.write_weights(queue, weights, filter.data());
    launcher.write_bias(queue, bias, shift.data());
    launcher.run(queue, in, weights, bias, out);    // enqueues, and does not wait
    launcher.read_out(queue, out, results.data());  // waits; row-major again
  }
  clReleaseCommandQueue(queue);
  clReleaseContext(context);

  const float corner = results[0], middle = results[(16 * kWidth + 24) * kOutputs];
  std::printf("corner %g, middle %g\n", static_cast<double>(corner), static_cast<double>(middle));
  return corner == 22 && middle == 62 ? 0 : 1;  // 2*2*16 * 0.5 - 10, and 3*3*16 * 0.5 - 10
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
// [end]
