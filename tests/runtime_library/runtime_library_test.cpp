// Tests the runtime library with packages that the compiler has made: its results are those of the library's
// own Runner.
#include <CL/cl.h>
#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <thread>

#include "support/driver_faults.h"
#include "support/load_model.h"
#include "support/temporary.h"
#include "tensordsl/runtime.hpp"
#include "tensordsl/tensordsl.h"

using namespace tensordsl;
using testing::attribute;
using testing::Floats;
using testing::Ints;
using testing::OnnxModel;

namespace fs = std::filesystem;

namespace {

/// One package for each test of a process, gone at its end.
struct PackageFile {
  fs::path path = testing::temporary("runtime.tdsl");
  explicit PackageFile(const Program& program, const std::vector<DeviceBinary>& binaries = {}) {
    Package package;
    package.program = std::make_shared<const Program>(program);
    package.binaries = binaries;
    write_package(package, path.string());
  }
  ~PackageFile() { fs::remove(path); }
};

Program network(Precision precision = Precision::Float32) {
  OnnxModel m(11);
  m.input("image", {1, 4, 9, 7}).floats("w", {8, 4, 3, 3}, Floats(288, 0.125F));
  m.node("Conv", {"image", "w"}, {"a"}, {attribute("pads", Ints{1, 1, 1, 1})}).node("Relu", {"a"}, {"b"});
  m.node("Softmax", {"b"}, {"y"}, {attribute("axis", 1)});
  CompileTarget target;
  target.precision = precision;
  return testing::load_model(m.output("y")).compile(target);
}

std::vector<float> some_image(int seed) {
  std::vector<float> image(4 * 9 * 7);
  for (std::size_t i = 0; i < image.size(); ++i)
    image[i] = static_cast<float>((i * 7 + static_cast<std::size_t>(seed) * 31) % 23) / 23;
  return image;
}

std::vector<float> expected(const Program& program, const std::vector<float>& image) {
  const auto device = Device::open();
  Runner runner(std::make_shared<const Program>(program), *device);
  runner.write("image", std::as_bytes(std::span(image)));
  runner.run();
  std::vector<float> result(8 * 9 * 7);
  runner.read("y", std::as_writable_bytes(std::span(result)));
  return result;
}

std::size_t resident_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) return std::stoul(line.substr(6));
  }
  return 0;
}

int setting(const char* variable, int otherwise) {
  const char* given = std::getenv(variable);
  return given ? std::atoi(given) : otherwise;
}

}  // namespace

TEST_CASE("runtime: a package computes what its Program does, of f32 and of f16") {
  for (const Precision precision : {Precision::Float32, Precision::Float16}) {
    const Program program = network(precision);
    const PackageFile file(program);
    const tdsl::Package package(file.path.string());
    REQUIRE(package.inputs().size() == 1);
    CHECK(std::string(package.inputs()[0].name) == "image");
    CHECK(package.inputs()[0].bytes == 4 * 4 * 9 * 7);
    CHECK(package.params().empty());
    tdsl::Instance instance(package, tdsl::Device());  // which it keeps
    const std::vector<float> image = some_image(1);
    std::vector<float> y(8 * 9 * 7);
    instance.write("image", image);
    instance.run();
    instance.read("y", y);
    CHECK(y == expected(program, image));
  }
}

TEST_CASE("runtime: open sizes are params, and change") {
  const Param n("n");
  const Var x("x");
  const Input a("a", Float(32), {n});
  Func out("out");
  out(x) = a(x) * 2.0f;
  out.bound({n});
  const PackageFile file(Pipeline(out).compile());
  const tdsl::Package package(file.path.string());
  CHECK(package.params() == std::vector<std::string>{"n"});
  CHECK(package.inputs()[0].shape[0] == -1);
  CHECK(package.inputs()[0].bytes == 0);
  const tdsl::Device device;
  CHECK_THROWS_WITH_AS(tdsl::Instance(package, device),
                       "no value for the Param \"n\"; pass one with this name", tdsl::Error);
  tdsl::Instance instance(package, device, {{"n", 17}});
  CHECK(instance.input(0).shape[0] == 17);
  instance.set_params({{"n", 3}});
  CHECK(instance.output(0).bytes == 12);
  instance.write("a", std::vector<float>{1, 2, 3});
  instance.run();
  std::vector<float> y(3);
  instance.read("out", y);
  CHECK(y == std::vector<float>{2, 4, 6});
  try {
    instance.set_params({{"n", 18}});
    FAIL("more than there is memory for was taken");
  } catch (const tdsl::Error& error) {
    CHECK(error.status() == TDSL_INVALID_SHAPE);
  }
}

