// The run side: devices, memory on them, kernels, recorded launches.
//
// Thread safety: several threads may use one Device at once. An object that it made (a buffer, an image, a
// recording) may be used by one thread at a time. finish() waits for the work of all threads. build() uses
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

/// Properties that a device reports. Schedules are chosen by these figures, never by the device's name.
struct DeviceInfo {
  /// @var vendor
  /// CL_DEVICE_VENDOR
  /// @var version
  /// CL_DEVICE_VERSION
  /// @var driver
  /// CL_DRIVER_VERSION

  /// CL_DEVICE_NAME
  std::string name, vendor, version, driver, platform;  ///< CL_PLATFORM_NAME
  /// Name of the backend whose kernels the device runs: kOpenClBackend or kLlvmBackend; empty: the default
  /// one.
  std::string backend;
  /// P of the spec "P:D" by which Device::open() opens the device.
  int platform_number = 0, device_number = 0;            ///< D of the spec "P:D"
  bool is_cpu = false;                                   ///< CL_DEVICE_TYPE_CPU
  bool is_gpu = false;                                   ///< CL_DEVICE_TYPE_GPU
  int compute_units = 1;                                 ///< units that run work-groups in parallel
  std::array<std::int64_t, 3> max_group_sizes{1, 1, 1};  ///< most work-items of a group in each dimension
  std::int64_t max_group_size = 1;      ///< most work-items of a group in total; see Device::max_group_size()
                                        ///< too
  std::int64_t local_memory_bytes = 0;  ///< local memory of one work-group
  bool local_memory_on_chip = false;    ///< true: CL_DEVICE_LOCAL_MEM_TYPE is CL_LOCAL
  bool has_unified_memory = true;       ///< true: host and device share one memory; false: a card with memory
                                        ///< of its own
  std::int64_t private_memory_bytes = kPrivateMemoryBytes;  ///< memory of one work-item for private arrays
  /// Private memory that the work-items of a group share, if they do: on a CPU, the stack of one thread.
  std::optional<std::int64_t> group_private_memory_bytes;
  std::int64_t global_memory_bytes = 0;      ///< memory that all buffers and images share
  std::int64_t max_allocation_bytes = 0;     ///< largest size of one buffer
  std::int64_t constant_buffer_bytes = 0;    ///< largest buffer in constant memory; 0: the device has no
                                             ///< constant memory
  std::int64_t global_cache_bytes = 0;       ///< global memory's cache; 0: none, or the driver does not say
  std::int64_t global_cache_line_bytes = 0;  ///< line of that cache; 0: the driver does not say
  std::int64_t buffer_alignment_bytes = 1;   ///< alignment of the address at which a buffer begins
  std::int64_t timer_resolution_ns = 0;      ///< resolution of the events that time launches
  int preferred_group_multiple =
      0;  ///< work-items that run in lockstep, from OpenCL 3.0 on; 0: the driver does not report it
  /// 32-bit registers that the work-items of a group may use together; 0: the driver does not say.
  std::int64_t registers_per_group = 0;
  int native_vector_width_float = 1;   ///< above 1: the device has vector units of that many floats
  bool has_fp16 = false;               ///< cl_khr_fp16
  bool has_fp64 = false;               ///< cl_khr_fp64
  bool has_sub_groups = false;         ///< cl_khr_subgroups or cl_intel_subgroups
  bool has_sub_group_shuffle = false;  ///< cl_khr_subgroup_shuffle or cl_intel_subgroups
  std::vector<int> sub_group_sizes;    ///< sizes that a kernel may ask for; empty if the driver does not say
  /// True if 32 work-items can multiply f16 matrices together (Stage::matrix_multiply): NVIDIA devices of
  /// compute capability 8.0 and later, according to cl_nv_device_attribute_query.
  bool has_matrix_units = false;
  /// True if one instruction adds up four products of 8-bit integers: devices with cl_khr_integer_dot_product
  /// or Arm's extensions for it, and NVIDIA devices of compute capability 6.1 and later.
  bool has_integer_dot_product = false;
  bool has_images = false;   ///< CL_DEVICE_IMAGE_SUPPORT
  ImageLimits image_limits;  ///< largest images; zeros if the device has no images
  /// Most images that one kernel may read.
  int max_read_images = 128, max_write_images = 8;  ///< most images that one kernel may write
  int clock_mhz = 0;                                ///< highest clock rate; 0: the driver does not say
  std::vector<std::string> extensions;              ///< names of the OpenCL extensions that the device has
};

