// A Device whose recordings are CUDA graphs: kernels as NVIDIA's OpenCL compiles them, in memory of CUDA's.
#pragma once

#include <memory>

#include "backends/cuda_graphs/cuda_objects.h"
#include "backends/opencl/device/opencl_device.h"
#include "tensordsl/device.h"

namespace tensordsl::cuda {

/// OpenCL and CUDA share no memory, so all of it is CUDA's; programs are the PTX of OpenCL's compiler,
/// through its cache. It has no images.
class CudaDevice final : public Device {
 public:
  /// Makes a device. `compiler` is the same device through OpenCL; `info` describes this one.
  CudaDevice(std::shared_ptr<const Session> session, std::unique_ptr<opencl::OpenClDevice> compiler,
             DeviceInfo info);

  const DeviceInfo& info() const override { return info_; }
  std::shared_ptr<DeviceBuffer> allocate(std::size_t bytes) override;
  std::shared_ptr<DeviceBuffer> part(const std::shared_ptr<DeviceBuffer>& whole, std::size_t offset,
                                     std::size_t bytes) override;
  void write(DeviceBuffer& to, std::span<const std::byte> from, std::size_t offset) override;
  void read(const DeviceBuffer& from, std::span<std::byte> to, std::size_t offset) override;
  std::shared_ptr<DeviceImage> allocate(const ImageDescription& image) override;
  void write(DeviceImage& to, std::span<const std::byte> from) override;
  void read(const DeviceImage& from, std::span<std::byte> to) override;
  std::vector<std::shared_ptr<DeviceKernel>> build(const std::vector<KernelSource>& sources,
                                                   const std::function<void(int, int)>& progress) override;
  BuildStatistics build_statistics() const override { return compiler_->build_statistics(); }
  void offer(const std::vector<DeviceBinary>& binaries) override { compiler_->offer(binaries); }
  std::int64_t max_group_size(const KernelSource& kernel) override {
    return compiler_->max_group_size(kernel);
  }
  std::unique_ptr<Recording> record(std::vector<Launch> launches) override;
  void finish(Waiting waiting) override;

 private:
  bool probe_r16f_images() override;
  const CudaBuffer& checked(const DeviceBuffer& buffer, std::size_t bytes, std::size_t offset,
                            const char* call) const;
  [[noreturn]] void refuse_images(const char* call) const;

  std::shared_ptr<const Session> session_;
  std::unique_ptr<opencl::OpenClDevice> compiler_;
  DeviceInfo info_;
};

}  // namespace tensordsl::cuda
