// The own parts of a host program: a device, test data, a comparison. It uses nothing of tensordsl.
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <vector>

/// The first GPU of the machine, else its first device.
class Host {
 public:
  Host() {
    cl_uint count = 0;
    clGetPlatformIDs(0, nullptr, &count);
    std::vector<cl_platform_id> platforms(count);
    clGetPlatformIDs(count, platforms.data(), nullptr);
    for (const cl_device_type type :
         {cl_device_type{CL_DEVICE_TYPE_GPU}, cl_device_type{CL_DEVICE_TYPE_ALL}}) {
      for (cl_platform_id platform : platforms) {
        if (device == nullptr) clGetDeviceIDs(platform, type, 1, &device, nullptr);
      }
    }
    if (device == nullptr) throw std::runtime_error("there is no OpenCL device");
    cl_int status = CL_SUCCESS;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
    if (status != CL_SUCCESS) throw std::runtime_error("clCreateContext failed");
    queue = clCreateCommandQueue(context, device, 0, &status);
    if (status != CL_SUCCESS) throw std::runtime_error("clCreateCommandQueue failed");
  }
  ~Host() {
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
};

/// An element's value; f16 is its bits.
inline double value_of(float v) { return v; }
inline double value_of(std::uint8_t v) { return v; }
inline double value_of(cl_half bits) {
  const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
  const double magnitude =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

/// Numbers between -1 and 1 that f16 has exactly; of bytes, all of them.
template <typename T>
std::vector<T> data(std::int64_t count, int seed) {
  std::vector<T> values(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    const auto number = static_cast<int>((i * 37 + seed * 11) % 127);
    T& value = values[static_cast<std::size_t>(i)];
    if constexpr (std::is_same_v<T, std::uint8_t>) {
      value = static_cast<std::uint8_t>(number * 2);
    } else if constexpr (std::is_same_v<T, float>) {
      value = static_cast<float>(number - 63) / 64.0f;
    } else {
      // (number - 63) / 64: the bits of a half with six bits of fraction.
      const int magnitude = std::abs(number - 63);
      int exponent = 0;
      while (magnitude != 0 && (magnitude >> (exponent + 1)) != 0) ++exponent;
      const int bits =
          magnitude == 0 ? 0 : ((exponent - 6 + 15) << 10) | ((magnitude << (10 - exponent)) & 1023);
      value = static_cast<T>(bits | (number < 63 ? 0x8000 : 0));
    }
  }
  return values;
}

/// Says how far the results are from expected(i), and whether that is within the tolerance.
template <typename T, typename Expected>
bool check(const char* name, const std::vector<T>& results, double tolerance, const Expected& expected) {
  double worst = 0;
  std::int64_t where = -1;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const double difference = std::abs(value_of(results[i]) - expected(static_cast<std::int64_t>(i)));
    if (!(difference <= worst)) {
      worst = difference;
      where = static_cast<std::int64_t>(i);
    }
  }
  const bool holds = worst <= tolerance;
  std::printf("%-28s %8zu elements, largest difference %.3g at %lld: %s\n", name, results.size(), worst,
              static_cast<long long>(where), holds ? "ok" : "WRONG");
  return holds;
}