TEST_CASE("runtime: the program's own context, queue, buffers and events") {
  cl_platform_id platform = nullptr;
  cl_device_id id = nullptr;
  REQUIRE(clGetPlatformIDs(1, &platform, nullptr) == CL_SUCCESS);
  REQUIRE(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, nullptr) == CL_SUCCESS);
  cl_context context = clCreateContext(nullptr, 1, &id, nullptr, nullptr, nullptr);
  cl_command_queue queue = clCreateCommandQueue(context, id, 0, nullptr);
  const Var x("x");
  const Input a("a", Float(32), {1000});
  Func out_func("y");
  out_func(x) = a(x) * 2.0f;
  out_func.bound({1000});
  const Program program = Pipeline(out_func).compile();
  std::vector<float> image(1000), twice(1000);
  for (std::size_t i = 0; i < image.size(); ++i) twice[i] = 2 * (image[i] = static_cast<float>(i % 37));
  constexpr std::size_t kBytes = 4000;
  cl_mem in = clCreateBuffer(context, CL_MEM_READ_WRITE, kBytes, nullptr, nullptr);
  cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, kBytes, nullptr, nullptr);
  {
    const PackageFile file(program);
    const tdsl::Package package(file.path.string());
    const tdsl::Device device(context, id, queue);
    tdsl::Instance instance(package, device);
    instance.bind_buffer("a", in);
    instance.bind_buffer("y", out);
    cl_event user = clCreateUserEvent(context, nullptr);
    cl_event done = instance.start_with_event({user});
    cl_int status = CL_COMPLETE;
    REQUIRE(clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr) ==
            CL_SUCCESS);
    CHECK(status != CL_COMPLETE);  // it waits for what the program waits for
    // Waits on another queue.
    cl_command_queue other = clCreateCommandQueue(context, id, 0, nullptr);
    CHECK(clEnqueueWriteBuffer(other, in, CL_TRUE, 0, kBytes, image.data(), 0, nullptr, nullptr) ==
          CL_SUCCESS);
    clSetUserEventStatus(user, CL_COMPLETE);
    std::vector<float> y(1000);
    CHECK(clEnqueueReadBuffer(other, out, CL_TRUE, 0, kBytes, y.data(), 1, &done, nullptr) == CL_SUCCESS);
    CHECK(y == twice);
    instance.wait();
    clReleaseEvent(user);
    clReleaseEvent(done);
    clReleaseCommandQueue(other);
    CHECK_THROWS_AS(instance.bind_image("y", out), tdsl::Error);
  }
  clReleaseMemObject(in);
  clReleaseMemObject(out);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
}

TEST_CASE("runtime: binaries of the device are taken without its compiler, damaged ones are not") {
  const Program program = network();
  const auto device = Device::open();
  const std::vector<DeviceBinary> binaries = device->binaries(device->build(program.kernels));
  if (binaries.empty()) {
    MESSAGE("the driver gives no binaries");
    return;
  }
  setenv("TENSORDSL_CACHE", "off", 1);
  const std::vector<float> image = some_image(3), wanted = expected(program, image);
  for (const bool is_damaged : {false, true}) {
    const auto fresh = Device::open();
    std::vector<DeviceBinary> offered = binaries;
    if (is_damaged) {
      for (DeviceBinary& binary : offered) {
        const auto copy = std::make_shared<std::byte[]>(binary.size);
        std::copy_n(binary.data.get(), binary.size, copy.get());
        copy[binary.size - 1] ^= std::byte{1};
        binary.data = copy;
      }
    }
    fresh->offer(offered);
    Runner runner(std::make_shared<const Program>(program), *fresh);
    CHECK(fresh->build_statistics().compiled == (is_damaged ? static_cast<int>(binaries.size()) : 0));
    const PackageFile file(program, offered);
    tdsl::Instance instance(tdsl::Package(file.path.string()), tdsl::Device());
    std::vector<float> y(8 * 9 * 7);
    instance.write("image", image);
    instance.run();
    instance.read("y", y);
    CHECK(y == wanted);
  }
  unsetenv("TENSORDSL_CACHE");
}

