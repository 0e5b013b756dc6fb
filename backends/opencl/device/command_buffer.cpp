#include "backends/opencl/device/command_buffer.h"

// Headers from 2024 on declare the extension only then.
#define CL_ENABLE_BETA_EXTENSIONS
#include <CL/cl_ext.h>

#include <algorithm>
#include <optional>
#include <type_traits>

namespace tensordsl::opencl {
namespace {

/// The extension's functions, which no library exports.
struct Functions {
  clCreateCommandBufferKHR_fn create = nullptr;
  clCommandNDRangeKernelKHR_fn add = nullptr;
  clFinalizeCommandBufferKHR_fn finalize = nullptr;
  clEnqueueCommandBufferKHR_fn enqueue = nullptr;
  clReleaseCommandBufferKHR_fn release = nullptr;
  clGetCommandBufferInfoKHR_fn info = nullptr;
};

std::optional<Functions> functions_of(cl_device_id device) {
  cl_platform_id platform = nullptr;
  if (clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr) != CL_SUCCESS)
    return std::nullopt;
  bool has_all = true;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
        clGetExtensionFunctionAddressForPlatform(platform, name));
    has_all = has_all && function != nullptr;
  };
  Functions functions;
  find(functions.create, "clCreateCommandBufferKHR");
  find(functions.add, "clCommandNDRangeKernelKHR");
  find(functions.finalize, "clFinalizeCommandBufferKHR");
  find(functions.enqueue, "clEnqueueCommandBufferKHR");
  find(functions.release, "clReleaseCommandBufferKHR");
  find(functions.info, "clGetCommandBufferInfoKHR");
  return has_all ? std::optional(functions) : std::nullopt;
}

/// True if command buffers record for queues that have no properties.
bool takes_plain_queues(cl_device_id device) {
  cl_command_queue_properties required = 0;
  return clGetDeviceInfo(device, CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR, sizeof required,
                         &required, nullptr) == CL_SUCCESS &&
         required == 0;
}

/// PoCL 3.1 ends the process where it records a work-group of another size than the text requires; an enqueue
/// is refused.
bool has_required_size(const RecordedKernel& k, cl_device_id device) {
  std::array<std::size_t, 3> required{};
  if (clGetKernelWorkGroupInfo(k.kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required,
                               required.data(), nullptr) != CL_SUCCESS)
    return false;
  return required[0] == 0 || required == k.local;
}

class KhronosCommandBuffer final : public CommandBuffer {
 public:
  KhronosCommandBuffer(const Functions& functions, cl_command_buffer_khr owned)
      : functions_(functions), buffer_(owned) {}
  KhronosCommandBuffer(const KhronosCommandBuffer&) = delete;
  KhronosCommandBuffer& operator=(const KhronosCommandBuffer&) = delete;
  ~KhronosCommandBuffer() override { functions_.release(buffer_); }

  /// Each kernel waits for the one before: drivers need not order commands without a sync point between them.
  bool record(std::span<const RecordedKernel> kernels) {
    cl_sync_point_khr last = 0;
    bool is_first = true;
    for (const RecordedKernel& k : kernels) {
      cl_sync_point_khr added = 0;
      if (functions_.add(buffer_, nullptr, nullptr, k.kernel, 3, nullptr, k.global.data(), k.local.data(),
                         is_first ? 0 : 1, is_first ? nullptr : &last, &added, nullptr) != CL_SUCCESS)
        return false;
      last = added;
      is_first = false;
    }
    return functions_.finalize(buffer_) == CL_SUCCESS;
  }

  bool enqueue() override {
    cl_command_buffer_state_khr state = 0;
    return functions_.info(buffer_, CL_COMMAND_BUFFER_STATE_KHR, sizeof state, &state, nullptr) ==
               CL_SUCCESS &&
           state == CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR &&
           functions_.enqueue(0, nullptr, buffer_, 0, nullptr, nullptr) == CL_SUCCESS;
  }

 private:
  Functions functions_;
  cl_command_buffer_khr buffer_;
};

}  // namespace

std::unique_ptr<CommandBuffer> make_command_buffer(const DeviceInfo& info, cl_device_id device,
                                                   cl_command_queue queue,
                                                   std::span<const RecordedKernel> kernels) {
  if (kernels.empty() || std::ranges::count(info.extensions, "cl_khr_command_buffer") == 0) return nullptr;
  const auto functions = functions_of(device);
  if (!functions || !takes_plain_queues(device)) return nullptr;
  if (!std::ranges::all_of(kernels, [&](const RecordedKernel& k) { return has_required_size(k, device); }))
    return nullptr;
  cl_int status = CL_SUCCESS;
  const cl_command_buffer_khr made = functions->create(1, &queue, nullptr, &status);
  if (status != CL_SUCCESS || made == nullptr) return nullptr;
  auto buffer = std::make_unique<KhronosCommandBuffer>(*functions, made);
  return buffer->record(kernels) ? std::move(buffer) : nullptr;
}

}  // namespace tensordsl::opencl
