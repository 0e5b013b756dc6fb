// A host program for the generator of docs/GENERATORS.md: only the generated header, and OpenCL.
#include "scale.h"

#include <cstdio>

int main() {
  cl_uint count = 0;
  clGetPlatformIDs(0, nullptr, &count);
  std::vector<cl_platform_id> platforms(count);
  clGetPlatformIDs(count, platforms.data(), nullptr);
  cl_device_id device = nullptr;
  for (cl_platform_id platform : platforms) {
    if (device == nullptr) clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr);
  }
  cl_int status = CL_SUCCESS;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
  if (status != CL_SUCCESS) return 2;
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  if (status != CL_SUCCESS) return 2;
  // [scale_host]
  const std::vector<float> values{1, 2, 3, 4, 5};
  std::vector<float> results(values.size());
  {
    kernels::scale::Params params;
    params.count = 5;
    params.factor = 0.5f;
    kernels::scale::Launcher launcher(context, device, params);
    const kernels::scale::Memory in = launcher.create_in(), out = launcher.create_out();
    launcher.write_in(queue, in, values.data());
    launcher.run(queue, in, out);
    launcher.read_out(queue, out, results.data());
  }
  // [end]
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  std::printf("%g %g\n", static_cast<double>(results[0]), static_cast<double>(results[4]));
  return results[0] == 0.5f && results[4] == 2.5f ? 0 : 1;
}
