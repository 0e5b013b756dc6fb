#include "backends/opencl/device/wait.h"

#include <future>

#include "backends/opencl/device/check.h"

namespace tensordsl::opencl {
namespace {

/// Makes a marker for all commands that were enqueued before.
Event make_marker(const Queue& queue, const std::string& kernel) {
  cl_event event = nullptr;
  check(clEnqueueMarkerWithWaitList(queue.get(), 0, nullptr, &event), "clEnqueueMarkerWithWaitList", kernel);
  Event marker(event);
  check(clFlush(queue.get()), "clFlush", kernel);
  return marker;
}

cl_int status_of(const Event& event) {
  cl_int status = CL_QUEUED;
  check(clGetEventInfo(event.get(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
        "clGetEventInfo");
  return status;
}

/// Polls until the marker is complete. Returns its status: CL_COMPLETE or an error.
cl_int spin(const Event& marker) {
  cl_int status = CL_QUEUED;
  while (status > CL_COMPLETE) status = status_of(marker);
  return status;
}

/// The promise is the callback's: it may still be in use when the thread continues.
cl_int sleep(const Event& marker) {
  auto done = std::make_unique<std::promise<cl_int>>();
  std::future<cl_int> status = done->get_future();
  check(clSetEventCallback(
            marker.get(), CL_COMPLETE,
            [](cl_event, cl_int result, void* data) {
              const std::unique_ptr<std::promise<cl_int>> owned(static_cast<std::promise<cl_int>*>(data));
              owned->set_value(result);
            },
            done.get()),
        "clSetEventCallback");
  done.release();
  return status.get();
}

}  // namespace

void wait_for(const Queue& queue, Waiting waiting, const std::string& kernel) {
  if (waiting == Waiting::Driver) return check(finish(queue), "clFinish", kernel);
  const Event marker = make_marker(queue, kernel);
  const cl_int status = waiting == Waiting::Spinning ? spin(marker) : sleep(marker);
  // clFinish returns at once here, and reports failures that the marker does not.
  check(clFinish(queue.get()), "clFinish", kernel);
  if (status < 0) check(status, "a launch", kernel);
}

cl_int finish(const Queue& queue) noexcept {
  // clFinish of Mesa 22's rusticl waits for the commands enqueued since the last clFlush, and for none if
  // there are none.
  clEnqueueMarkerWithWaitList(queue.get(), 0, nullptr, nullptr);
  return clFinish(queue.get());
}

}  // namespace tensordsl::opencl
