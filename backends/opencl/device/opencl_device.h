// A Device on OpenCL.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "backends/opencl/device/build_programs.h"
#include "backends/opencl/device/device_list.h"
#include "backends/opencl/device/device_objects.h"
#include "tensordsl/device.h"

namespace tensordsl::opencl {

class OpenClDevice final : public Device {
 public:
  /// Opens the device with a context and a queue of its own.
  OpenClDevice(const ListedDevice& device, runtime::ProgramCache cache);
  OpenClDevice(const ListedDevice& device, runtime::ProgramCache cache, Context context, Queue queue);

  const Context& context() const { return target_.context; }
  const Queue& queue() const { return queue_; }
  cl_device_id id() const { return target_.device; }
  /// Returns a device with another queue in the same context.
  std::shared_ptr<OpenClDevice> with_another_queue() const;

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
  OpenClDevice(DeviceInfo info, BuildTarget target, Queue queue);

  bool probe_r16f_images() override;
  cl_mem checked_memory(const DeviceBuffer& buffer, std::size_t bytes, std::size_t offset,
                        const char* call) const;

  const OpenClImage& checked_image(const DeviceImage& image, std::size_t bytes, const char* call) const;

  DeviceInfo info_;
  BuildTarget target_;
  Queue queue_;
  mutable std::mutex counting_;
  BuildStatistics statistics_;
};

}  // namespace tensordsl::opencl
