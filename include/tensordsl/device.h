// The run side: devices, memory on them, kernels, recorded launches.
//
// Thread safety: a Device may be used from several threads at once; what it made (a buffer, an image, a
// recording) from one thread at a time. finish() waits for what all threads have started. build() uses
// threads of its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "tensordsl/image.h"
#include "tensordsl/kernel_source.h"
#include "tensordsl/type.h"

namespace tensordsl {

/// What a device says of itself; schedules are chosen by these figures, never by its name.
struct DeviceInfo {
  /// @var vendor
  /// CL_DEVICE_VENDOR
  /// @var version
  /// CL_DEVICE_VERSION
  /// @var driver
  /// CL_DRIVER_VERSION

  /// CL_DEVICE_NAME
  std::string name, vendor, version, driver, platform;  ///< CL_PLATFORM_NAME
  /// Whose kernels it runs: kOpenClBackend or kLlvmBackend; empty: those of the default one.
  std::string backend;
  /// Device::open("P:D") opens it: this is P
  int platform_number = 0, device_number = 0;            ///< and this is D
  bool is_cpu = false;                                   ///< CL_DEVICE_TYPE_CPU
  bool is_gpu = false;                                   ///< CL_DEVICE_TYPE_GPU
  int compute_units = 1;                                 ///< that run work-groups side by side
  std::array<std::int64_t, 3> max_group_sizes{1, 1, 1};  ///< work-items of a group in each dimension
  std::int64_t max_group_size = 1;      ///< work-items of a group in all; see Device::max_group_size too
  std::int64_t local_memory_bytes = 0;  ///< for a work-group
  bool local_memory_on_chip = false;    ///< CL_LOCAL
  bool has_unified_memory = true;       ///< the host's is its own; false: a card with memory of its own
  std::int64_t private_memory_bytes = kPrivateMemoryBytes;  ///< of a work-item, for arrays
  /// Of the work-items of a group together, where they share it: on a CPU, the stack of one thread.
  std::optional<std::int64_t> group_private_memory_bytes;
  std::int64_t global_memory_bytes = 0;      ///< that all buffers and images share
  std::int64_t max_allocation_bytes = 0;     ///< of one buffer
  std::int64_t constant_buffer_bytes = 0;    ///< of one buffer in constant memory; 0: there is none
  std::int64_t global_cache_bytes = 0;       ///< 0: none, or the driver does not say
  std::int64_t global_cache_line_bytes = 0;  ///< 0: the driver does not say
  std::int64_t buffer_alignment_bytes = 1;   ///< of the address at which every buffer begins
  std::int64_t timer_resolution_ns = 0;      ///< of the events that time launches
  int preferred_group_multiple =
      0;  ///< work-items that run in step, as the driver tells from OpenCL 3.0 on; 0: it does not
  /// 32-bit ones that the work-items of a group may take together; 0: the driver does not say
  std::int64_t registers_per_group = 0;
  int native_vector_width_float = 1;   ///< over 1: the device has explicit vector units of that width
  bool has_fp16 = false;               ///< cl_khr_fp16
  bool has_fp64 = false;               ///< cl_khr_fp64
  bool has_sub_groups = false;         ///< cl_khr_subgroups or cl_intel_subgroups
  bool has_sub_group_shuffle = false;  ///< cl_khr_subgroup_shuffle or cl_intel_subgroups
  std::vector<int> sub_group_sizes;    ///< that a kernel may ask for; empty if the driver does not say
  /// 32 work-items multiply matrices of f16: Stage::matrix_multiply. By cl_nv_device_attribute_query, from
  /// compute capability 8.0 on.
  bool has_matrix_units = false;
  /// Four products of 8-bit integers are added up by one instruction: cl_khr_integer_dot_product, Arm's
  /// extensions for it, and NVIDIA's devices from compute capability 6.1 on.
  bool has_integer_dot_product = false;
  bool has_images = false;   ///< CL_DEVICE_IMAGE_SUPPORT
  ImageLimits image_limits;  ///< zeros without images
  /// Images that a kernel may read.
  int max_read_images = 128, max_write_images = 8;  ///< that a kernel may write
  int clock_mhz = 0;                                ///< the highest; 0: the driver does not say
  std::vector<std::string> extensions;              ///< of OpenCL, by their names
};

/// Memory on a device, freed with the last handle.
class DeviceBuffer {
 public:
  virtual ~DeviceBuffer() = default;
  /// As it was asked for; of a part its own.
  virtual std::size_t size_bytes() const = 0;
  /// The same of all handles of one memory.
  virtual const void* memory() const { return this; }
  /// What kernels may do with it.
  virtual KernelArgument::Access access() const { return KernelArgument::Access::ReadWrite; }
};

/// What an image is made of: CL_RGBA texels for 4 channels, CL_R ones for 1. Elements are f32, f16, i32, i8,
/// u8 or bool.
struct ImageDescription {
  ImageKind kind = ImageKind::Image2D;  ///< how many coordinates it has
  int channels = 4;                     ///< elements of a texel: 4 or 1
  Type type;                            ///< of an element
  /// @var height
  /// Rows; 1 of an Image1DBuffer.