TEST_CASE("runtime: binaries of a package in memory outlive the memory") {
  const Program program = network();
  const auto device = Device::open();
  std::vector<char> bytes;
  {
    const PackageFile file(program, device->binaries(device->build(program.kernels)));
    std::ifstream stream(file.path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  const tdsl::Device opened;
  {
    auto memory = std::make_unique<std::vector<char>>(bytes);
    const tdsl::Package package(memory->data(), memory->size());
    const tdsl::Instance instance(package, opened);
  }
  const tdsl::Package again(bytes.data(), bytes.size());
  const tdsl::Instance instance(again, opened);  // reads what the first one offered
}

TEST_CASE("runtime: how an input lies in memory is told, and a buffer ends a binding to the host") {
  const Program program = network();
  const PackageFile file(program);
  const tdsl::Device device;
  tdsl::Instance instance(tdsl::Package(file.path.string()), device);
  tdsl_memory memory;
  REQUIRE(tdsl_memory_of(instance.get(), "image", &memory) == TDSL_OK);
  const Program::Tensor& tensor = program.tensors[program.inputs[0].tensor];
  CHECK(memory.type == TDSL_F32);
  CHECK(memory.image == 0);
  CHECK(memory.bytes == static_cast<std::uint64_t>(tensor.stored.bytes()));
  CHECK(memory.is_row_major == (tensor.stored.layout.is_row_major() ? 1 : 0));
  CHECK(std::string(memory.layout) == tensor.stored.layout.to_string({"d0", "d1", "d2", "d3"}));
  CHECK(tdsl_memory_of(instance.get(), "z", &memory) == TDSL_INVALID_ARGUMENT);
  CHECK(std::string(tdsl_error_text()) == "tdsl_memory_of: \"z\" is not an input or output of the program");
  CHECK(tdsl_api_version() == TDSL_API_VERSION);
  CHECK(!tdsl::Device::list().empty());
}

// TENSORDSL_SOAK_RUNS sets the inferences of each thread.
TEST_CASE("runtime: instances in eight threads give right results, and memory does not grow") {
  const int runs = setting("TENSORDSL_SOAK_RUNS", 1500);
  const Program program = network();
  const PackageFile file(program);
  const tdsl::Package package(file.path.string());
  const tdsl::Device device;
  constexpr int kImages = 5;
  std::vector<std::vector<float>> images, results;
  for (int i = 0; i < kImages; ++i) {
    images.push_back(some_image(i));
    results.push_back(expected(program, images.back()));
  }
  const auto work = [&](int first, int count, std::atomic<int>& wrong) {
    tdsl::Instance instance(package, device);
    std::vector<float> y(8 * 9 * 7);
    for (int i = first; i < first + count; ++i) {
      instance.write("image", images[static_cast<std::size_t>(i % kImages)]);
      instance.run();
      instance.read("y", y);
      wrong += y != results[static_cast<std::size_t>(i % kImages)];
    }
  };
  const auto all_threads = [&](int count) {
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t) threads.emplace_back([&, t] { work(t, count, wrong); });
    for (std::thread& thread : threads) thread.join();
    return wrong.load();
  };
  CHECK(all_threads(std::max(1, runs / 4)) == 0);
  // A round takes what allocators keep for threads and instances that come and go. A leak grows with the
  // inferences.
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (int round = 0; round < 2; ++round) {
    const std::size_t before = resident_kib();
    CHECK(all_threads(runs) == 0);
    const std::size_t after = resident_kib();
    MESSAGE("8 threads x " << runs << " inferences, resident " << before << " -> " << after << " KiB");
    least = std::min(least, after - std::min(after, before));
  }
  const std::size_t a_result_each = 8 * static_cast<std::size_t>(runs) * 8 * 9 * 7 * sizeof(float) / 1024;
  constexpr std::size_t kKeptByAllocators = 12 * 1024;  // 1.1 to 7.5 MiB were seen
  CHECK(least < std::max(a_result_each / 2, kKeptByAllocators));
}

TEST_CASE("runtime: an instance that is made and closed often keeps nothing") {
  const PackageFile file(network());
  const tdsl::Package package(file.path.string());
  const tdsl::Device device;
  const auto make = [&](int count) {
    for (int i = 0; i < count; ++i) tdsl::Instance(package, device);
  };
  make(20);
  const std::size_t before = resident_kib();
  make(200);
  CHECK(resident_kib() < before + 4096);
}
