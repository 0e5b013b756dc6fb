// A device that runs nothing, and takes nothing that leads out of its memory: a program that gets past a
// reader's checks must not ask it for that.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/device/check_launch.h"
#include "tensordsl/device.h"
#include "tensordsl/error.h"

namespace tensordsl::testing {

/// A call that no device can serve is an InternalError: the caller should have refused it.
class CheckedDevice final : public Device, private runtime::LaunchOwner {
 public:
  static constexpr std::int64_t kMemoryBytes = 1 << 22, kSide = 512;

  CheckedDevice() {
    info_.name = "checked";
    info_.max_group_sizes = {1024, 1024, 1024};
    info_.max_group_size = 1024;
    info_.local_memory_bytes = 1 << 16;
    info_.global_memory_bytes = info_.max_allocation_bytes = kMemoryBytes;
    info_.buffer_alignment_bytes = 128;
    info_.has_images = info_.has_fp16 = info_.has_fp64 = true;
    info_.image_limits = {kSide, kSide, kSide, 1 << 16};
  }

  const DeviceInfo& info() const override { return info_; }

  std::shared_ptr<DeviceBuffer> allocate(std::size_t bytes) override {
    if (bytes > static_cast<std::size_t>(kMemoryBytes)) throw DeviceError("more memory than the device has");
    return std::make_shared<Memory>(bytes);
  }
  std::shared_ptr<DeviceBuffer> part(const std::shared_ptr<DeviceBuffer>& whole, std::size_t offset,
                                     std::size_t bytes) override {
    const auto& memory = static_cast<const Memory&>(*whole);
    if (offset > memory.size || bytes > memory.size - offset || offset % 128 != 0)
      throw InternalError("a part that is not in its whole");
    return std::make_shared<Memory>(memory, offset, bytes);
  }
  void write(DeviceBuffer& to, std::span<const std::byte> from, std::size_t offset) override {
    auto& memory = static_cast<Memory&>(to);
    if (offset > memory.size || from.size() > memory.size - offset)
      throw InternalError("a write beyond a buffer");
    std::ranges::copy(from, memory.begin() + offset);
  }
  void read(const DeviceBuffer& from, std::span<std::byte> to, std::size_t offset) override {
    const auto& memory = static_cast<const Memory&>(from);
    if (offset > memory.size || to.size() > memory.size - offset)
      throw InternalError("a read beyond a buffer");
    std::copy_n(memory.begin() + offset, to.size(), to.begin());
  }

  std::shared_ptr<DeviceImage> allocate(const ImageDescription& image) override {
    const bool is_buffer = image.kind == ImageKind::Image1DBuffer;
    if (image.width < 0 || image.height < 0 || image.layers < 0 || (is_buffer && image.height > 1) ||
        (image.kind != ImageKind::Image2DArray && image.layers > 1))
      throw InternalError("an image that is none of its kind");
    if (image.width > (is_buffer ? 1 << 16 : kSide) || image.height > kSide || image.layers > kSide)
      throw DeviceError("a larger image than the device has");
    if (image.elements() * image.type.bytes() > kMemoryBytes)
      throw DeviceError("more memory than the device has");
    return std::make_shared<Image>(image);
  }
  void write(DeviceImage& to, std::span<const std::byte> from) override {
    auto& image = static_cast<Image&>(to);
    if (from.size() != image.texels.size()) throw InternalError("a write of another size than the image");
    std::ranges::copy(from, image.texels.begin());
  }
  void read(const DeviceImage& from, std::span<std::byte> to) override {
    const auto& image = static_cast<const Image&>(from);
    if (to.size() != image.texels.size()) throw InternalError("a read of another size than the image");
    std::ranges::copy(image.texels, to.begin());
  }

  std::vector<std::shared_ptr<DeviceKernel>> build(const std::vector<KernelSource>& sources,
                                                   const std::function<void(int, int)>&) override {
    std::vector<std::shared_ptr<DeviceKernel>> kernels;
    for (const KernelSource& source : sources) {
      for (const int size : source.launch.group_size) {
        if (size < 1 || size > 1024) throw DeviceError("a group of another size than the device has");
      }
      kernels.push_back(std::make_shared<Kernel>(source));
    }
    return kernels;
  }
  BuildStatistics build_statistics() const override { return {}; }
  std::int64_t max_group_size(const KernelSource&) override { return 1024; }

  std::unique_ptr<Recording> record(std::vector<Launch> launches) override {
    for (const Launch& launch : launches) runtime::check_launch(launch, *this);
    return std::make_unique<Nothing>();
  }
  void finish(Waiting) override {}

 private:
  struct Memory final : DeviceBuffer {
    explicit Memory(std::size_t bytes) : all(std::make_shared<std::vector<std::byte>>(bytes)), size(bytes) {}
    Memory(const Memory& whole, std::size_t from, std::size_t bytes)
        : all(whole.all), first(whole.first + from), size(bytes) {}
    std::size_t size_bytes() const override { return size; }
    std::byte* begin() const { return all->data() + first; }
    std::shared_ptr<std::vector<std::byte>> all;
    std::size_t first = 0, size = 0;
  };
  struct Image final : DeviceImage {
    explicit Image(const ImageDescription& image)
        : what(image), texels(static_cast<std::size_t>(image.elements() * image.type.bytes())) {}
    const ImageDescription& description() const override { return what; }
    ImageDescription what;
    std::vector<std::byte> texels;
  };
  struct Kernel final : DeviceKernel {
    explicit Kernel(KernelSource from) : kernel_source(std::move(from)) {}
    const KernelSource& source() const override { return kernel_source; }
    KernelSource kernel_source;
  };
  class Nothing final : public Recording {
   public:
    void start() override {}
    void wait(Waiting) override {}
    std::vector<LaunchInterval> replay_intervals() override { return {}; }
  };

  bool owns(const DeviceKernel&) const override { return true; }
  bool owns(const DeviceImage&) const override { return true; }
  std::optional<std::int64_t> alignment_of(const DeviceBuffer&) const override { return 128; }
  bool probe_r16f_images() override { return true; }

  DeviceInfo info_;
};

}  // namespace tensordsl::testing
