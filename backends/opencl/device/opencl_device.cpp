#include "backends/opencl/device/opencl_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "backends/opencl/device/check.h"
#include "backends/opencl/device/create_image.h"
#include "backends/opencl/device/probe_r16f_images.h"
#include "backends/opencl/device/recording.h"
#include "backends/opencl/device/wait.h"
#include "base/address_alignment.h"
#include "runtime/device/cache_entries.h"
#include "runtime/device/check_backend.h"
#include "runtime/device/check_buffer_range.h"
#include "tensordsl/error.h"

namespace tensordsl::opencl {
namespace {

Context make_context(cl_device_id device) {
  cl_int status = CL_SUCCESS;
  Context context(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status));
  check(status, "clCreateContext");
  return context;
}

Queue make_queue(const Context& context, cl_device_id device) {
  cl_int status = CL_SUCCESS;
  Queue queue(clCreateCommandQueue(context.get(), device, 0, &status));
  check(status, "clCreateCommandQueue");
  return queue;
}

BuildTarget make_target(const ListedDevice& device, runtime::ProgramCache cache, Context context) {
  const DeviceInfo& info = device.info;
  return {std::move(context),
          device.id,
          info.name,
          {info.name, info.vendor, info.version, info.driver, device.platform_version},
          std::move(cache)};
}

/// Checks the extensions of a kernel. Throws DeviceError that names the kernel, the extension that its text
/// enables and the device, if the device does not have it.
void check_extensions(const KernelSource& source, const DeviceInfo& device) {
  struct Needed {
    const char* extension;
    const char* type;
    bool is_there;
  };
  const std::array needed{Needed{"cl_khr_fp16", "f16", device.has_fp16},
                          Needed{"cl_khr_fp64", "f64", device.has_fp64}};
  for (const auto& [extension, type, is_there] : needed) {
    // Text that can do without the extension enables it where the compiler defines it.
    const std::string condition = fmt::format("#ifdef {}\n", extension);
    const std::size_t pragma =
        source.text.find(fmt::format("#pragma OPENCL EXTENSION {} : enable", extension));
    const bool enables =
        pragma != std::string::npos && !std::string_view(source.text).substr(0, pragma).ends_with(condition);
    if (!enables || is_there) continue;
    throw DeviceError(
        fmt::format("{}: it computes in {} ({}), which the device {} does not support; compile the program "
                    "for this device",
                    source.entry, type, extension, device.name));
  }
}

}  // namespace

OpenClDevice::OpenClDevice(const ListedDevice& device, runtime::ProgramCache cache)
    : info_(device.info),
      target_(make_target(device, std::move(cache), make_context(device.id))),
      queue_(make_queue(target_.context, target_.device)) {}

OpenClDevice::OpenClDevice(const ListedDevice& device, runtime::ProgramCache cache, Context context,
                           Queue queue)
    : OpenClDevice(device.info, make_target(device, std::move(cache), std::move(context)), std::move(queue)) {
}

OpenClDevice::OpenClDevice(DeviceInfo info, BuildTarget target, Queue queue)
    : info_(std::move(info)), target_(std::move(target)), queue_(std::move(queue)) {}

std::shared_ptr<OpenClDevice> OpenClDevice::with_another_queue() const {
  return std::shared_ptr<OpenClDevice>(
      new OpenClDevice(info_, target_, make_queue(target_.context, target_.device)));
}

std::shared_ptr<DeviceBuffer> OpenClDevice::allocate(std::size_t bytes) {
  const auto refuse = [&](const std::string& reason) {
    throw DeviceError(
        fmt::format("device memory: {} bytes requested, but the largest allocation of {} is {} bytes{}",
                    bytes, info_.name, info_.max_allocation_bytes, reason));
  };
  if (bytes > static_cast<std::size_t>(info_.max_allocation_bytes)) refuse("");
  cl_int status = CL_SUCCESS;
  // OpenCL has no empty buffers; a tensor may be empty.
  Memory memory(clCreateBuffer(target_.context.get(), CL_MEM_READ_WRITE, std::max<std::size_t>(bytes, 1),
                               nullptr, &status));
  if (status != CL_SUCCESS) refuse(": clCreateBuffer failed: " + status_text(status));
  return std::make_shared<OpenClBuffer>(target_.context.get(), std::move(memory), bytes,
                                        info().buffer_alignment_bytes);
}

