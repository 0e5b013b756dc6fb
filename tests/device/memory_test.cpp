#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <limits>

#include "device/environment.h"
#include "tensordsl/error.h"

using namespace tensordsl;
using namespace tensordsl::test;

TEST_CASE("devices: the list says of each what schedules need") {
  const std::vector<DeviceInfo> devices = Device::list();
  REQUIRE_FALSE(devices.empty());
  for (const DeviceInfo& d : devices) {
    CHECK_FALSE(d.name.empty());
    CHECK_FALSE(d.driver.empty());
    CHECK_FALSE(d.platform.empty());
    CHECK(d.extensions.empty() == (d.backend == "llvm"));
    CHECK(d.compute_units >= 1);
    CHECK(d.max_group_size >= 1);
    CHECK(d.max_group_sizes[0] >= 1);
    CHECK(d.local_memory_bytes >= 1024);
    CHECK(d.max_allocation_bytes >= 1 << 20);
    CHECK(d.global_memory_bytes >= d.max_allocation_bytes);
    CHECK(d.native_vector_width_float >= 1);
    if (d.has_images) CHECK(d.image_limits.width >= 2048);
  }
}

TEST_CASE("devices: every listed device opens by its number, and an unknown name lists them") {
  const CleanEnvironment environment;
  for (const DeviceInfo& d : Device::list()) {
    CHECK(Device::open(fmt::format("{}:{}", d.platform_number, d.device_number))->info().name == d.name);
  }
  const std::string name = Device::list().front().name;
  CHECK_THROWS_WITH_AS(Device::open("no such device"), doctest::Contains(("\"" + name + "\"").c_str()),
                       DeviceError);
  const ScopedVariable variable("TENSORDSL_DEVICE", "nor this one");
  CHECK_THROWS_WITH_AS(Device::open(),
                       doctest::Contains("no device matches TENSORDSL_DEVICE=\"nor this one\""), DeviceError);
}

// These run in processes of their own, below: the ICD loader searches for platforms once per process.
TEST_CASE("child: no platform" * doctest::skip()) {
  REQUIRE(Device::list().size() == 1);
  CHECK(Device::open()->info().backend == "llvm");
  CHECK(Device::open("cpu")->info().backend == "llvm");
}

TEST_CASE("child: no platform and no LLVM" * doctest::skip()) {
  const ScopedVariable llvm("TENSORDSL_LLVM", "/no/such/libLLVM.so");
  CHECK(Device::list().empty());
  CHECK_THROWS_WITH_AS(Device::open(), doctest::Contains("no device found"), DeviceError);
}

TEST_CASE(
    "devices: without any OpenCL platform the processor is the device, and without LLVM there is none") {
  const TemporaryFolder no_drivers;
  const CleanEnvironment environment;
  const ScopedVariable vendors("OCL_ICD_VENDORS", no_drivers.path().string());
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  CHECK(std::system(("'" + self + "' --no-skip -tc='child: no platform' > /dev/null").c_str()) == 0);
  CHECK(std::system(("'" + self + "' --no-skip -tc='child: no platform and no LLVM' > /dev/null").c_str()) ==
        0);
}

TEST_CASE("device memory: what is written is read back, in parts too") {
  const CleanEnvironment environment;
  const auto device = Device::open();
  std::vector<std::byte> data(1000);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::byte>(i * 13);
  const auto buffer = device->allocate(data.size());
  CHECK(buffer->size_bytes() == 1000);
  device->write(*buffer, data);
  std::vector<std::byte> back(1000);
  device->read(*buffer, back);
  CHECK(back == data);

  std::vector<std::byte> part(10, std::byte{7});
  device->write(*buffer, part, 990);
  device->read(*buffer, std::span(back).first(20), 980);
  CHECK(std::equal(back.begin(), back.begin() + 10, data.begin() + 980));
  CHECK(std::equal(back.begin() + 10, back.begin() + 20, part.begin()));
}

TEST_CASE("device memory: what is no part of a buffer is refused") {
  const CleanEnvironment environment;
  const auto device = Device::open(), other = Device::open();
  const auto step = static_cast<std::size_t>(device->info().buffer_alignment_bytes);
  const auto whole = device->allocate(4 * step);
  const auto part = device->part(whole, 0, 2 * step);
  CHECK_THROWS_WITH_AS(device->part(part, 0, step),
                       "part: the buffer is already a part of another; take a part of the whole buffer",
                       DeviceError);
  CHECK_THROWS_WITH_AS(device->part(whole, 3 * step, 2 * step), doctest::Contains("bytes at offset"),
                       DeviceError);
  CHECK_THROWS_WITH_AS(device->part(whole, 1, 1),
                       doctest::Contains("part: the offset 1 must be a multiple of"), DeviceError);
  CHECK_THROWS_WITH_AS(other->part(whole, 0, step),
                       doctest::Contains("part: the buffer belongs to another device"), DeviceError);
}