/// Memory on a device. It is freed when the last handle to it is gone.
class DeviceBuffer {
 public:
  virtual ~DeviceBuffer() = default;
  /// Returns the size that was asked for; the size of the part if this is a part of another buffer.
  virtual std::size_t size_bytes() const = 0;
  /// Returns an identity of the memory: equal for all handles of one memory.
  virtual const void* memory() const { return this; }
  /// Returns whether kernels may read the memory, write it, or both.
  virtual KernelArgument::Access access() const { return KernelArgument::Access::ReadWrite; }
};

/// Size and element type of an image. The texels are CL_RGBA for 4 channels and CL_R for 1. Elements are f32,
/// f16, i32, i8, u8 or bool.
struct ImageDescription {
  ImageKind kind = ImageKind::Image2D;  ///< type of the image, which gives its number of coordinates
  int channels = 4;                     ///< elements of a texel: 4 or 1
  Type type;                            ///< type of an element
  /// @var height
  /// Rows; 1 for an Image1DBuffer.

  /// Columns; for an Image1DBuffer the number of all texels.
  std::int64_t width = 1, height = 1, layers = 1;  ///< layers of an Image2DArray; 1 for other kinds
  /// True if u8 elements are accessed as floats (CL_UNORM_INT8): kernels read byte/255, and write it rounded.
  bool is_normalized = false;

  /// True if a kernel that expects an image of description `wanted` can take this one, sizes aside.
  bool is_read_as(const ImageDescription& wanted) const;
  std::int64_t elements() const { return width * height * layers * channels; }  ///< number of elements
  friend bool operator==(const ImageDescription&, const ImageDescription&) = default;
};

/// Returns a text such as "an Image2D of 640 x 480 x 1 texels of 4 u8".
std::string to_string(const ImageDescription& image);

/// An image on a device. It is freed when the last handle to it is gone.
class DeviceImage {
 public:
  virtual ~DeviceImage() = default;
  /// Returns the image's kind, size and element type, which do not change.
  virtual const ImageDescription& description() const = 0;
  virtual const void* memory() const { return this; }  ///< equal for all handles of one memory
  /// Returns the accesses that kernels may make.
  virtual KernelArgument::Access access() const { return KernelArgument::Access::ReadWrite; }
};

/// A kernel that was built for one device.
class DeviceKernel {
 public:
  virtual ~DeviceKernel() = default;
  /// Returns the source that the kernel was built from.
  virtual const KernelSource& source() const = 0;
};

/// The value of a kernel's argument: memory, or a scalar of exactly the type in the kernel's signature.
using KernelArgumentValue =
    std::variant<std::shared_ptr<DeviceBuffer>, std::shared_ptr<DeviceImage>, std::int32_t, std::int64_t,
                 std::uint32_t, std::uint64_t, float, double>;

/// One kernel with its arguments and work sizes, all known. A launch with a group count of 0 does nothing.
struct Launch {
  std::shared_ptr<DeviceKernel> kernel;         ///< a kernel that Device::build() returned
  std::vector<KernelArgumentValue> arguments;   ///< arguments in the order of the signature
  std::array<std::int64_t, 3> groups{1, 1, 1};  ///< work-groups in each dimension
};

