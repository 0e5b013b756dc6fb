// Graphs over a fake libcuda, whose kernels add: any OpenCL device compiles.
#include "backends/cuda_graphs/cuda_device.h"

#include <doctest/doctest.h>

#include <numeric>

#include "backends/cuda_graphs/cuda_graph_driver.h"
#include "device/environment.h"
#include "tensordsl/error.h"

using namespace tensordsl;
using namespace tensordsl::test;

namespace {

using BufferPointer = std::shared_ptr<DeviceBuffer>;

std::shared_ptr<Device> open_device() {
  const auto library = cuda::Library::load();
  REQUIRE(library);
  const auto listed = opencl::list_devices();
  REQUIRE(!listed.empty());
  DeviceInfo info = listed.front().info;
  info.platform = "CUDA graphs of " + info.platform;
  info.buffer_alignment_bytes = 256;
  info.has_images = false;
  const runtime::ProgramCache cache(runtime::ProgramCache::folder_of_environment());
  return std::make_shared<cuda::CudaDevice>(std::make_shared<const cuda::Session>(library, 0),
                                            std::make_unique<opencl::OpenClDevice>(listed.front(), cache),
                                            info);
}

struct Fixture {
  CleanEnvironment environment;
  std::shared_ptr<Device> device = open_device();
  std::shared_ptr<DeviceKernel> add = device->build({add_source()}).front();
  BufferPointer a = device->allocate(400), b = device->allocate(400), out = device->allocate(400);

  Fixture() {
    std::vector<float> counting(100);
    std::iota(counting.begin(), counting.end(), 0.0F);
    write(a, counting);
    write(b, std::vector<float>(100, 1000.0F));
    write(out, std::vector<float>(100, -1.0F));
  }
  void write(const BufferPointer& buffer, const std::vector<float>& values) const {
    device->write(*buffer, std::as_bytes(std::span(values)));
  }
  std::vector<float> read(const BufferPointer& buffer) const {
    std::vector<float> values(100);
    device->read(*buffer, std::as_writable_bytes(std::span(values)));
    return values;
  }
};

template <typename Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const DeviceError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE_FIXTURE(Fixture,
                  "graph: launches run in order, each with its own arguments, as often as replayed") {
  const auto recording =
      device->record({{add, {a, b, out, 100}, {13, 1, 1}}, {add, {out, b, a, 100}, {13, 1, 1}}});
  for (int round = 1; round <= 3; ++round) {
    recording->replay();
    CHECK(read(a)[7] == 7 + 2000.0F * static_cast<float>(round));
    CHECK(read(out)[99] == 99 + 2000.0F * static_cast<float>(round) - 1000);
  }
  recording->start();
  device->finish();
  CHECK(read(a)[0] == 8000);
  for (const Waiting waiting : {Waiting::Driver, Waiting::Sleeping, Waiting::Spinning}) {
    recording->replay(waiting);
    device->finish(waiting);
  }
  CHECK(read(a)[0] == 14000);
}

TEST_CASE_FIXTURE(Fixture,
                  "graph: launches that are timed run too, one after the other; empty ones take none") {
  const auto recording = device->record({{add, {a, b, out, 100}, {13, 1, 1}},
                                         {add, {a, b, a, 100}, {0, 1, 1}},
                                         {add, {out, b, a, 50}, {7, 1, 1}}});
  const std::vector<LaunchInterval> intervals = recording->replay_intervals();
  REQUIRE(intervals.size() == 3);
  CHECK(intervals[0].end > intervals[0].start);
  CHECK(intervals[1].start == 0);
  CHECK(intervals[1].end == 0);
  CHECK(intervals[2].start >= intervals[0].end);
  CHECK(read(a)[49] == 2049);
  CHECK(read(a)[50] == 50);
}

TEST_CASE_FIXTURE(Fixture, "graph: a list of no launches, or of empty ones, does nothing") {
  device->record({})->replay();
  const auto empty = device->record({{add, {a, b, out, 0}, {0, 1, 1}}});
  empty->replay();
  CHECK(read(out)[0] == -1);
  CHECK(device->record({})->replay_intervals().empty());
}

TEST_CASE_FIXTURE(Fixture, "CUDA's memory: a part is the whole's, and keeps it") {
  auto whole = device->allocate(1024);
  const auto part = device->part(whole, 512, 400);
  whole.reset();
  device->record({{add, {a, b, part, 100}, {13, 1, 1}}})->replay();
  CHECK(read(part)[3] == 1003);
  CHECK(error_of([&] { device->part(part, 0, 0); }) ==
        "part: the buffer is already a part of another; take a part of the whole buffer");
}

TEST_CASE_FIXTURE(Fixture, "CUDA's memory: what does not fit, or is another device's, is refused") {
  CHECK(error_of([&] { read(device->allocate(100)); }) ==
        "read: 400 bytes at offset 0 exceed the buffer's 100 bytes");
  const auto other = Device::open();
  const auto foreign = other->allocate(400);
  CHECK(error_of([&] { read(foreign); }) ==
        "read: the buffer belongs to another device, not to " + device->info().name);
  CHECK(error_of([&] {
          device->record({{add, {a, b, foreign, 100}, {13, 1, 1}}});
        }) == "kernel add, argument 2 \"out\": the buffer belongs to another device");
  const auto kernel = other->build({add_source()}).front();
  CHECK(error_of([&] {
          device->record({{kernel, {a, b, out, 100}, {13, 1, 1}}});
        }) == "kernel add: the kernel was built for another device");
  CHECK(error_of([&] { device->part(a, 4, 8); }) ==
        "part: the offset 4 must be a multiple of 256 bytes for " + device->info().name);
  CHECK(error_of([&] { device->allocate(ImageDescription{}); }) ==
        "allocate: " + device->info().name +
            " has no images when CUDA replays its kernels; open it as the device of platform \"" +
            opencl::list_devices().front().info.platform + "\", by its PLATFORM:DEVICE in Device::list()");
  const std::string full = error_of([&] { device->allocate((std::size_t{1} << 30) + 1); });
  CHECK(full.find("device memory: 1073741825 bytes") == 0);
  CHECK(full.find("cuMemAlloc failed: out of memory (2)") != std::string::npos);
}

TEST_CASE_FIXTURE(Fixture, "graph: more work-groups than CUDA counts in a dimension are refused") {
  CHECK(error_of([&] {
          device->record({{add, {a, b, out, 100}, {13, 65536, 1}}});
        }) ==
        "kernel add: 65536 work-groups in dimension 1 exceed CUDA's limit of 65535; give the first dimension "
        "of gpu_blocks the longest loop");
  CHECK(device->record({{add, {a, b, out, 100}, {13, 65535, 1}}}) != nullptr);
}

TEST_CASE_FIXTURE(Fixture, "CUDA's memory: an empty tensor has some") {
  const auto empty = device->allocate(0);
  CHECK(empty->size_bytes() == 0);
  device->write(*empty, {});
  CHECK(device->record({{add, {empty, empty, empty, 0}, {0, 1, 1}}}) != nullptr);
}

TEST_CASE_FIXTURE(Fixture, "CUDA: a kernel whose entry is not in its program is refused by name") {
  KernelSource other = add_source();
  other.entry = "subtract";
  other.text.replace(other.text.find("void add"), 8, "void subtract");
  CHECK(error_of([&] { device->build({other}); }) ==
        "cuModuleGetFunction failed: named symbol not found (500), kernel subtract");
}

TEST_CASE("CUDA graphs: a machine whose devices CUDA does not know has none") {
  CHECK(cuda::CudaGraphDriver().devices(0).empty());
}
