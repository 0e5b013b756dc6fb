// The frame of every example: its command line, its run, and the comparison of its result with a plain
// computation on the host.
#pragma once

#include <tensordsl/tensordsl.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// Numbers between -1 and 1.
inline tensordsl::Buffer example_data(const std::vector<std::int64_t>& shape, int seed) {
  tensordsl::Buffer buffer(tensordsl::Float(32), shape);
  for (std::int64_t i = 0; i < buffer.elements(); ++i)
    buffer.set(i, static_cast<double>((i * 37 + seed * 11) % 101) / 50.0 - 1.0);
  return buffer;
}

/// Prints the error and returns the exit code of an example that cannot run, for instance because there is no
/// OpenCL device.
inline int report_error(const tensordsl::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}

/// Returns one element of a 3x3 convolution, padded by one pixel of zeros: image [Ci, H, W], filter [Co, Ci,
/// 3, 3].
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

/// An example on the default device. `--auto`: the library chooses the schedule; `--print`: and prints it;
/// `--time`: the microseconds of its kernels, and of a whole run with its launches, medians of 51 runs.
/// `--cl`: prints the OpenCL C of its kernels and ends; it needs no device.
class Example {
 public:
  Example(const char* name, int count, char** arguments) : name_(name) {
    for (int i = 1; i < count; ++i) {
      const std::string_view option = arguments[i];
      if (option != "--auto" && option != "--print" && option != "--time" && option != "--cl")
        throw tensordsl::Error(name_ + ": the options are --auto, --print, --time and --cl; found " +
                               arguments[i]);
      is_auto_ = is_auto_ || option == "--auto";
      prints_ = prints_ || option == "--print";
      is_timed_ = is_timed_ || option == "--time";
      prints_cl_ = prints_cl_ || option == "--cl";
    }
  }

  /// True if the example uses its own schedule, not an automatic one.
  bool by_hand() const { return !is_auto_; }

  std::vector<tensordsl::Buffer> run(const std::vector<tensordsl::Func>& outputs,
                                     const std::map<std::string, tensordsl::Buffer>& inputs) const {
    const tensordsl::Pipeline pipeline(outputs);
    if (prints_cl_) {
      std::printf("%s", pipeline.emit("cl").c_str());
      std::exit(0);
    }
    const auto device = tensordsl::Device::open();
    if (is_auto_) {
      const tensordsl::Schedule schedule = pipeline.auto_schedule(device->info());
      if (prints_) std::printf("%s", schedule.to_cpp("schedule_" + name_).c_str());
      schedule.apply(outputs);
    }
    const auto runner = pipeline.prepare_all(*device);
    runner->write_all(inputs);
    runner->run();
    if (is_timed_) print_time(*runner);
    return runner->read_all();
  }

  /// Returns 0 if every element of the results is within `tolerance` of the definitions' values; with 0, if
  /// the bits are the same.
  int compare(const std::vector<tensordsl::Func>& outputs,
              const std::map<std::string, tensordsl::Buffer>& inputs, double tolerance = 0) const {
    const auto results = run(outputs, inputs);
    const auto expected = tensordsl::Pipeline(outputs).interpret(inputs);
    double worst = 0;
    for (std::size_t k = 0; k < results.size(); ++k) {
      for (std::int64_t i = 0; i < results[k].elements(); ++i)
        worst = std::max(worst, std::abs(results[k].get(i) - expected[k].get(i)));
    }
    std::printf("%s: %zu outputs, largest difference from the definitions %g\n", name_.c_str(),
                results.size(), worst);
    return worst <= tolerance ? 0 : 1;
  }

  /// 0 if every element is within 1e-4 of expected(its row-major number), or of the largest of these if that
  /// is more than 1: sums may be added up in another order.
  int check(const tensordsl::Func& output, const std::map<std::string, tensordsl::Buffer>& inputs,
            const std::function<double(std::int64_t)>& expected) const {
    const tensordsl::Buffer result = run({output}, inputs)[0];
    double worst = 0, largest = 1;
    for (std::int64_t i = 0; i < result.elements(); ++i) {
      const double value = expected(i);
      worst = std::max(worst, std::abs(result.get(i) - value));
      largest = std::max(largest, std::abs(value));
    }
    std::printf("%s: %lld elements, largest difference %g\n", name_.c_str(),
                static_cast<long long>(result.elements()), worst);
    return worst <= 1e-4 * largest ? 0 : 1;
  }

 private:
  void print_time(tensordsl::Runner& runner) const {
    using Clock = std::chrono::steady_clock;
    std::vector<double> kernels, runs;
    for (int i = 0; i < 51; ++i) {
      double sum = 0;
      for (const std::int64_t nanoseconds : runner.run_timed())
        sum += static_cast<double>(nanoseconds) * 1e-3;
      kernels.push_back(sum);
      const auto begin = Clock::now();
      runner.run();
      runs.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
    }
    std::ranges::sort(kernels);
    std::ranges::sort(runs);
    std::printf("%s: %.2f us in %zu kernels, %.1f us a run\n", name_.c_str(), kernels[kernels.size() / 2],
                runner.program().launches.size(), runs[runs.size() / 2]);
  }

  std::string name_;
  bool is_auto_ = false, prints_ = false, is_timed_ = false, prints_cl_ = false;
};
