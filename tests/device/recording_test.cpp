#include <doctest/doctest.h>
#include <fmt/format.h>

#include <chrono>
#include <limits>
#include <numeric>

#include "device/environment.h"
#include "support/driver_faults.h"
#include "tensordsl/error.h"

using namespace tensordsl;
using namespace tensordsl::test;

namespace {

using BufferPointer = std::shared_ptr<DeviceBuffer>;

/// A device with the add kernel and buffers of 100 floats: a[i] = i, b[i] = 1000.
struct Fixture {
  CleanEnvironment environment;
  std::shared_ptr<Device> device = Device::open();
  std::shared_ptr<DeviceKernel> add = device->build({add_source()}).front();
  BufferPointer a = device->allocate(400), b = device->allocate(400), out = device->allocate(400);

  Fixture() {
    std::vector<float> counting(100);
    std::iota(counting.begin(), counting.end(), 0.0f);
    write(a, counting);
    write(b, std::vector<float>(100, 1000.0f));
    write(out, std::vector<float>(100, -1.0f));
  }
  void write(const BufferPointer& buffer, const std::vector<float>& values) const {
    device->write(*buffer, std::as_bytes(std::span(values)));
  }
  std::vector<float> read(const BufferPointer& buffer) const {
    std::vector<float> values(100);
    device->read(*buffer, std::as_writable_bytes(std::span(values)));
    return values;
  }
  std::string record_error(Launch launch) const {
    try {
      device->record({std::move(launch)});
    } catch (const DeviceError& e) {
      return e.what();
    }
    return "";
  }
};

}  // namespace

TEST_CASE_FIXTURE(Fixture,
                  "recording: launches run in order, each with its own arguments, as often as replayed") {
  // out = a + b; a = out + b: the second launch of the same kernel sees the first one's result.
  const auto recording =
      device->record({{add, {a, b, out, 100}, {13, 1, 1}}, {add, {out, b, a, 100}, {13, 1, 1}}});
  for (int round = 1; round <= 3; ++round) {
    recording->replay();
    const std::vector<float> values = read(a);
    for (int i = 0; i < 100; ++i)
      CHECK(values[static_cast<std::size_t>(i)] == static_cast<float>(i + 2000 * round));
  }
  const std::vector<float> values = read(out);
  CHECK(values[99] == 99 + 5000);
}

TEST_CASE_FIXTURE(Fixture, "recording: all ways to wait do, after all that was started") {
  const auto recording =
      device->record({{add, {a, b, out, 100}, {13, 1, 1}}, {add, {out, b, a, 100}, {13, 1, 1}}});
  float expected = 50;
  for (const Waiting waiting : {Waiting::Driver, Waiting::Sleeping, Waiting::Spinning}) {
    recording->replay(waiting);
    recording->start();
    recording->start();
    recording->wait(waiting);
    recording->start();
    device->finish(waiting);
    expected += 4 * 2000;
    CHECK(read(a)[50] == expected);
  }
}

TEST_CASE_FIXTURE(Fixture, "recording: a timed replay computes the same and gives a time for each launch") {
  const auto recording = device->record({{add, {a, b, out, 100}, {13, 1, 1}},
                                         {add, {a, b, out, 0}, {0, 1, 1}},
                                         {add, {out, b, out, 100}, {13, 1, 1}}});
  for (int round = 0; round < 2; ++round) {
    const auto start = std::chrono::steady_clock::now();
    const std::vector<std::int64_t> nanoseconds = recording->replay_timed();
    const std::chrono::nanoseconds replay = std::chrono::steady_clock::now() - start;
    REQUIRE(nanoseconds.size() == 3);
    CHECK(nanoseconds[0] > 0);
    // Launches lie within the replay, however long it was; the two clocks need not go alike.
    CHECK(nanoseconds[0] + nanoseconds[2] < 2 * replay.count());
    CHECK(nanoseconds[1] == 0);
    CHECK(nanoseconds[2] > 0);
    CHECK(read(out)[7] == 2007);
  }
}

