#include <doctest/doctest.h>
#include <fmt/format.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <span>
#include <thread>

#include "backends/opencl/device/fit_work_group.h"
#include "device/environment.h"
#include "runtime/device/program_cache.h"
#include "support/driver_faults.h"
#include "tensordsl/error.h"

using namespace tensordsl;
using namespace tensordsl::test;

namespace {

KernelSource broken_source() {
  KernelSource source = add_source("broken");
  source.entry = "broken";
  source.text = "__kernel void broken(__global float* a) { a[0] = no_such_name; }";
  return source;
}

std::string error_of(Device& device, const std::vector<KernelSource>& sources) {
  try {
    device.build(sources);
  } catch (const DeviceError& e) {
    return e.what();
  }
  return "";
}

/// Returns the key that a file contains; its length follows the magic number and the version.
runtime::ProgramKey key_of_entry(const std::string& entry) {
  std::uint64_t length = 0;
  std::memcpy(&length, entry.data() + 12, sizeof length);
  return {entry.substr(20, length)};
}

std::span<const unsigned char> bytes_of(const std::string& text) {
  return {reinterpret_cast<const unsigned char*>(text.data()), text.size()};
}

/// Builds once in a fresh Device: what was compiled and what came from the cache.
std::pair<int, int> build_counts(const std::vector<KernelSource>& sources) {
  const auto device = Device::open();
  device->build(sources);
  return {device->build_statistics().compiled, device->build_statistics().from_cache};
}

using Counts = std::pair<int, int>;

}  // namespace

TEST_CASE("build: a kernel that computes in f16 is refused by a device that has none, in one sentence") {
  const CleanEnvironment environment;
  const auto device = Device::open();
  KernelSource source = add_source("halves");
  source.text = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" + source.text;
  const std::string expected = fmt::format(
      "{}: it computes in f16 (cl_khr_fp16), which the device {} does not support; compile the program for "
      "this device",
      source.entry, device->info().name);
  CHECK(error_of(*device, {source}) == (device->info().has_fp16 ? "" : expected));
}

TEST_CASE("build: equal sources are built once, entries of one text share its program") {
  const CleanEnvironment environment;
  const auto device = Device::open();
  KernelSource two = add_source("two entries");
  two.text += "\n__kernel void second(__global float* a) { a[0] = 1; }";
  KernelSource second = two;
  second.entry = "second";
  second.arguments.resize(1);
  int calls = 0, last = 0;
  const auto kernels = device->build({add_source(), two, add_source(), second}, [&](int done, int total) {
    ++calls;
    last = done;
    CHECK(total == 2);
  });
  CHECK(last == 2);
  CHECK(calls <= 2);
  REQUIRE(kernels.size() == 4);
  CHECK(kernels[2]->source() == add_source());
  CHECK(kernels[3]->source() == second);
  CHECK(device->build_statistics().compiled == 2);
  CHECK(device->build_statistics().from_cache == 0);
  CHECK(device->build_statistics().seconds > 0);
  CHECK(device->build({}).empty());
}

TEST_CASE("build: a failure names the kernel, where its source is, and the log; the next build works") {
  const CleanEnvironment environment;
  const auto device = Device::open();
  const std::string error = error_of(*device, {broken_source()});
  INFO(error);
  const std::string start = "kernel broken does not build on " + device->info().name +
                            ": clBuildProgram failed: CL_BUILD_PROGRAM_FAILURE (-11)\nsource: " +
                            (environment.temporary.path() / "broken-").string();
  CHECK(error.substr(0, start.size()) == start);
  CHECK(error.find("no_such_name") != std::string::npos);
  const auto saved = environment.temporary.files();
  REQUIRE(saved.size() == 1);
  CHECK(error.find(saved[0].string()) != std::string::npos);
  CHECK(contents_of(saved[0]) == broken_source().text);

  CHECK(device->build({add_source()}).size() == 1);
  CHECK(device->build_statistics().compiled == 1);
}