TEST_CASE("device memory: an empty buffer is a buffer") {
  const CleanEnvironment environment;
  const auto device = Device::open();
  const auto buffer = device->allocate(0);
  CHECK(buffer->size_bytes() == 0);
  CHECK_NOTHROW(device->write(*buffer, {}));
  CHECK_NOTHROW(device->read(*buffer, {}));
}

TEST_CASE("device memory: parts end in the reverse of the order in which they were made") {
  const CleanEnvironment environment;
  const auto device = Device::open();
  const auto step = static_cast<std::size_t>(device->info().buffer_alignment_bytes);
  auto whole = device->allocate(4 * step);
  auto first = device->part(whole, 0, 2 * step);
  auto second = device->part(whole, step, 2 * step);
  const std::weak_ptr<DeviceBuffer> of_whole = whole, of_first = first;
  whole.reset();
  first.reset();
  CHECK(!of_first.expired());
  second.reset();
  CHECK(of_first.expired());
  CHECK(of_whole.expired());
}

TEST_CASE("device memory: a part of a buffer is its memory, and keeps it") {
  const CleanEnvironment environment;
  const auto device = Device::open();
  const auto step = static_cast<std::size_t>(device->info().buffer_alignment_bytes);
  auto whole = device->allocate(4 * step);
  const auto part = device->part(whole, 2 * step, step + 5);
  CHECK(part->size_bytes() == step + 5);
  std::vector<std::byte> data(4 * step), back(10);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::byte>(i * 13);
  device->write(*whole, data);
  device->read(*part, back, 7);
  CHECK(std::equal(back.begin(), back.end(), data.begin() + static_cast<std::ptrdiff_t>(2 * step + 7)));
  const std::vector<std::byte> fives(5, std::byte{5});
  device->write(*part, fives, step);
  device->read(*whole, back, 3 * step - 1);
  CHECK(back[0] == data[3 * step - 1]);
  CHECK(std::equal(fives.begin(), fives.end(), back.begin() + 1));
  CHECK(back[6] == data[3 * step + 5]);
  whole.reset();
  device->read(*part, std::span(back).first(5), step);
  CHECK(std::equal(fives.begin(), fives.end(), back.begin()));
}

TEST_CASE(
    "device memory: a part beyond the buffer, or where none can begin, is refused; an empty one is not") {
  const CleanEnvironment environment;
  const auto device = Device::open();
  const std::int64_t step = device->info().buffer_alignment_bytes;
  const auto whole = device->allocate(static_cast<std::size_t>(2 * step));
  const auto refusal = [&](std::int64_t offset, std::int64_t bytes) {
    try {
      device->part(whole, static_cast<std::size_t>(offset), static_cast<std::size_t>(bytes));
    } catch (const DeviceError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(refusal(step, step) == "");
  CHECK(refusal(step, 0) == "");
  CHECK(refusal(step, step + 1) ==
        fmt::format("part: {} bytes at offset {} exceed the buffer's {} bytes", step + 1, step, 2 * step));
  CHECK(refusal(step / 2, 1) == fmt::format("part: the offset {} must be a multiple of {} bytes for {}",
                                            step / 2, step, device->info().name));
}

TEST_CASE("device memory: access past the end and to another device's buffer is refused") {
  const CleanEnvironment environment;
  const auto device = Device::open();
  const auto buffer = device->allocate(16);
  std::vector<std::byte> data(8);
  CHECK_THROWS_WITH_AS(device->write(*buffer, data, 9),
                       "write: 8 bytes at offset 9 exceed the buffer's 16 bytes", DeviceError);
  CHECK_THROWS_WITH_AS(device->read(*buffer, data, 17),
                       "read: 8 bytes at offset 17 exceed the buffer's 16 bytes", DeviceError);
  CHECK_THROWS_AS(device->read(*buffer, data, std::numeric_limits<std::size_t>::max()), DeviceError);
  const auto other = Device::open();
  CHECK_THROWS_WITH_AS(other->write(*buffer, data),
                       ("write: the buffer belongs to another device, not to " + other->info().name).c_str(),
                       DeviceError);
}

TEST_CASE("device memory: asking for more than there is says how much may be asked for") {
  const CleanEnvironment environment;
  const auto device = Device::open();
  const DeviceInfo& info = device->info();
  const std::size_t bytes = static_cast<std::size_t>(info.max_allocation_bytes) + 1;
  CHECK_THROWS_WITH_AS(
      device->allocate(bytes),
      fmt::format("device memory: {} bytes requested, but the largest allocation of {} is {} bytes", bytes,
                  info.name, info.max_allocation_bytes)
          .c_str(),
      DeviceError);
  CHECK_THROWS_AS(device->allocate(std::numeric_limits<std::size_t>::max()), DeviceError);
  CHECK_NOTHROW(device->allocate(1 << 20));
}

TEST_CASE("device memory: buffers outlive the device's handle") {
  const CleanEnvironment environment;
  auto device = Device::open();
  const auto buffer = device->allocate(100);
  device.reset();
  CHECK(buffer->size_bytes() == 100);
}