cl_mem OpenClDevice::checked_memory(const DeviceBuffer& buffer, std::size_t bytes, std::size_t offset,
                                    const char* call) const {
  const auto* own = dynamic_cast<const OpenClBuffer*>(&buffer);
  runtime::check_buffer_range(call, {bytes, offset, buffer.size_bytes()},
                              own && own->context == target_.context.get(), info_);
  return own->object.get();
}

std::shared_ptr<DeviceBuffer> OpenClDevice::part(const std::shared_ptr<DeviceBuffer>& whole,
                                                 std::size_t offset, std::size_t bytes) {
  auto* own = dynamic_cast<OpenClBuffer*>(whole.get());
  const bool is_own = own && own->context == target_.context.get();
  runtime::check_part({bytes, offset, whole->size_bytes()}, is_own, is_own && own->before, info_);
  if (bytes == 0) return allocate(0);  // OpenCL has no empty parts either
  const cl_buffer_region region{offset, bytes};
  cl_int status = CL_SUCCESS;
  Memory part(clCreateSubBuffer(own->object.get(), CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region,
                                &status));
  check(status, "clCreateSubBuffer");
  const auto last = own->last_part.lock();
  auto made = std::make_shared<OpenClBuffer>(target_.context.get(), std::move(part), bytes,
                                             info_.buffer_alignment_bytes, last ? last : whole);
  own->last_part = made;
  return made;
}

std::shared_ptr<DeviceBuffer> OpenClDevice::share(std::span<std::byte> memory,
                                                  std::shared_ptr<const void> owner) {
  if (!info_.has_unified_memory || memory.empty()) return nullptr;
  cl_int status = CL_SUCCESS;
  Memory shared(clCreateBuffer(target_.context.get(), CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, memory.size(),
                               memory.data(), &status));
  if (status != CL_SUCCESS) return nullptr;  // too large, or the driver asks for another alignment
  auto made = std::make_shared<OpenClBuffer>(target_.context.get(), std::move(shared), memory.size(),
                                             address_alignment(memory.data()));
  made->owner = std::move(owner);
  return made;
}

void OpenClDevice::write(DeviceBuffer& to, std::span<const std::byte> from, std::size_t offset) {
  const cl_mem memory = checked_memory(to, from.size(), offset, "write");
  if (from.empty()) return;
  check(clEnqueueWriteBuffer(queue_.get(), memory, CL_TRUE, offset, from.size(), from.data(), 0, nullptr,
                             nullptr),
        "clEnqueueWriteBuffer");
}