  /// Columns; of an Image1DBuffer all texels.
  std::int64_t width = 1, height = 1, layers = 1;  ///< of an Image2DArray; else 1
  /// Of u8: kernels read byte/255, and write it rounded, as if the elements were floats (CL_UNORM_INT8).
  bool is_normalized = false;

  /// Whether a kernel that wants `wanted` may be given it, but for its size.
  bool is_read_as(const ImageDescription& wanted) const;
  std::int64_t elements() const { return width * height * layers * channels; }  ///< of all texels
  friend bool operator==(const ImageDescription&, const ImageDescription&) = default;
};

/// "an Image2D of 640 x 480 x 1 texels of 4 u8"
std::string to_string(const ImageDescription& image);

/// An image on a device, freed with the last handle.
class DeviceImage {
 public:
  virtual ~DeviceImage() = default;
  /// What it is made of; it does not change.
  virtual const ImageDescription& description() const = 0;
  virtual const void* memory() const { return this; }  ///< as of a DeviceBuffer
  virtual KernelArgument::Access access() const { return KernelArgument::Access::ReadWrite; }  ///< the same
};

/// A kernel that was built for one device.
class DeviceKernel {
 public:
  virtual ~DeviceKernel() = default;
  /// What it was built from.
  virtual const KernelSource& source() const = 0;
};

/// What an argument is: memory, or a scalar of just the type that the kernel's signature says.
using KernelArgumentValue =
    std::variant<std::shared_ptr<DeviceBuffer>, std::shared_ptr<DeviceImage>, std::int32_t, std::int64_t,
                 std::uint32_t, std::uint64_t, float, double>;

/// One kernel with its arguments and work sizes, all known. With a group count of 0 it does nothing.
struct Launch {
  std::shared_ptr<DeviceKernel> kernel;         ///< what build() gave
  std::vector<KernelArgumentValue> arguments;   ///< in the order of the signature
  std::array<std::int64_t, 3> groups{1, 1, 1};  ///< work-groups in each dimension
};

/// When a launch ran, in nanoseconds of the device's clock, which begins anywhere. Both are 0 for an empty
/// launch.
struct LaunchInterval {
  /// When its first work-item began.
  std::int64_t start = 0, end = 0;  ///< when its last one ended
};

/// How a thread waits for the device. Source: On-Device Neural Net Inference with Mobile GPUs, section 3.2.
enum class Waiting {
  Driver,    ///< as the driver does of its own accord
  Sleeping,  ///< the thread sleeps until the driver calls back: the least power
  Spinning,  ///< the thread asks again and again: it knows soonest, and keeps a core busy
};

/// Launches set up once and replayed many times, in order.
class Recording {
 public:
  virtual ~Recording() = default;
  /// Hands all launches to the device and does not wait; wait() does, Device::finish(), and the end of the
  /// recording.
  virtual void start() = 0;
  /// Waits for what was started, of other recordings too. Throws DeviceError that names the kernels if one of
  /// them failed.
  virtual void wait(Waiting waiting) = 0;
  /// Runs all launches and waits for the last.
  void replay(Waiting waiting = Waiting::Driver);
  /// Runs all launches with profiling, and waits; when each of them ran, from the device's events.
  virtual std::vector<LaunchInterval> replay_intervals() = 0;
  /// The same; nanoseconds of each.
  std::vector<std::int64_t> replay_timed();
};

/// A kernel as a driver has compiled it. What is in it only the backend knows that made it: also for which
/// device and driver it is.
struct DeviceBinary {
  std::string name;  ///< of a file: two with one name are the same kernel for the same device
  std::shared_ptr<const std::byte[]> data;  ///< what offer() takes
  std::size_t size = 0;                     ///< of the data, in bytes
};

/// Sums over all of a Device's successful builds.
struct BuildStatistics {
  int compiled = 0;    ///< programs that the driver compiled
  int from_cache = 0;  ///< programs that were offered as binaries, or read from the on-disk cache
  double seconds = 0;  ///< on the clock, summed over the calls of build()
};

/// A device with memory, which runs what is started on it in that order. A Runner keeps one that a shared_ptr
/// holds.
class Device : public std::enable_shared_from_this<Device> {
 public:
  virtual ~Device() = default;
  /// What it says of itself; it does not change.
  virtual const DeviceInfo& info() const = 0;

