#include "backends/opencl/device/recording.h"

#include <fmt/format.h>

#include <array>

#include "backends/opencl/device/check.h"
#include "backends/opencl/device/command_buffer.h"
#include "backends/opencl/device/device_objects.h"
#include "backends/opencl/device/recordable_queue.h"
#include "backends/opencl/device/wait.h"
#include "runtime/device/check_launch.h"
#include "tensordsl/error.h"

namespace tensordsl::opencl {
namespace {

// Belongs to cl_khr_subgroups, whose header is not everywhere.
constexpr cl_uint kMaxSubGroupSizeForNdrange = 0x2033;
using GetKernelSubGroupInfo = cl_int(CL_API_CALL*)(cl_kernel, cl_device_id, cl_uint, std::size_t, const void*,
                                                   std::size_t, void*, std::size_t*);

GetKernelSubGroupInfo query_of(cl_device_id device) {
  cl_platform_id platform = nullptr;
  check(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr), "clGetDeviceInfo");
  for (const char* name : {"clGetKernelSubGroupInfoKHR", "clGetKernelSubGroupInfo"}) {
    if (void* address = clGetExtensionFunctionAddressForPlatform(platform, name))
      return reinterpret_cast<GetKernelSubGroupInfo>(address);
  }
  return nullptr;
}

/// Checks the size of sub-groups. Throws DeviceError that names both sizes if the driver's sub-groups do not
/// have the size that the kernel was generated for. Kernels without sub-group operations pass.
void check_sub_groups(cl_kernel kernel, cl_device_id device, const KernelSource& source) {
  if (source.sub_group_size == 0) return;
  const GetKernelSubGroupInfo query = query_of(device);
  if (query == nullptr) {
    throw DeviceError(
        fmt::format("{}: the driver does not report the size of its sub-groups, but gpu_lanes needs {}; use "
                    "store_in(Local)",
                    source.entry, source.sub_group_size));
  }
  std::array<std::size_t, 3> group{};
  for (std::size_t d = 0; d < 3; ++d) group[d] = static_cast<std::size_t>(source.launch.group_size[d]);
  std::size_t found = 0;
  check(query(kernel, device, kMaxSubGroupSizeForNdrange, sizeof group, group.data(), sizeof found, &found,
              nullptr),
        "clGetKernelSubGroupInfo", source.entry);
  if (found == static_cast<std::size_t>(source.sub_group_size)) return;
  throw DeviceError(
      fmt::format("{}: its sub-groups have {} work-items on this device, but gpu_lanes needs {}; split the "
                  "reduction by {}",
                  source.entry, found, source.sub_group_size, found));
}

class ContextOwner final : public runtime::LaunchOwner {
 public:
  explicit ContextOwner(cl_context context) : context_(context) {}

  bool owns(const DeviceKernel& kernel) const override {
    const auto* own = dynamic_cast<const OpenClKernel*>(&kernel);
    return own != nullptr && own->context == context_;
  }
  bool owns(const DeviceImage& image) const override {
    const auto* own = dynamic_cast<const OpenClImage*>(&image);
    return own != nullptr && own->context == context_;
  }
  std::optional<std::int64_t> alignment_of(const DeviceBuffer& buffer) const override {
    const auto* own = dynamic_cast<const OpenClBuffer*>(&buffer);
    return own != nullptr && own->context == context_ ? std::optional(own->alignment) : std::nullopt;
  }

 private:
  cl_context context_;
};

struct Step {
  Launch launch;  // keeps the buffers alive: a cl_kernel does not own its arguments
  Kernel kernel;  // one per launch: a cl_kernel holds one set of arguments
  std::array<std::size_t, 3> global{1, 1, 1};
  std::array<std::size_t, 3> local{1, 1, 1};

  const std::string& name() const { return launch.kernel->source().entry; }
  bool is_empty() const { return global[0] == 0 || global[1] == 0 || global[2] == 0; }
};

void set_argument(const Kernel& kernel, std::size_t index, const KernelArgumentValue& value,
                  const std::string& name) {
  const auto set = [&](std::size_t size, const void* data) {
    check(clSetKernelArg(kernel.get(), static_cast<cl_uint>(index), size, data), "clSetKernelArg", name);
  };
  if (const auto* buffer = std::get_if<std::shared_ptr<DeviceBuffer>>(&value)) {
    const cl_mem memory = static_cast<const OpenClBuffer&>(**buffer).object.get();
    set(sizeof memory, &memory);
  } else if (const auto* image = std::get_if<std::shared_ptr<DeviceImage>>(&value)) {
    const cl_mem memory = static_cast<const OpenClImage&>(**image).object.get();
    set(sizeof memory, &memory);
  } else {
    std::visit([&](const auto& number) { set(sizeof number, &number); }, value);
  }
}

Step make_step(Launch launch) {
  const auto& kernel = static_cast<const OpenClKernel&>(*launch.kernel);
  const KernelSource& source = kernel.source();
  Step step{std::move(launch), create_kernel(kernel.program, source)};
  for (std::size_t i = 0; i < step.launch.arguments.size(); ++i) {
    set_argument(step.kernel, i, step.launch.arguments[i], source.entry);
  }
  for (std::size_t d = 0; d < 3; ++d) {
    step.local[d] = static_cast<std::size_t>(source.launch.group_size[d]);
    step.global[d] = static_cast<std::size_t>(step.launch.groups[d]) * step.local[d];
  }
  return step;
}

class EnqueueRecording final : public Recording {
 public:
  EnqueueRecording(Context context, const DeviceInfo& info, cl_device_id device, Queue queue,
                   std::vector<Step> steps)
      : context_(std::move(context)), device_(device), queue_(std::move(queue)), steps_(std::move(steps)) {
    std::vector<RecordedKernel> kernels;
    for (const Step& step : steps_) {
      if (!step.is_empty()) kernels.push_back({step.kernel.get(), step.global, step.local});
    }
    all_at_once_ = make_command_buffer(info, device_, queue_.get(), kernels);
    const auto queues = all_at_once_ ? std::nullopt : recordable_queues(info, device_);
    if (queues) all_at_once_ = record_on_queue(*queues, context_.get(), device_, queue_.get(), kernels);
  }