void OpenClDevice::read(const DeviceBuffer& from, std::span<std::byte> to, std::size_t offset) {
  const cl_mem memory = checked_memory(from, to.size(), offset, "read");
  if (to.empty()) return;
  check(clEnqueueReadBuffer(queue_.get(), memory, CL_TRUE, offset, to.size(), to.data(), 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
}

std::shared_ptr<DeviceImage> OpenClDevice::allocate(const ImageDescription& image) {
  return create_image(target_.context, info_, image);
}

const OpenClImage& OpenClDevice::checked_image(const DeviceImage& image, std::size_t bytes,
                                               const char* call) const {
  const auto* own = dynamic_cast<const OpenClImage*>(&image);
  if (own == nullptr || own->context != target_.context.get()) {
    throw DeviceError(fmt::format("{}: the image belongs to another device, not to {}", call, info_.name));
  }
  const auto size = static_cast<std::size_t>(own->what.elements() * own->what.type.bytes());
  if (bytes != size)
    throw DeviceError(fmt::format("{}: found {} bytes for an image of {}", call, bytes, size));
  return *own;
}

void OpenClDevice::write(DeviceImage& to, std::span<const std::byte> from) {
  const OpenClImage& image = checked_image(to, from.size(), "write");
  if (from.empty()) return;
  if (image.storage) {
    check(clEnqueueWriteBuffer(queue_.get(), image.storage.get(), CL_TRUE, 0, from.size(), from.data(), 0,
                               nullptr, nullptr),
          "clEnqueueWriteBuffer");
    return;
  }
  const auto region = region_of(image.what);
  const std::array<std::size_t, 3> origin{0, 0, 0};
  check(clEnqueueWriteImage(queue_.get(), image.object.get(), CL_TRUE, origin.data(), region.data(), 0, 0,
                            from.data(), 0, nullptr, nullptr),
        "clEnqueueWriteImage");
}

void OpenClDevice::read(const DeviceImage& from, std::span<std::byte> to) {
  const OpenClImage& image = checked_image(from, to.size(), "read");
  if (to.empty()) return;
  if (image.storage) {
    check(clEnqueueReadBuffer(queue_.get(), image.storage.get(), CL_TRUE, 0, to.size(), to.data(), 0, nullptr,
                              nullptr),
          "clEnqueueReadBuffer");
    return;
  }
  const auto region = region_of(image.what);
  const std::array<std::size_t, 3> origin{0, 0, 0};
  check(clEnqueueReadImage(queue_.get(), image.object.get(), CL_TRUE, origin.data(), region.data(), 0, 0,
                           to.data(), 0, nullptr, nullptr),
        "clEnqueueReadImage");
}

std::vector<std::shared_ptr<DeviceKernel>> OpenClDevice::build(
    const std::vector<KernelSource>& sources, const std::function<void(int, int)>& progress) {
  const auto start = std::chrono::steady_clock::now();
  runtime::check_backend(sources, info_);
  for (const KernelSource& source : sources) check_extensions(source, info_);
  BuiltPrograms built = build_programs(target_, sources, progress);
  std::vector<std::shared_ptr<DeviceKernel>> kernels;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    check_kernel(create_kernel(built.programs[i], sources[i]), sources[i], target_.device, info_);
    kernels.push_back(
        std::make_shared<OpenClKernel>(target_.context.get(), std::move(built.programs[i]), sources[i]));
  }
  const std::lock_guard lock(counting_);
  statistics_.compiled += built.compiled;
  statistics_.from_cache += built.from_cache;
  statistics_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return kernels;
}

BuildStatistics OpenClDevice::build_statistics() const {
  const std::lock_guard lock(counting_);
  return statistics_;
}

void OpenClDevice::offer(const std::vector<DeviceBinary>& binaries) { target_.offered->add(binaries); }

std::vector<DeviceBinary> OpenClDevice::binaries(const std::vector<std::shared_ptr<DeviceKernel>>& kernels) {
  std::vector<runtime::ProgramKey> keys;
  for (const auto& kernel : kernels) {
    const auto* own = dynamic_cast<const OpenClKernel*>(kernel.get());
    if (own == nullptr || own->context != target_.context.get())
      throw DeviceError(fmt::format("binaries: a kernel belongs to another device, not to {}", info_.name));
    keys.push_back(runtime::program_key(own->source(), target_.identity));
  }
  return runtime::cache_entries(keys, [&](std::size_t i) {
    return binary_of(static_cast<const OpenClKernel&>(*kernels[i]).program, target_.device);
  });
}

std::int64_t OpenClDevice::max_group_size(const KernelSource& kernel) {
  const BuiltPrograms built = build_programs(target_, {kernel}, nullptr);
  const Kernel made = create_kernel(built.programs[0], kernel);
  return std::min(allowed_group_size(made, kernel, target_.device), info_.max_group_size);
}

std::unique_ptr<Recording> OpenClDevice::record(std::vector<Launch> launches) {
  return record_enqueues(target_.context, info_, target_.device, queue_, std::move(launches));
}

bool OpenClDevice::probe_r16f_images() { return opencl::probe_r16f_images(*this); }

void OpenClDevice::finish(Waiting waiting) { wait_for(queue_, waiting); }

}  // namespace tensordsl::opencl
