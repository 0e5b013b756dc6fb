#include "backends/opencl/device/recordable_queue.h"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "backends/opencl/device/check.h"

namespace tensordsl::opencl {
namespace {

constexpr cl_command_queue_properties kRecordable = cl_command_queue_properties{1} << 30;

class Recordings final : public CommandBuffer {
 public:
  Recordings(const RecordableQueues& queues, cl_command_queue queue) : queues_(queues), queue_(queue) {}
  Recordings(const Recordings&) = delete;
  Recordings& operator=(const Recordings&) = delete;
  ~Recordings() override {
    for (const cl_recording_qcom recording : recordings_) queues_.release(recording);
    if (source_ != nullptr) queues_.release_queue(source_);
  }

  bool record(cl_context context, cl_device_id device, std::span<const RecordedKernel> kernels) {
    cl_int status = CL_SUCCESS;
    source_ = queues_.create_queue(context, device, kRecordable, &status);
    if (status != CL_SUCCESS || source_ == nullptr) return false;
    for (std::size_t first = 0; first < kernels.size(); first += queues_.most_kernels) {
      const std::size_t count = std::min<std::size_t>(queues_.most_kernels, kernels.size() - first);
      if (!record(kernels.subspan(first, count))) return false;
    }
    return true;
  }

  bool enqueue() override {
    for (std::size_t i = 0; i < recordings_.size(); ++i) {
      const cl_int status = queues_.enqueue(queue_, recordings_[i], 0, nullptr, 0, nullptr, 0, nullptr, 0,
                                            nullptr, 0, nullptr, nullptr);
      if (i == 0 && status != CL_SUCCESS) return false;
      check(status, "clEnqueueRecordingQCOM");  // the kernels before are under way
    }
    return true;
  }

 private:
  bool record(std::span<const RecordedKernel> kernels) {
    cl_int status = CL_SUCCESS;
    const cl_recording_qcom recording = queues_.begin(source_, &status);
    if (status != CL_SUCCESS || recording == nullptr) return false;
    recordings_.push_back(recording);
    for (const RecordedKernel& k : kernels) {
      if (queues_.enqueue_kernel(source_, k.kernel, 3, nullptr, k.global.data(), k.local.data(), 0, nullptr,
                                 nullptr) != CL_SUCCESS)
        return false;
    }
    return queues_.end(recording) == CL_SUCCESS;
  }

  RecordableQueues queues_;
  cl_command_queue queue_;
  cl_command_queue source_ = nullptr;
  std::vector<cl_recording_qcom> recordings_;
};

}  // namespace

std::optional<RecordableQueues> recordable_queues(const DeviceInfo& info, cl_device_id device) {
  constexpr cl_device_info kMostKernels = 0x41DE;
  if (std::ranges::count(info.extensions, "cl_qcom_recordable_queues") == 0) return std::nullopt;
  RecordableQueues queues;
  cl_platform_id platform = nullptr;
  if (clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr) != CL_SUCCESS ||
      clGetDeviceInfo(device, kMostKernels, sizeof queues.most_kernels, &queues.most_kernels, nullptr) !=
          CL_SUCCESS)
    return std::nullopt;
  queues.create_queue = clCreateCommandQueue;
  queues.release_queue = clReleaseCommandQueue;
  queues.enqueue_kernel = clEnqueueNDRangeKernel;
  bool has_all = queues.most_kernels > 0;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
        clGetExtensionFunctionAddressForPlatform(platform, name));
    has_all = has_all && function != nullptr;
  };
  find(queues.begin, "clNewRecordingQCOM");
  find(queues.end, "clEndRecordingQCOM");
  find(queues.release, "clReleaseRecordingQCOM");
  find(queues.enqueue, "clEnqueueRecordingQCOM");
  return has_all ? std::optional(queues) : std::nullopt;
}

std::unique_ptr<CommandBuffer> record_on_queue(const RecordableQueues& queues, cl_context context,
                                               cl_device_id device, cl_command_queue queue,
                                               std::span<const RecordedKernel> kernels) {
  if (kernels.empty() || queues.most_kernels == 0) return nullptr;
  auto recordings = std::make_unique<Recordings>(queues, queue);
  return recordings->record(context, device, kernels) ? std::move(recordings) : nullptr;
}

}  // namespace tensordsl::opencl
