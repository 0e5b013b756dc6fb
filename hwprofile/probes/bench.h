// Kernels and clocks for probes.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hwprofile/analysis/sweep.h"
#include "hwprofile/probes/clock.h"
#include "tensordsl/device.h"

namespace tensordsl::hwprofile {

/// Returns a sample of a sweep, seconds or a rate, at a value of the parameter.
using Sampler = std::function<double(double point)>;

/// OpenCL C that ends in one kernel, "__kernel void ENTRY(...) {...}". It gets its group size as an
/// attribute: without it drivers allow fewer work-items than the kernel could have.
struct KernelText {
  std::string entry, text;
  std::array<int, 3> group_size{1, 1, 1};
  std::vector<KernelArgument> arguments;
  std::string options = "-cl-std=CL1.2";
};

/// Arguments of a KernelText: a buffer that the kernel reads and writes, an i32, and an image that it reads,
/// whose columns and rows two of the scalars give.
KernelArgument buffer_argument(const std::string& name);
KernelArgument scalar_argument(const std::string& name);
KernelArgument image_argument(const std::string& name, Type type, int channels, const std::string& columns,
                              const std::string& rows);

/// Returns "a.s0 + a.s1 + ..." for a vector: all lanes have to be used, or a compiler leaves the others out.
std::string sum_of_lanes(const std::string& name, int width);

class Bench;

/// Returns a buffer of floats that were all written: unwritten memory is, on a CPU, one page of zeros for all
/// addresses.
std::shared_ptr<DeviceBuffer> filled_buffer(Bench& bench, std::int64_t bytes);

/// Returns a buffer for latency probes: a block of 32 ints for each of `groups` work-groups. The first int of
/// a block holds its own index, so that a chain of dependent reads stays at one address.
std::shared_ptr<DeviceBuffer> self_chain(Bench& bench, std::int64_t groups);
/// Returns the number of groups for which the device has room in such a chain, up to `most`.
std::int64_t most_groups_of_chain(const DeviceInfo& info, std::int64_t most);

/// Returns the work-items of a group: `wanted`, or as many as the device allows.
int allowed_group(const DeviceInfo& info, int wanted);

class Bench {
 public:
  /// Makes a bench; `seconds` is the time for one probe, by `clock`.
  Bench(Device& device, double seconds, Clock clock = steady_seconds)
      : device_(device), clock_(std::move(clock)), total_(seconds), seconds_(seconds), started_(clock_()) {}

  Device& device() { return device_; }
  const DeviceInfo& info() const { return device_.info(); }

  /// Kernels with the same text and group are built once.
  std::shared_ptr<DeviceKernel> kernel(const KernelText& text);
  /// Returns the largest group, `most` or a half of it and so on, that the device allows the kernel that
  /// `text_of` gives for it; the driver is asked only if the first does not fit.
  int largest_group(const std::function<KernelText(int group)>& text_of, std::int64_t most);
  bool can_build(const KernelText& text);
  /// Builds, in parallel, the kernels that are not built yet.
  void prepare(const std::vector<KernelText>& texts);

  /// Seconds on the device of one launch, by its event. Throws DeviceError when the probe takes a multiple of
  /// its time: there are devices on which it would not end.
  double seconds_of(const Launch& launch);
  /// Measures the host's seconds of `run`, on a thread of its own: a host's speed depends on the core and on
  /// the location of its memory, and one thread would stay on one core for the whole run. `prepare` runs
  /// before, on the same thread, and is not measured.
  double host_seconds_of(const std::function<void()>& run, const std::function<void()>& prepare = {}) const;

  /// Rounds over all points until the time is up: at least three, or one if there is no time at all; at most
  /// `most_rounds`. The first measurement at a point is discarded.
  Sweep sweep(const std::vector<double>& points, const Sampler& sample, int most_rounds = 15);

  /// Returns a number of steps, `first` doubled as often as needed, for which `seconds` of a launch is
  /// `long_enough`; at most `most`. A launch that takes far longer by the host's clock ends the search: the
  /// device's events are then not reliable, and DeviceError is thrown.
  std::int32_t calibrated(std::int32_t first, std::int32_t most, double long_enough,
                          const std::function<double(std::int32_t steps)>& seconds);

  /// Sets the number of sweeps that share the rest of the probe's time evenly.
  void expect_sweeps(int count) { sweeps_left_ = count; }

 private:
  double since(double start) const { return clock_() - start; }

  Device& device_;
  Clock clock_;
  double total_, seconds_;  // seconds in all, and those left
  double started_;
  int sweeps_left_ = 1;
  std::map<std::pair<std::string, std::array<int, 3>>, std::shared_ptr<DeviceKernel>>
      kernels_;  // kernels by text and group
};

}  // namespace tensordsl::hwprofile