TEST_CASE_FIXTURE(Fixture, "recording: launches run one after the other by the device's clock") {
  const auto recording = device->record({{add, {a, b, out, 100}, {13, 1, 1}},
                                         {add, {a, b, out, 0}, {0, 1, 1}},
                                         {add, {out, b, out, 100}, {13, 1, 1}}});
  const std::vector<LaunchInterval> intervals = recording->replay_intervals();
  REQUIRE(intervals.size() == 3);
  CHECK(intervals[0].start < intervals[0].end);
  CHECK(intervals[1].start == 0);
  CHECK(intervals[1].end == 0);
  if (!has_no_launch_times(device->info())) CHECK(intervals[0].end <= intervals[2].start);
  CHECK(intervals[2].start < intervals[2].end);
}

TEST_CASE_FIXTURE(
    Fixture, "recording: what is started is done when the device has finished, or the recording has ended") {
  auto recording = device->record({{add, {a, b, out, 100}, {13, 1, 1}}, {add, {out, b, a, 100}, {13, 1, 1}}});
  recording->start();
  recording->start();
  device->finish();
  CHECK(read(a)[7] == 7 + 4000);
  recording->start();
  recording.reset();
  CHECK(read(a)[7] == 7 + 6000);
  device->finish();
}

TEST_CASE_FIXTURE(Fixture, "recording: no launches, and launches of no work-group, do nothing") {
  device->record({})->replay();
  CHECK(device->record({})->replay_timed().empty());
  const auto recording = device->record({{add, {a, b, out, 100}, {13, 0, 1}}});
  recording->replay();
  CHECK(read(out) == std::vector<float>(100, -1.0f));
}

TEST_CASE_FIXTURE(Fixture, "recording: it keeps its buffers, its kernels and the device's queue alive") {
  const auto result = out;
  const auto recording = device->record({{add, {a, b, out, 100}, {13, 1, 1}}});
  const auto second = device->build({add_source()});
  add.reset();
  a.reset();
  b.reset();
  recording->replay();
  CHECK(read(result)[5] == 1005);
  device.reset();
  CHECK_NOTHROW(recording->replay());
}

TEST_CASE_FIXTURE(Fixture, "recording: all kinds of scalar arguments arrive") {
  KernelSource source;
  source.entry = "scalars";
  source.text = R"(__kernel void scalars(__global float* out, const int i, const long l, const float f) {
    out[0] = i; out[1] = (float)(l >> 32); out[2] = f; })";
  using Kind = KernelArgument::Kind;
  source.arguments = {{Kind::Buffer, "out", Float(32), KernelArgument::Access::WriteOnly, "3"},
                      {Kind::Scalar, "i", Int(32), KernelArgument::Access::ReadOnly, "1"},
                      {Kind::Scalar, "l", Int(64), KernelArgument::Access::ReadOnly, "1"},
                      {Kind::Scalar, "f", Float(32), KernelArgument::Access::ReadOnly, "1"}};
  const auto kernel = device->build({source}).front();
  device->record({{kernel, {out, -7, std::int64_t{5} << 32, 2.5f}}})->replay();
  const std::vector<float> values = read(out);
  CHECK(values[0] == -7.0f);
  CHECK(values[1] == 5.0f);
  CHECK(values[2] == 2.5f);
  CHECK(record_error({kernel, {out, -7, std::int64_t{5}, 2}}) ==
        "kernel scalars, argument 3 \"f\": expected a scalar of f32, found a scalar of i32");
  CHECK(record_error({kernel, {out, -7, 5, 2.0f}}) ==
        "kernel scalars, argument 2 \"l\": expected a scalar of i64, found a scalar of i32");
}

TEST_CASE_FIXTURE(Fixture, "recording: arguments that are not the kernel's are refused with what it wants") {
  CHECK(record_error({nullptr, {}}) == "record: a launch has no kernel");
  CHECK(record_error({add, {a, b, out}}) == "kernel add: expected 4 arguments, found 3");
  CHECK(record_error({add, {a, 1, out, 100}}) ==
        "kernel add, argument 1 \"b\": expected a buffer of f32, found a scalar of i32");
  CHECK(record_error({add, {a, b, out, 1.0f}}) ==
        "kernel add, argument 3 \"n\": expected a scalar of i32, found a scalar of f32");
  CHECK(record_error({add, {a, b, out, std::int64_t{1}}}) ==
        "kernel add, argument 3 \"n\": expected a scalar of i32, found a scalar of i64");
  CHECK(record_error({add, {a, b, out, out}}) ==
        "kernel add, argument 3 \"n\": expected a scalar of i32, found a buffer");
  CHECK(record_error({add, {BufferPointer(), b, out, 1}}) ==
        "kernel add, argument 0 \"a\": the buffer is null");
  const auto other = Device::open();
  CHECK(record_error({add, {other->allocate(400), b, out, 1}}) ==
        "kernel add, argument 0 \"a\": the buffer belongs to another device");
  CHECK(record_error({other->build({add_source()}).front(), {a, b, out, 1}}) ==
        "kernel add: the kernel was built for another device");
}