  /// Throws DeviceError if the memory is not there. Contents are undefined.
  virtual std::shared_ptr<DeviceBuffer> allocate(std::size_t bytes) = 0;
  /// `bytes` of `whole` from `offset` on, a multiple of info().buffer_alignment_bytes: what is written to one
  /// is read from the other. It keeps the memory. Throws DeviceError if that is not in it, or if `whole` is a
  /// part itself.
  virtual std::shared_ptr<DeviceBuffer> part(const std::shared_ptr<DeviceBuffer>& whole, std::size_t offset,
                                             std::size_t bytes) = 0;
  /// The caller's memory as a buffer: kernels read and write it where it lies. `owner` keeps it; null: the
  /// caller does, as long as the buffer. What is written there later than this call counts from write() with
  /// that same memory on, and what kernels wrote is there behind read() into it; neither copies, if the
  /// driver does not. Null if the device has memory of its own, or does not take this one.
  virtual std::shared_ptr<DeviceBuffer> share(std::span<std::byte> memory, std::shared_ptr<const void> owner);
  /// Copies `from` into the buffer, `offset` bytes behind its beginning, behind what was started before; it
  /// is done when this returns. Throws DeviceError if the buffer is another device's or has no room for it.
  virtual void write(DeviceBuffer& to, std::span<const std::byte> from, std::size_t offset = 0) = 0;
  /// The same from the buffer to the host.
  virtual void read(const DeviceBuffer& from, std::span<std::byte> to, std::size_t offset = 0) = 0;

  /// Throws DeviceError if the device has no such images, or none so large. Contents are undefined.
  virtual std::shared_ptr<DeviceImage> allocate(const ImageDescription& image) = 0;
  /// The whole image, its texels in order, columns fastest, layers slowest; else as of a buffer. Throws
  /// DeviceError if `from` has not just as many bytes.
  virtual void write(DeviceImage& to, std::span<const std::byte> from) = 0;
  /// The same from the image to the host.
  virtual void read(const DeviceImage& from, std::span<std::byte> to) = 0;

  /// Builds each source (one program each, in parallel, through the binary cache); equal sources are built
  /// once. `progress` is called with (done, total) from this thread. Throws DeviceError with the log of the
  /// first failure, WorkGroupError for a kernel that max_group_size() does not allow.
  virtual std::vector<std::shared_ptr<DeviceKernel>> build(
      const std::vector<KernelSource>& sources, const std::function<void(int, int)>& progress = nullptr) = 0;
  /// Of all builds up to now.
  virtual BuildStatistics build_statistics() const = 0;
  /// Binaries that build() may take from now on, rather than compile. One that is damaged, or for another
  /// device or driver, is never taken.
  virtual void offer(const std::vector<DeviceBinary>& binaries);
  /// What the driver has made of these kernels, which build() of this Device gave: to be offered to a Device
  /// of the same device and driver later. One for each distinct kernel; none if the driver does not give them
  /// away. Drivers that compile a kernel when it first runs give most behind a run.
  virtual std::vector<DeviceBinary> binaries(const std::vector<std::shared_ptr<DeviceKernel>>& kernels);
  /// Work-items that a work-group of this kernel may have: a driver may allow a kernel fewer than
  /// info().max_group_size, and one that asks for more is refused by build(). Throws DeviceError if the
  /// driver does not compile it.
  virtual std::int64_t max_group_size(const KernelSource& kernel) = 0;

  /// Checks every argument's kind and size against the kernel's signature. Throws DeviceError.
  virtual std::unique_ptr<Recording> record(std::vector<Launch> launches) = 0;
  /// Waits for all that was started. Throws DeviceError if one of those launches failed.
  virtual void finish(Waiting waiting = Waiting::Driver) = 0;

  /// The default device or the one `spec` names: "gpu", "cpu", "host" (this machine's processor through LLVM,
  /// where tensordsl was built with that), "P:D" (platform and device number as `tensordsl devices` lists
  /// them), or a part of a name. An empty spec means the environment's TENSORDSL_DEVICE, and if that is empty
  /// the first GPU, else the first device. Throws DeviceError that lists what there is.
  static std::shared_ptr<Device> open(const std::string& spec = "");
  /// Every device of every driver that tensordsl comes with; empty if there is none.
  static std::vector<DeviceInfo> list();

  /// Whether kernels read images of one f16 to a texel right: drivers list CL_R with CL_HALF_FLOAT that read
  /// such texels as bytes (PoCL 3.1). The device is asked at the first call, once, from whichever thread.
  /// Throws DeviceError if it has no such images.
  bool reads_r16f_images();

 private:
  /// Asks the device, by running a kernel.
  virtual bool probe_r16f_images() = 0;

  std::once_flag r16f_asked_;
  bool r16f_read_right_ = false;
};

}  // namespace tensordsl