TEST_CASE("build: among many sources the broken one is reported") {
  const CleanEnvironment environment;
  const auto device = Device::open();
  const std::string error =
      error_of(*device, {add_source(), broken_source(), add_source("x"), add_source("y")});
  CHECK(error.find("kernel broken does not build") == 0);
}

TEST_CASE("build: a failing source without $TMPDIR is saved in the cache folder") {
  const CleanEnvironment environment;
  const ScopedVariable none("TMPDIR", std::nullopt);
  const auto device = Device::open();
  CHECK(error_of(*device, {broken_source()}).find("source: " + environment.cache.path().string()) !=
        std::string::npos);
  const ScopedVariable unusable("TMPDIR", "/proc/nowhere");
  CHECK(error_of(*device, {broken_source()}).find("source: (not saved: /proc/nowhere/broken-") !=
        std::string::npos);
}

TEST_CASE("build: a kernel that is not what its manifest says is refused") {
  const CleanEnvironment environment;
  const auto device = Device::open();
  KernelSource source = add_source();
  source.entry = "subtract";
  CHECK(error_of(*device, {source}) ==
        "clCreateKernel failed: CL_INVALID_KERNEL_NAME (-46), kernel subtract");
  source = add_source();
  source.arguments.pop_back();
  CHECK(error_of(*device, {source}) ==
        "kernel add: its OpenCL text has 4 arguments, but its launch manifest has 3");
  source = add_source();
  source.launch.group_size = {0, 1, 1};
  CHECK(error_of(*device, {source}).find("kernel add: work-group size 0 in dimension 0; ") == 0);
}

TEST_CASE("build: a work-group or local memory beyond the device's is refused") {
  const CleanEnvironment environment;
  const auto device = Device::open();
  const DeviceInfo& info = device->info();
  KernelSource source;
  source.entry = "wide";
  source.text = "__kernel void wide(__global float* a) { a[get_global_id(0)] = 1; }";
  source.arguments = {add_source().arguments[0]};
  source.launch.group_size = {1, static_cast<int>(info.max_group_sizes[1]) + 1, 1};
  CHECK(error_of(*device, {source}) ==
        "kernel wide: work-group size " + std::to_string(info.max_group_sizes[1] + 1) + " in dimension 1; " +
            info.name + " allows 1 to " + std::to_string(info.max_group_sizes[1]));
  source.launch.group_size = {2, static_cast<int>(info.max_group_sizes[1]), 1};
  const std::string error = error_of(*device, {source});
  const std::string found = fmt::format("kernel wide: work-group of 2x{}x1 = {} work-items; {} allows ",
                                        info.max_group_sizes[1], 2 * info.max_group_sizes[1], info.name);
  CHECK(error.find(found) == 0);
  // A driver may allow a kernel smaller work-groups than the device's maximum.
  const std::int64_t allowed = std::stoll(error.substr(found.size()));
  CHECK(allowed <= info.max_group_size);
  const auto fits = opencl::fit_work_group(source.launch.group_size, allowed);
  CHECK(error == fmt::format("{}{} for this kernel; a work-group of {}x{}x{} fits: pass such sizes to "
                             "gpu_tile, or to the splits before gpu_threads",
                             found, allowed, fits[0], fits[1], fits[2]));
  CHECK(device->max_group_size(source) == allowed);
  source.launch.group_size = fits;
  CHECK(error_of(*device, {source}) == "");

  source.launch.group_size = {1, 1, 1};
  source.resources.local_bytes = info.local_memory_bytes + 1;
  CHECK(error_of(*device, {source}) ==
        fmt::format("kernel wide: it needs {} bytes of local memory, but {} has {}; use smaller tiles",
                    info.local_memory_bytes + 1, info.name, info.local_memory_bytes));
  source.resources.local_bytes = info.local_memory_bytes;
  CHECK(error_of(*device, {source}) == "");
}

