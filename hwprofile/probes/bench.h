// Kernels and clocks for probes.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hwprofile/analysis/sweep.h"
#include "tensordsl/device.h"

namespace tensordsl::hwprofile {

/// What one sample of a sweep is: seconds at a value of the parameter.
using Sampler = std::function<double(double point)>;

class Bench {
 public:
  /// `seconds`: for one probe.
  Bench(Device& device, double seconds) : device_(device), seconds_(seconds) {}

  Device& device() { return device_; }
  const DeviceInfo& info() const { return device_.info(); }

  /// OpenCL C 1.2 that ends in one kernel, "__kernel void ENTRY(...) {...}"; it gets its group size. The arguments are buffers, in the order of `buffers`, that the kernel reads and writes, and
  /// then i32 scalars. Kernels with the same text and group are built once.
  std::shared_ptr<DeviceKernel> kernel(const std::string& entry, const std::string& text, std::array<int, 3> group_size,
                                       const std::vector<std::string>& buffers, const std::vector<std::string>& scalars);

  /// Seconds on the device of one launch, by its event.
  double seconds_of(const Launch& launch);
  /// Seconds of the host between before and after.
  static double host_seconds_of(const std::function<void()>& run);

  /// Rounds over all points until the time is up: at least three, at most `most_rounds`. What is measured for the first time at a
  /// point is thrown away.
  Sweep sweep(const std::vector<double>& points, const Sampler& sample, int most_rounds = 15);

  /// The part of the probe's time that this and the sweeps after it have; sweeps share it evenly.
  void expect_sweeps(int count) { sweeps_left_ = count; }

 private:
  Device& device_;
  double seconds_;
  int sweeps_left_ = 1;
  std::map<std::pair<std::string, std::array<int, 3>>, std::shared_ptr<DeviceKernel>> kernels_;  // by text and group
};

}  // namespace tensordsl::hwprofile