TEST_CASE_FIXTURE(Fixture, "recording: a buffer that is too small for the scalar arguments is refused") {
  CHECK(record_error({add, {a, b, out, 100}}) == "");
  CHECK(
      record_error({add, {a, b, out, 101}}) ==
      "kernel add, argument 0 \"a\": the kernel needs 101 elements of 4 bytes, but the buffer has 400 bytes");
  CHECK(record_error({add, {a, b, device->allocate(399), 100}}) ==
        "kernel add, argument 2 \"out\": the kernel needs 100 elements of 4 bytes, but the buffer has 399 "
        "bytes");
  CHECK(record_error({add, {a, b, out, -1}, {0, 1, 1}}) == "");
  CHECK(record_error({add, {a, b, out, 2147483647}}) ==
        "kernel add, argument 0 \"a\": 2147483647 elements exceed the limit of a kernel's index, 2130706432; "
        "split the tensor");

  KernelSource source = add_source();
  source.arguments[1].elements = "(n + m)*2";
  const auto unknown = device->build({source}).front();
  CHECK(
      record_error({unknown, {a, b, out, 1}}) ==
      "kernel add, argument 1 \"b\": cannot evaluate its size \"(n + m)*2\": \"(n + m)*2\": m has no value");
}

TEST_CASE_FIXTURE(
    Fixture, "recording: a kernel that needs its buffers more aligned than the device has them is refused") {
  const std::int64_t alignment = device->info().buffer_alignment_bytes;
  CHECK(alignment >= 16);
  KernelSource source = add_source();
  source.arguments[1].alignment = static_cast<int>(alignment);
  CHECK(record_error({device->build({source}).front(), {a, b, out, 1}}) == "");
  source.arguments[1].alignment = static_cast<int>(alignment * 2);
  CHECK(record_error({device->build({source}).front(), {a, b, out, 1}}) ==
        fmt::format("kernel add, argument 1 \"b\": the kernel needs a buffer aligned to {} bytes, but the "
                    "device aligns buffers to {}; compile it with disable_pass(\"align_accesses\")",
                    alignment * 2, alignment));
}

TEST_CASE_FIXTURE(Fixture, "recording: group counts out of range are refused") {
  const std::int64_t most = std::numeric_limits<std::int32_t>::max() / 8;
  CHECK(record_error({add, {a, b, out, 100}, {-1, 1, 1}}) ==
        "kernel add: -1 work-groups of 8 work-items in dimension 0; the number must be from 0 to 268435455");
  CHECK(record_error({add, {a, b, out, 100}, {most + 1, 1, 1}}) ==
        "kernel add: 268435456 work-groups of 8 work-items in dimension 0; the number must be from 0 to "
        "268435455");
  CHECK(record_error({add, {a, b, out, 100}, {1, 1, std::int64_t{1} << 40}}) ==
        "kernel add: 1099511627776 work-groups of 1 work-items in dimension 2; the number must be from 0 to "
        "2147483647");
}

TEST_CASE_FIXTURE(Fixture,
                  "recording: a launch that the driver refuses names the kernel, and the device goes on") {
  KernelSource source = add_source();
  source.launch.group_size = {4, 1, 1};  // the text requires 8
  const auto wrong = device->build({source}).front();
  const auto recording =
      device->record({{add, {a, b, out, 100}, {13, 1, 1}}, {wrong, {a, b, out, 100}, {25, 1, 1}}});
  const char* error = "clEnqueueNDRangeKernel failed: CL_INVALID_WORK_GROUP_SIZE (-54), kernel add";
  CHECK_THROWS_WITH_AS(recording->replay(), error, DeviceError);
  CHECK_THROWS_WITH_AS(recording->replay_timed(), error, DeviceError);
  device->record({{add, {a, b, out, 100}, {13, 1, 1}}})->replay();
  CHECK(read(out)[1] == 1001);
}
