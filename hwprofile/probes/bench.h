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
#include "tensordsl/device.h"

namespace tensordsl::hwprofile {

/// What one sample of a sweep is: seconds, or a rate, at a value of the parameter.
using Sampler = std::function<double(double point)>;

/// OpenCL C that ends in one kernel, "__kernel void ENTRY(...) {...}". It gets its group size as an attribute: without it drivers allow
/// fewer work-items than the kernel could have.
struct KernelText {
  std::string entry, text;
  std::array<int, 3> group_size{1, 1, 1};
  std::vector<KernelArgument> arguments;
  std::string options = "-cl-std=CL1.2";
};

/// Arguments of a KernelText: a buffer that the kernel reads and writes, an i32, and an image that it reads, whose columns and rows two of
/// the scalars give.
KernelArgument buffer_argument(const std::string& name);
KernelArgument scalar_argument(const std::string& name);
KernelArgument image_argument(const std::string& name, Type type, int channels, const std::string& columns, const std::string& rows);

/// "a.s0 + a.s1 + ...": of a vector whose lanes all have to be used, or a compiler leaves the others out.
std::string sum_of_lanes(const std::string& name, int width);

class Bench;

/// Ints of which every 32nd holds its own index, for `groups` work-groups that each read one again and again.
std::shared_ptr<DeviceBuffer> self_chain(Bench& bench, std::int64_t groups);

class Bench {
 public:
  /// `seconds`: for one probe.
  Bench(Device& device, double seconds) : device_(device), total_(seconds), seconds_(seconds) {}

  Device& device() { return device_; }
  const DeviceInfo& info() const { return device_.info(); }

  /// Kernels with the same text and group are built once.
  std::shared_ptr<DeviceKernel> kernel(const KernelText& text);
  /// The largest group, `most` or a half of it and so on, that the device allows the kernel that `text_of` gives for it.
  int largest_group(const std::function<KernelText(int group)>& text_of, std::int64_t most);
  /// Builds what is not there yet side by side.
  void prepare(const std::vector<KernelText>& texts);

  /// Seconds on the device of one launch, by its event.
  double seconds_of(const Launch& launch);
  /// Seconds of the host between before and after, on a thread of its own: how fast a host is depends on the core, and on where its memory
  /// is, and one thread would stay where it is for the whole run. Not over what `prepare` does, on the same thread.
  static double host_seconds_of(const std::function<void()>& run, const std::function<void()>& prepare = {});

  /// Rounds over all points until the time is up: at least three, or one if there is no time at all; at most `most_rounds`. What is
  /// measured for the first time at a point is thrown away.
  Sweep sweep(const std::vector<double>& points, const Sampler& sample, int most_rounds = 15);

  /// The part of the probe's time that this and the sweeps after it have; sweeps share it evenly.
  void expect_sweeps(int count) { sweeps_left_ = count; }

 private:
  Device& device_;
  double total_, seconds_;  // in all, and left
  int sweeps_left_ = 1;
  std::map<std::pair<std::string, std::array<int, 3>>, std::shared_ptr<DeviceKernel>> kernels_;  // by text and group
};

}  // namespace tensordsl::hwprofile
