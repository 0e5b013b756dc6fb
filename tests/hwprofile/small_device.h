// A real device that says that it is small, and whose clock advances by the work of each launch: every kernel
// of every probe runs, and none of them for long. The times mean nothing.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tensordsl/device.h"
#include "tensordsl/error.h"

namespace tensordsl::hwprofile {

class SmallDevice final : public Device {
 public:
  /// `change`: other properties that it reports, within those of the real device.
  explicit SmallDevice(std::shared_ptr<Device> device, const std::function<void(DeviceInfo&)>& change = {})
      : device_(std::move(device)), info_(device_->info()) {
    // The probes ask more of a GPU than of a CPU.
    info_.is_cpu = false;
    info_.is_gpu = true;
    info_.compute_units = 2;
    info_.max_group_size = 128;
    info_.max_group_sizes = {128, 128, 1};
    info_.global_memory_bytes = 16 << 20;
    info_.max_allocation_bytes = 1 << 20;
    info_.local_memory_bytes = std::min<std::int64_t>(info_.local_memory_bytes, 16 << 10);
    info_.constant_buffer_bytes = std::min<std::int64_t>(info_.constant_buffer_bytes, 16 << 10);
    if (change) change(info_);
  }

  /// Makes later builds of kernels with more characters fail.
  void refuse_texts_over(std::size_t characters) { longest_text_ = characters; }

  /// Limits the work-items in a group for later kernels, whatever the device's own limit is.
  void allow_kernels(std::int64_t work_items) { most_of_kernel_ = work_items; }

  /// Makes every `count`-th later build or allocation fail; 0: none.
  void fail_every(int count) { fail_every_ = count; }

  /// Makes everything take `slower` times as long from now on, and `load` times that on more than one compute
  /// unit.
  void disturb(double slower, double load) {
    slower_ = slower;
    load_ = load;
  }

  const DeviceInfo& info() const override { return info_; }
  std::shared_ptr<DeviceBuffer> allocate(std::size_t bytes) override {
    throw_if_due("allocate");
    if (static_cast<std::int64_t>(bytes) > info_.max_allocation_bytes)
      throw DeviceError("asked for more than there is");
    return device_->allocate(bytes);
  }
  std::shared_ptr<DeviceBuffer> part(const std::shared_ptr<DeviceBuffer>& whole, std::size_t offset,
                                     std::size_t bytes) override {
    return device_->part(whole, offset, bytes);
  }
  void write(DeviceBuffer& to, std::span<const std::byte> from, std::size_t offset) override {
    device_->write(to, from, offset);
  }
  void read(const DeviceBuffer& from, std::span<std::byte> to, std::size_t offset) override {
    device_->read(from, to, offset);
  }
  std::shared_ptr<DeviceImage> allocate(const ImageDescription& image) override {
    if (image.width > info_.image_limits.width || image.height > info_.image_limits.height)
      throw DeviceError("asked for too large an image");
    return device_->allocate(image);
  }
  void write(DeviceImage& to, std::span<const std::byte> from) override { device_->write(to, from); }
  void read(const DeviceImage& from, std::span<std::byte> to) override { device_->read(from, to); }
  std::vector<std::shared_ptr<DeviceKernel>> build(const std::vector<KernelSource>& sources,
                                                   const std::function<void(int, int)>& progress) override {
    throw_if_due("build");
    for (const KernelSource& source : sources) {
      if (source.text.size() > longest_text_) throw DeviceError("asked for too long a kernel");
      if (source.launch.group_size[0] >
          std::min({info_.max_group_size, info_.max_group_sizes[0], most_of_kernel_}))
        throw DeviceError("asked for too large a group");
    }
    // One by one: the simulator's compiler is not to be asked twice at a time.
    std::vector<std::shared_ptr<DeviceKernel>> kernels;
    for (const KernelSource& source : sources) kernels.push_back(device_->build({source}, progress)[0]);
    return kernels;
  }
  BuildStatistics build_statistics() const override { return device_->build_statistics(); }
  std::int64_t max_group_size(const KernelSource& kernel) override {
    throw_if_due("max_group_size");
    return std::min({device_->max_group_size(kernel), info_.max_group_size, most_of_kernel_});
  }
  void finish(Waiting waiting) override { device_->finish(waiting); }

  std::unique_ptr<Recording> record(std::vector<Launch> launches) override {
    std::vector<std::int64_t> nanoseconds;
    for (const Launch& launch : launches) nanoseconds.push_back(duration(launch));
    launched_ += static_cast<int>(launches.size());
    return std::make_unique<TimedRecording>(device_->record(std::move(launches)), std::move(nanoseconds));
  }

  int launched() const { return launched_; }

 private:
  bool probe_r16f_images() override { return device_->reads_r16f_images(); }

  void throw_if_due(const char* call) {
    if (fail_every_ > 0 && ++calls_ % fail_every_ == 0)
      throw DeviceError(std::string(call) + ": it failed, \xe9\xff");
  }

  class TimedRecording final : public Recording {
   public:
    TimedRecording(std::unique_ptr<Recording> recording, std::vector<std::int64_t> nanoseconds)
        : recording_(std::move(recording)), nanoseconds_(std::move(nanoseconds)) {}
    void start() override { recording_->start(); }
    void wait(Waiting waiting) override { recording_->wait(waiting); }
    std::vector<LaunchInterval> replay_intervals() override {
      recording_->replay();
      std::vector<LaunchInterval> intervals;
      for (const std::int64_t duration : nanoseconds_) intervals.push_back({0, duration});
      return intervals;
    }

   private:
    std::unique_ptr<Recording> recording_;
    std::vector<std::int64_t> nanoseconds_;
  };

  /// Long enough for every probe, more of it for more work, and a step after every eight work-groups.
  std::int64_t duration(const Launch& launch) const {
    std::int64_t work = 0;
    for (const KernelArgumentValue& value : launch.arguments) {
      if (const auto* scalar = std::get_if<std::int32_t>(&value)) work += *scalar;
    }
    const std::int64_t quiet = 10'000'000 * ((launch.groups[0] + 7) / 8) + 1000 * work;
    return static_cast<std::int64_t>(static_cast<double>(quiet) * slower_ *
                                     (launch.groups[0] > 1 ? load_ : 1));
  }

  std::shared_ptr<Device> device_;
  DeviceInfo info_;
  std::size_t longest_text_ = 1 << 20;
  std::int64_t most_of_kernel_ = 1 << 20;
  int launched_ = 0, calls_ = 0, fail_every_ = 0;
  double slower_ = 1, load_ = 1;
};

}  // namespace tensordsl::hwprofile
