// What every example does with its result, compares it with a plain computation on the host, and with errors.
#pragma once

#include <tensordsl/tensordsl.h>

#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <vector>

/// Numbers between -1 and 1.
inline tensordsl::Buffer example_data(const std::vector<std::int64_t>& shape, int seed) {
  tensordsl::Buffer buffer(tensordsl::Float(32), shape);
  for (std::int64_t i = 0; i < buffer.elements(); ++i)
    buffer.set(i, static_cast<double>((i * 37 + seed * 11) % 101) / 50.0 - 1.0);
  return buffer;
}

/// The exit code of an example that cannot run, as without an OpenCL device; it says why.
inline int report_error(const tensordsl::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}

/// One element of a 3x3 convolution, padded by one pixel of zeros: image [Ci, H, W], filter [Co, Ci, 3, 3].
inline double convolution_3x3(const tensordsl::Buffer& image, const tensordsl::Buffer& filter, int o, int row,
                              int column) {
  const auto inputs = image.shape()[0], height = image.shape()[1], width = image.shape()[2];
  double sum = 0;
  for (std::int64_t i = 0; i < inputs; ++i) {
    for (int k = 0; k < 9; ++k) {
      const int v = row + k / 3 - 1, u = column + k % 3 - 1;
      if (v < 0 || v >= height || u < 0 || u >= width) continue;
      sum += image.get((i * height + v) * width + u) * filter.get((o * inputs + i) * 9 + k);
    }
  }
  return sum;
}

/// Runs `outputs` on the default device; 0 if every element is within `tolerance` of what the definitions
/// say; with 0, if the bits are the same.
inline int run_and_compare(const char* name, const std::vector<tensordsl::Func>& outputs,
                           const std::map<std::string, tensordsl::Buffer>& inputs, double tolerance = 0) {
  const tensordsl::Pipeline pipeline(outputs);
  const auto results = pipeline.realize_all(inputs, *tensordsl::Device::open());
  const auto expected = pipeline.interpret(inputs);
  double worst = 0;
  for (std::size_t k = 0; k < results.size(); ++k) {
    for (std::int64_t i = 0; i < results[k].elements(); ++i)
      worst = std::max(worst, std::abs(results[k].get(i) - expected[k].get(i)));
  }
  std::printf("%s: %zu outputs, largest difference from the definitions %g\n", name, results.size(), worst);
  return worst <= tolerance ? 0 : 1;
}

/// Runs `output` on the default device; 0 if every element is within 1e-4 of expected(its row-major number).
inline int run_and_check(const char* name, const tensordsl::Func& output,
                         const std::map<std::string, tensordsl::Buffer>& inputs,
                         const std::function<double(std::int64_t)>& expected) {
  const tensordsl::Buffer result = tensordsl::Pipeline(output).realize(inputs, *tensordsl::Device::open());
  double worst = 0;
  for (std::int64_t i = 0; i < result.elements(); ++i)
    worst = std::max(worst, std::abs(result.get(i) - expected(i)));
  std::printf("%s: %lld elements, largest difference %g\n", name, static_cast<long long>(result.elements()),
              worst);
  return worst <= 1e-4 ? 0 : 1;
}