/// The time at which a launch ran, in nanoseconds of the device's clock, whose zero is arbitrary. Both values
/// are 0 for an empty launch.
struct LaunchInterval {
  /// Time at which the first work-item began.
  std::int64_t start = 0, end = 0;  ///< time at which the last work-item ended
};

/// Method by which a thread waits for the device. Source: On-Device Neural Net Inference with Mobile GPUs,
/// section 3.2.
enum class Waiting {
  Driver,    ///< the driver's default
  Sleeping,  ///< sleeps until the driver calls back: uses the least power
  Spinning,  ///< polls: has the least latency, and keeps a core busy
};

/// Launches set up once and replayed many times, in order.
class Recording {
 public:
  virtual ~Recording() = default;
  /// Hands all launches to the device and returns without waiting. wait(), Device::finish() and the
  /// destructor of the recording wait for them.
  virtual void start() = 0;
  /// Waits for all launches that were started, also by other recordings. Throws DeviceError that names the
  /// kernels if one of them failed.
  virtual void wait(Waiting waiting) = 0;
  /// Runs all launches and waits for the last.
  void replay(Waiting waiting = Waiting::Driver);
  /// Runs all launches with profiling and waits. Returns the time at which each ran, from the device's
  /// events.
  virtual std::vector<LaunchInterval> replay_intervals() = 0;
  /// Runs all launches with profiling and waits. Returns the duration of each in nanoseconds.
  std::vector<std::int64_t> replay_timed();
};

/// A kernel as a driver has compiled it. Its contents are opaque to all but the backend that made it; they
/// record the device and the driver for which it is valid.
struct DeviceBinary {
  std::string name;  ///< name of a file: two binaries of one name are the same kernel for the same device
  std::shared_ptr<const std::byte[]> data;  ///< contents, for Device::offer()
  std::size_t size = 0;                     ///< size of the contents in bytes
};

/// Totals over all successful calls of a Device's build().
struct BuildStatistics {
  int compiled = 0;    ///< programs that the driver compiled
  int from_cache = 0;  ///< programs taken from offered binaries or from the on-disk cache
  double seconds = 0;  ///< elapsed time, summed over the calls of build()
};

/// A device with its memory. It runs the work that is started on it in order. A Runner keeps the Device alive
/// if a shared_ptr holds it.
class Device : public std::enable_shared_from_this<Device> {
 public:
  virtual ~Device() = default;
  /// Returns the properties that the device reports, which do not change.
  virtual const DeviceInfo& info() const = 0;

  /// Allocates a buffer of undefined contents. Throws DeviceError if there is not enough memory.
  virtual std::shared_ptr<DeviceBuffer> allocate(std::size_t bytes) = 0;
  /// Returns `bytes` of `whole` from `offset` on as a buffer that shares its memory and keeps it alive.
  /// `offset` is a multiple of info().buffer_alignment_bytes. Throws DeviceError if the range is not inside
  /// `whole`, or if `whole` is a part itself.
  virtual std::shared_ptr<DeviceBuffer> part(const std::shared_ptr<DeviceBuffer>& whole, std::size_t offset,
                                             std::size_t bytes) = 0;
  /// Returns the caller's memory as a buffer that kernels read and write in place. `owner` keeps the memory
  /// alive; if it is null, the caller does so as long as the buffer exists. After the host changes the
  /// memory, write() with that same memory makes the change visible to kernels; read() into it makes the
  /// results of kernels visible to the host. Neither copies, unless the driver does. Returns null if the
  /// device has memory of its own or does not accept this memory.
  virtual std::shared_ptr<DeviceBuffer> share(std::span<std::byte> memory, std::shared_ptr<const void> owner);
  /// Copies `from` into the buffer at byte `offset`, after the work that was started before; the copy is
  /// complete on return. Throws DeviceError if the buffer belongs to another device or has too little room.
  virtual void write(DeviceBuffer& to, std::span<const std::byte> from, std::size_t offset = 0) = 0;
  /// Copies from byte `offset` of the buffer to the host, after the work that was started before; the copy is
  /// complete on return. Throws DeviceError if the buffer belongs to another device or is too short.
  virtual void read(const DeviceBuffer& from, std::span<std::byte> to, std::size_t offset = 0) = 0;

