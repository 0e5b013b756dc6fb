// The processor of this machine as a Device: kernels are compiled by LLVM, and run on threads of the Device's
// own.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "backends/llvm/device/host_objects.h"
#include "backends/llvm/device/host_queue.h"
#include "runtime/device/offered_binaries.h"
#include "runtime/device/program_cache.h"
#include "tensordsl/device.h"

namespace tensordsl::host {

class HostDevice final : public Device {
 public:
  HostDevice(std::shared_ptr<const LlvmLibrary> llvm, Processor processor, DeviceInfo info,
             runtime::ProgramCache cache);

  const DeviceInfo& info() const override { return info_; }
  std::shared_ptr<DeviceBuffer> allocate(std::size_t bytes) override;
  std::shared_ptr<DeviceBuffer> part(const std::shared_ptr<DeviceBuffer>& whole, std::size_t offset,
                                     std::size_t bytes) override;
  std::shared_ptr<DeviceBuffer> share(std::span<std::byte> memory,
                                      std::shared_ptr<const void> owner) override;
  void write(DeviceBuffer& to, std::span<const std::byte> from, std::size_t offset) override;
  void read(const DeviceBuffer& from, std::span<std::byte> to, std::size_t offset) override;
  std::shared_ptr<DeviceImage> allocate(const ImageDescription& image) override;
  void write(DeviceImage& to, std::span<const std::byte> from) override;
  void read(const DeviceImage& from, std::span<std::byte> to) override;
  std::vector<std::shared_ptr<DeviceKernel>> build(const std::vector<KernelSource>& sources,
                                                   const std::function<void(int, int)>& progress) override;
  BuildStatistics build_statistics() const override;
  void offer(const std::vector<DeviceBinary>& binaries) override;
  std::vector<DeviceBinary> binaries(const std::vector<std::shared_ptr<DeviceKernel>>& kernels) override;
  std::int64_t max_group_size(const KernelSource& kernel) override;
  std::unique_ptr<Recording> record(std::vector<Launch> launches) override;
  void finish(Waiting waiting) override;

 private:
  bool probe_r16f_images() override { return true; }
  /// Machine code of a kernel, and whether it was loaded before.
  struct Built {
    std::shared_ptr<const runtime::ProgramBinary> object;
    std::shared_ptr<const LoadedCode> code;
    bool from_cache = false;
  };
  Built build_one(const KernelSource& source) const;
  std::shared_ptr<std::byte> take_memory(std::size_t bytes) const;
  const HostBuffer& checked_buffer(const DeviceBuffer& buffer, std::size_t bytes, std::size_t offset,
                                   const char* call) const;
  const HostImage& checked_image(const DeviceImage& image, std::size_t bytes, const char* call) const;

  std::shared_ptr<const LlvmLibrary> llvm_;
  Processor processor_;
  DeviceInfo info_;
  std::vector<std::string> identity_;  // whatever makes code unfit for another processor or LLVM
  runtime::ProgramCache cache_;
  runtime::OfferedBinaries offered_;
  std::shared_ptr<const Session> session_ = std::make_shared<const Session>();
  std::shared_ptr<HostQueue> queue_;
  mutable std::mutex counting_;
  BuildStatistics statistics_;
};

}  // namespace tensordsl::host