// rusticl of Mesa 22.3 says of this kernel that it takes twice as much.
TEST_CASE("build: a kernel whose own arrays take all local memory is built and runs") {
  const CleanEnvironment environment;
  const auto device = Device::open();
  const std::int64_t bytes = std::min<std::int64_t>(device->info().local_memory_bytes, 1 << 15);
  KernelSource source = add_source();
  source.entry = "reverse";
  source.text = fmt::format(
      "__kernel void reverse(__global float* a) {{ __local float all[{}]; int i = get_local_id(0); "
      "all[i] = a[i]; barrier(CLK_LOCAL_MEM_FENCE); a[i] = all[3 - i]; }}",
      bytes / 4);
  source.arguments = {add_source().arguments[0]};
  source.launch.group_size = {4, 1, 1};
  source.resources.local_bytes = bytes;
  CHECK(error_of(*device, {source}) == "");
}

TEST_CASE("binary cache: a second device finds what the first one built") {
  const CleanEnvironment environment;
  CHECK(build_counts({add_source("a"), add_source("b")}) == Counts(2, 0));
  CHECK(build_counts({add_source("b"), add_source("c")}) == Counts(1, 1));
  KernelSource other_options = add_source("a");
  other_options.options += " -cl-mad-enable";
  CHECK(build_counts({other_options, add_source("a")}) == Counts(1, 1));
  const ScopedVariable off("TENSORDSL_CACHE", "off");
  CHECK(build_counts({add_source("a")}) == Counts(1, 0));
}

TEST_CASE("binary cache: a damaged entry is rebuilt and replaced") {
  const CleanEnvironment environment;
  CHECK(build_counts({add_source()}) == Counts(1, 0));
  const auto files = environment.cache.files();
  REQUIRE(files.size() == 1);
  const std::string good = contents_of(files[0]);
  write_file(files[0], good.substr(0, good.size() / 2));
  CHECK(build_counts({add_source()}) == Counts(1, 0));
  CHECK(build_counts({add_source()}) == Counts(0, 1));
}

TEST_CASE("binary cache: an intact binary that the driver refuses, or that lacks the kernel, is rebuilt") {
  const CleanEnvironment environment;
  if (aborts_on_foreign_binaries(Device::open()->info())) {
    MESSAGE("not asked of a driver that aborts on a foreign binary");
    return;
  }
  KernelSource other = add_source();
  other.entry = "other";
  other.text = "__kernel void other(__global float* a) { a[0] = 1; }";
  other.arguments.resize(1);
  CHECK(build_counts({add_source()}) == Counts(1, 0));
  const auto path = environment.cache.files().at(0);
  const runtime::ProgramKey key = key_of_entry(contents_of(path));
  const runtime::ProgramCache cache(environment.cache.path());
  REQUIRE(cache.load(key));
  cache.store(key, runtime::ProgramBinary(5000, 'x'));
  REQUIRE(cache.load(key));
  CHECK(build_counts({add_source()}) == Counts(1, 0));
  CHECK(build_counts({add_source()}) == Counts(0, 1));

  CHECK(build_counts({other}) == Counts(1, 0));
  for (const auto& file : environment.cache.files()) {
    if (file == path) continue;
    const std::string entry = contents_of(file);
    const auto binary = runtime::binary_of_entry(key_of_entry(entry), bytes_of(entry));
    REQUIRE(binary);
    cache.store(key, *binary);
  }
  CHECK(build_counts({add_source()}) == Counts(1, 0));
  CHECK(build_counts({add_source()}) == Counts(0, 1));
}

TEST_CASE("build: devices in several threads build at once, compiling and loading") {
  const CleanEnvironment environment;
  std::vector<KernelSource> sources;
  for (int i = 0; i < 6; ++i) sources.push_back(add_source("parallel " + std::to_string(i)));
  std::atomic<int> built = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] { built += static_cast<int>(Device::open()->build(sources).size()); });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(built == 18);
  CHECK(build_counts(sources) == Counts(0, 6));
}