  /// Allocates an image of undefined contents. Throws DeviceError if the device does not support images of
  /// this kind or size.
  virtual std::shared_ptr<DeviceImage> allocate(const ImageDescription& image) = 0;
  /// Copies `from` into the whole image, after the work that was started before. The texels are in order,
  /// columns fastest, layers slowest. Throws DeviceError unless `from` has exactly the image's bytes.
  virtual void write(DeviceImage& to, std::span<const std::byte> from) = 0;
  /// Copies the whole image to the host, after the work that was started before. The texels are in order,
  /// columns fastest, layers slowest. Throws DeviceError unless `to` has exactly the image's bytes.
  virtual void read(const DeviceImage& from, std::span<std::byte> to) = 0;

  /// Builds each source (one program each, in parallel, through the binary cache); equal sources are built
  /// once. `progress` is called with (done, total) from this thread. Throws DeviceError with the log of the
  /// first failure, WorkGroupError for a kernel that max_group_size() does not allow.
  virtual std::vector<std::shared_ptr<DeviceKernel>> build(
      const std::vector<KernelSource>& sources, const std::function<void(int, int)>& progress = nullptr) = 0;
  /// Returns the totals over all builds up to now.
  virtual BuildStatistics build_statistics() const = 0;
  /// Gives binaries that build() may use from now on instead of compiling. A binary that is damaged, or for
  /// another device or driver, is never used.
  virtual void offer(const std::vector<DeviceBinary>& binaries);
  /// Returns the driver's binaries of kernels that build() of this Device returned, to be given to offer() of
  /// a Device of the same device and driver later: one for each distinct kernel; none if the driver does not
  /// expose them. Drivers that compile a kernel when it first runs give most of them only after a run.
  virtual std::vector<DeviceBinary> binaries(const std::vector<std::shared_ptr<DeviceKernel>>& kernels);
  /// Returns the largest work-group that the driver allows this kernel, which may be smaller than
  /// info().max_group_size; build() refuses kernels that ask for more. Throws DeviceError if the driver does
  /// not compile the kernel.
  virtual std::int64_t max_group_size(const KernelSource& kernel) = 0;

  /// Records launches to be replayed. Throws DeviceError if an argument's kind or size does not match the
  /// kernel's signature.
  virtual std::unique_ptr<Recording> record(std::vector<Launch> launches) = 0;
  /// Waits for all work that was started. Throws DeviceError if one of the launches failed.
  virtual void finish(Waiting waiting = Waiting::Driver) = 0;

  /// Opens the device that `spec` names: "gpu", "cpu", "host" (this machine's processor through LLVM, if
  /// tensordsl was built with it), "P:D" (platform and device number as `tensordsl devices` lists them), or a
  /// part of a device's name. An empty spec means the environment's TENSORDSL_DEVICE; if that is empty too,
  /// the first GPU, else the first device. Throws DeviceError that lists the devices if none matches.
  static std::shared_ptr<Device> open(const std::string& spec = "");
  /// Returns every device of every driver that tensordsl comes with; empty if there is none.
  static std::vector<DeviceInfo> list();

  /// True if kernels read images with one f16 to a texel correctly. Some drivers list CL_R with CL_HALF_FLOAT
  /// but read these texels as bytes (PoCL 3.1). The first call, from any thread, probes the device once.
  /// Throws DeviceError if it has no images of this format.
  bool reads_r16f_images();

 private:
  /// Probes the device by running a kernel.
  virtual bool probe_r16f_images() = 0;

  std::once_flag r16f_asked_;
  bool r16f_read_right_ = false;
};

}  // namespace tensordsl
