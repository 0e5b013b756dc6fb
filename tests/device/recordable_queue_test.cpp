// Recordings of cl_qcom_recordable_queues, with a driver of the test's own.
#include "backends/opencl/device/recordable_queue.h"

#include <doctest/doctest.h>

#include <fmt/format.h>

#include <string>

#include "support/error_text.h"

namespace tensordsl::opencl {
namespace {

/// The calls to the driver, and those that it refuses.
struct Calls {
  std::string text;
  int recordings = 0, live = 0, refused_kernel = -1, refused_recording = -1, kernels = 0, enqueued = 0;
} calls;

cl_command_queue as_queue(std::size_t number) { return reinterpret_cast<cl_command_queue>(number); }

RecordableQueues queues_of(cl_uint most) {
  calls = {};
  RecordableQueues q;
  q.most_kernels = most;
  q.create_queue = [](cl_context, cl_device_id, cl_command_queue_properties what, cl_int* status) {
    calls.text += fmt::format("queue {:#x}; ", what);
    ++calls.live;
    *status = CL_SUCCESS;
    return as_queue(7);
  };
  q.release_queue = [](cl_command_queue) {
    --calls.live;
    return cl_int{CL_SUCCESS};
  };
  q.enqueue_kernel = [](cl_command_queue queue, cl_kernel kernel, cl_uint, const size_t*,
                        const size_t* global, const size_t* local, cl_uint, const cl_event*, cl_event*) {
    CHECK(queue == as_queue(7));
    calls.text += fmt::format("{} of {}/{}; ", reinterpret_cast<std::size_t>(kernel), global[0], local[0]);
    return cl_int{calls.kernels++ == calls.refused_kernel ? CL_INVALID_KERNEL : CL_SUCCESS};
  };
  q.begin = [](cl_command_queue, cl_int* status) {
    ++calls.live;
    *status = CL_SUCCESS;
    calls.text += "begin; ";
    return reinterpret_cast<cl_recording_qcom>(static_cast<std::size_t>(++calls.recordings));
  };
  q.end = [](cl_recording_qcom) {
    calls.text += "end; ";
    return cl_int{CL_SUCCESS};
  };
  q.release = [](cl_recording_qcom) {
    --calls.live;
    return cl_int{CL_SUCCESS};
  };
  q.enqueue = [](cl_command_queue queue, cl_recording_qcom recording, size_t, const void*, size_t,
                 const void*, size_t, const void*, size_t, const void*, cl_uint, const cl_event*, cl_event*) {
    CHECK(queue == as_queue(9));
    calls.text += fmt::format("run {}; ", reinterpret_cast<std::size_t>(recording));
    return cl_int{calls.enqueued++ == calls.refused_recording ? CL_OUT_OF_RESOURCES : CL_SUCCESS};
  };
  return q;
}

std::unique_ptr<CommandBuffer> recorded(const RecordableQueues& queues, std::size_t count) {
  std::vector<RecordedKernel> kernels;
  for (std::size_t i = 1; i <= count; ++i)
    kernels.push_back({reinterpret_cast<cl_kernel>(i), {64 * i, 1, 1}, {8, 1, 1}});
  return record_on_queue(queues, nullptr, nullptr, as_queue(9), kernels);
}

}  // namespace

TEST_CASE(
    "recordable queues: kernels are recorded once, as many at a time as the driver takes, and run in order") {
  const RecordableQueues queues = queues_of(2);
  {
    const auto all = recorded(queues, 3);
    REQUIRE(all);
    CHECK(calls.text == "queue 0x40000000; begin; 1 of 64/8; 2 of 128/8; end; begin; 3 of 192/8; end; ");
    calls.text.clear();
    CHECK(all->enqueue());
    CHECK(all->enqueue());
    CHECK(calls.text == "run 1; run 2; run 1; run 2; ");
  }
  CHECK(calls.live == 0);
}

TEST_CASE("recordable queues: what the driver refuses is left to others, and nothing of it stays") {
  const RecordableQueues queues = queues_of(4);
  calls.refused_kernel = 1;
  CHECK(recorded(queues, 3) == nullptr);
  CHECK(calls.live == 0);
  CHECK(recorded(queues_of(4), 0) == nullptr);
  CHECK(recorded(queues_of(0), 3) == nullptr);
}

TEST_CASE(
    "recordable queues: a recording that is not taken is no run; behind others of the run it is an error") {
  const RecordableQueues queues = queues_of(1);
  const auto all = recorded(queues, 2);
  calls.refused_recording = 0;
  CHECK_FALSE(all->enqueue());
  calls.refused_recording = 2;
  CHECK(error_of([&] { all->enqueue(); }).starts_with("clEnqueueRecordingQCOM failed"));
}

TEST_CASE("recordable queues: a device without the extension has none") {
  CHECK_FALSE(recordable_queues(DeviceInfo(), nullptr));
}

}  // namespace tensordsl::opencl