  ~EnqueueRecording() override {
    if (was_started_) finish(queue_);  // queued launches must not outlive the buffers that they use
  }

  void start() override {
    was_started_ = true;
    enqueue_all();
    check(clFlush(queue_.get()), "clFlush");
  }

  void wait(Waiting waiting) override { wait_for(queue_, waiting, names()); }

  std::vector<LaunchInterval> replay_intervals() override {
    // The queue that times does not wait for the other one, where writes may be under way though they
    // blocked: that says that the memory of the host is free again.
    wait(Waiting::Driver);
    if (!timing_queue_) timing_queue_ = make_timing_queue();
    std::vector<Event> events;
    for (const Step& step : steps_) {
      cl_event event = nullptr;
      enqueue(timing_queue_, step, &event);
      events.emplace_back(event);
    }
    wait_for(timing_queue_, Waiting::Driver, names());
    std::vector<LaunchInterval> intervals;
    for (std::size_t i = 0; i < steps_.size(); ++i) intervals.push_back(interval(events[i], steps_[i]));
    return intervals;
  }

 private:
  Queue make_timing_queue() const {
    cl_int status = CL_SUCCESS;
    Queue queue(clCreateCommandQueue(context_.get(), device_, CL_QUEUE_PROFILING_ENABLE, &status));
    check(status, "clCreateCommandQueue");
    return queue;
  }

  void enqueue_all() {
    if (all_at_once_ && all_at_once_->enqueue()) return;
    for (const Step& step : steps_) enqueue(queue_, step, nullptr);
  }

  static void enqueue(const Queue& queue, const Step& step, cl_event* event) {
    if (step.is_empty()) return;
    const cl_int status = clEnqueueNDRangeKernel(queue.get(), step.kernel.get(), 3, nullptr,
                                                 step.global.data(), step.local.data(), 0, nullptr, event);
    if (status != CL_SUCCESS) finish(queue);  // queued launches must not outlive the buffers that they use
    check(status, "clEnqueueNDRangeKernel", step.name());
  }

  /// A kernel that fails while it runs is known only as one of those launched.
  std::string names() const {
    return steps_.empty() ? "" : "among " + steps_.front().name() + " .. " + steps_.back().name();
  }

  /// An empty launch has no event.
  static LaunchInterval interval(const Event& event, const Step& step) {
    if (!event) return {};
    const auto time = [&](cl_profiling_info what) {
      cl_ulong nanoseconds = 0;
      check(clGetEventProfilingInfo(event.get(), what, sizeof nanoseconds, &nanoseconds, nullptr),
            "clGetEventProfilingInfo", step.name());
      return static_cast<std::int64_t>(nanoseconds);
    };
    return {time(CL_PROFILING_COMMAND_START), time(CL_PROFILING_COMMAND_END)};
  }

  Context context_;
  cl_device_id device_;
  Queue queue_;
  Queue timing_queue_;  // made when first asked for: profiling slows some drivers' queues
  std::vector<Step> steps_;
  std::unique_ptr<CommandBuffer> all_at_once_;  // null: the device has no such thing
  bool was_started_ = false;
};

}  // namespace

std::unique_ptr<Recording> record_enqueues(const Context& context, const DeviceInfo& info,
                                           cl_device_id device, const Queue& queue,
                                           std::vector<Launch> launches) {
  std::vector<Step> steps;
  for (Launch& launch : launches) {
    runtime::check_launch(launch, ContextOwner(context.get()));
    steps.push_back(make_step(std::move(launch)));
    check_sub_groups(steps.back().kernel.get(), device,
                     static_cast<const OpenClKernel&>(*steps.back().launch.kernel).source());
  }
  return std::make_unique<EnqueueRecording>(context, info, device, queue, std::move(steps));
}

}  // namespace tensordsl::opencl
