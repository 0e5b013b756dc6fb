// A device that runs nothing, and records its calls.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tensordsl/device.h"
#include "tensordsl/error.h"

namespace tensordsl {

class FakeDevice final : public Device {
 public:
  explicit FakeDevice(DeviceInfo info, bool reads_r16f = true)
      : info_(std::move(info)), reads_r16f_(reads_r16f) {}

  std::vector<KernelSource> built;     // in the order of the calls
  std::vector<std::size_t> allocated;  // bytes of buffers
  int replays = 0;
  int r16f_probes = 0;
  std::int64_t most_of_kernel = INT64_MAX;  // work-items of a group that it allows a kernel

  const DeviceInfo& info() const override { return info_; }
  std::shared_ptr<DeviceBuffer> allocate(std::size_t bytes) override {
    allocated.push_back(bytes);
    return std::make_shared<HostBuffer>(bytes);
  }
  std::shared_ptr<DeviceBuffer> part(const std::shared_ptr<DeviceBuffer>& whole, std::size_t offset,
                                     std::size_t bytes) override {
    return std::make_shared<HostBuffer>(static_cast<const HostBuffer&>(*whole), offset, bytes);
  }
  void write(DeviceBuffer& to, std::span<const std::byte> from, std::size_t offset) override {
    std::ranges::copy(
        from, static_cast<const HostBuffer&>(to).bytes().begin() + static_cast<std::ptrdiff_t>(offset));
  }
  void read(const DeviceBuffer& from, std::span<std::byte> to, std::size_t offset) override {
    std::ranges::copy(static_cast<const HostBuffer&>(from).bytes().subspan(offset, to.size()), to.begin());
  }
  std::shared_ptr<DeviceImage> allocate(const ImageDescription& image) override {
    return std::make_shared<HostImage>(image);
  }
  void write(DeviceImage&, std::span<const std::byte>) override {}
  void read(const DeviceImage&, std::span<std::byte>) override {}
  std::vector<std::shared_ptr<DeviceKernel>> build(const std::vector<KernelSource>& sources,
                                                   const std::function<void(int, int)>&) override {
    std::vector<std::shared_ptr<DeviceKernel>> kernels;
    for (const KernelSource& source : sources) {
      const auto& group = source.launch.group_size;
      if (std::int64_t{group[0]} * group[1] * group[2] > most_of_kernel)
        throw WorkGroupError("kernel " + source.entry + ": too large a group");
      built.push_back(source);
      kernels.push_back(std::make_shared<HostKernel>(source));
    }
    return kernels;
  }
  BuildStatistics build_statistics() const override { return statistics_; }
  std::int64_t max_group_size(const KernelSource&) override {
    return std::min(info_.max_group_size, most_of_kernel);
  }
  std::unique_ptr<Recording> record(std::vector<Launch> launches) override {
    return std::make_unique<CountedRecording>(*this, launches.size());
  }
  void finish(Waiting) override {}

 private:
  struct HostBuffer final : DeviceBuffer {
    explicit HostBuffer(std::size_t bytes)
        : memory(std::make_shared<std::vector<std::byte>>(bytes)), size(bytes) {}
    HostBuffer(const HostBuffer& whole, std::size_t from, std::size_t bytes)
        : memory(whole.memory), begin(from), size(bytes) {}
    std::size_t size_bytes() const override { return size; }
    std::span<std::byte> bytes() const { return std::span(*memory).subspan(begin, size); }
    std::shared_ptr<std::vector<std::byte>> memory;
    std::size_t begin = 0, size = 0;
  };
  struct HostImage final : DeviceImage {
    explicit HostImage(const ImageDescription& image) : what(image) {}
    const ImageDescription& description() const override { return what; }
    ImageDescription what;
  };
  struct HostKernel final : DeviceKernel {
    explicit HostKernel(KernelSource from) : kernel_source(std::move(from)) {}
    const KernelSource& source() const override { return kernel_source; }
    KernelSource kernel_source;
  };
  class CountedRecording final : public Recording {
   public:
    CountedRecording(FakeDevice& device, std::size_t launches) : device_(device), launches_(launches) {}
    void start() override { ++device_.replays; }
    void wait(Waiting) override {}
    std::vector<LaunchInterval> replay_intervals() override {
      ++device_.replays;
      return std::vector<LaunchInterval>(launches_, {1, 2});
    }

   private:
    FakeDevice& device_;
    std::size_t launches_;
  };

  bool probe_r16f_images() override {
    ++r16f_probes;
    return reads_r16f_;
  }

  DeviceInfo info_;
  bool reads_r16f_;
  BuildStatistics statistics_;
};

}  // namespace tensordsl
