// The processor of this machine as a Device.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <thread>

#include "backends/llvm/device/host_driver.h"
#include "backends/llvm/device/llvm_library.h"
#include "device/environment.h"
#include "support/error_text.h"
#include "tensordsl/tensordsl.h"

using namespace tensordsl;

namespace {

const Var x("x"), y("y");

Buffer numbers(const std::vector<std::int64_t>& shape) {
  Buffer data(Float(32), shape);
  for (std::int64_t i = 0; i < data.elements(); ++i) data.set(i, static_cast<double>(i % 23) - 7);
  return data;
}

/// out(x) = sqrt(a(x)^2 + 1)
Func root_of(Input& a) {
  Func f("f");
  f(x) = sqrt(a(x) * a(x) + 1.0F);
  return f;
}

void check_root(Device& device, std::int64_t size) {
  Input a("a", Float(32), {Expr(static_cast<int>(size))});
  Func f = root_of(a);
  f.vectorize(x, 8, Tail::Guard);
  const Buffer data = numbers({size});
  const Pipeline pipeline(f);
  const Buffer found = pipeline.realize({{"a", data}}, device, {}, {size}),
               expected = pipeline.interpret({{"a", data}}, {}, {{"f", {size}}})[0];
  for (std::int64_t i = 0; i < size; ++i)
    CHECK(found.get(i) == doctest::Approx(expected.get(i)).epsilon(1e-6));
}

}  // namespace

TEST_CASE("host: kernels round to nearest, whatever the thread that opened the Device does") {
  std::fesetround(FE_UPWARD);
  const auto device = Device::open("host");
  std::fesetround(FE_TONEAREST);
  Input a("a", Float(32), {64});
  Func f("f");
  f(x) = a(x) + 1.0F;
  f.bound({64});
  Buffer tiny(Float(32), {64});
  for (int i = 0; i < 64; ++i) tiny.set(i, 1e-9);
  const Buffer found = Pipeline(f).realize({{"a", tiny}}, *device);
  for (int i = 0; i < 64; ++i) CHECK(found.get(i) == 1.0);
}

TEST_CASE("host: what a run used ends with its Runner") {
  const auto device = Device::open("host");
  Input a("a", Float(32), {32});
  Func f("f");
  f(x) = a(x) + 1.0F;
  f.bound({32});
  auto runner = Pipeline(f).prepare(*device);
  auto owner = std::make_shared<std::vector<float>>(64);
  void* first = owner->data();
  std::size_t room = 64 * sizeof(float);
  REQUIRE(std::align(128, 32 * sizeof(float), first, room));
  const std::weak_ptr<std::vector<float>> kept = owner;
  REQUIRE(runner->bind_memory("a", {static_cast<std::byte*>(first), 32 * sizeof(float)}, std::move(owner)));
  runner->run();
  CHECK_FALSE(kept.expired());
  runner.reset();
  CHECK(kept.expired());
}

TEST_CASE("host: in a fork a Device of before is refused, and ends without waiting") {
  auto device = Device::open("host");
  check_root(*device, 8);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);  // a hang ends the child
    bool is_refused = false;
    try {
      check_root(*device, 8);
    } catch (const DeviceError& error) {
      is_refused = std::string(error.what()).find("open one after the fork") != std::string::npos;
    }
    device.reset();
    _exit(is_refused ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

TEST_CASE("host: comparisons of halves are those of floats, in vectors, on every LLVM") {
  Input a("a", Float(16), {64}), b("b", Float(16), {64});
  Func f("f");
  f(x) = cast(Float(16), select(a(x) < b(x), max(a(x), b(x)), floor(a(x))));
  f.bound({64}).vectorize(x, 16);
  const auto device = Device::open("host");
  Buffer values(Float(16), {64}), others(Float(16), {64});
  for (int i = 0; i < 64; ++i) values.set(i, i * 0.37 - 11), others.set(i, 9 - i * 0.61);
  const Pipeline pipeline(f);
  const std::map<std::string, Buffer> inputs{{"a", values}, {"b", others}};
  CHECK(pipeline.realize(inputs, *device) == pipeline.interpret(inputs).front());
  CHECK(pipeline.emit("cl", device->info()).find("@llvm.arithmetic.fence.v16f32") != std::string::npos);
}

TEST_CASE("host: the text of kernels for it is LLVM's") {
  Input a("a", Float(32), {8});
  Func f = root_of(a);
  f.bound({8}).vectorize(x, 8);
  const std::string text = Pipeline(f).emit("cl", Device::open("host")->info());
  CHECK(text.find("define void @f_kernel") != std::string::npos);
  CHECK(text.find("<8 x float>") != std::string::npos);
}

TEST_CASE("host: its figures are a Target") {
  const Target target = Target::host();
  CHECK(target == Target::of(Device::open("host")->info()));
  CHECK(target.group_items == 1);
  CHECK(target.vector_width >= 4);
}

TEST_CASE("host: it is listed, and opened by its name") {
  const auto devices = Device::list();
  const auto host =
      std::ranges::find_if(devices, [](const DeviceInfo& device) { return device.backend == "llvm"; });
  REQUIRE(host != devices.end());
  CHECK(host->is_cpu);
  CHECK(host->name.starts_with("host-"));
  CHECK(Device::open("HOST")->info().name == host->name);
  CHECK(Device::open(std::to_string(host->platform_number) + ":0")->info().backend == "llvm");
}

TEST_CASE("host: pipelines of odd sizes") {
  const auto device = Device::open("host");
  for (const std::int64_t size : {0, 1, 3, 5, 7, 17, 1000}) check_root(*device, size);
}

TEST_CASE("host: work-items of a group share local memory over barriers") {
  const auto device = Device::open("host");
  Input a("a", Float(32), {64, 64});
  Func t("t"), f("f");
  t(x, y) = a(y, x) * 2.0F;
  f(x, y) = t(x, y) + t(x, 63 - y);
  Var xo("xo"), xi("xi"), ty("ty");
  f.bound({64, 64}).split(x, xo, xi, 8).gpu_blocks(xo).gpu_threads(y, xi);
  t.compute_at(f, xo).store_in(MemoryScope::Local).gpu_threads(y, x);
  const Buffer data = numbers({64, 64});
  const Pipeline pipeline(f);
  const Buffer found = pipeline.realize({{"a", data}}, *device),
               expected = pipeline.interpret({{"a", data}})[0];
  CHECK(std::ranges::equal(found.bytes(), expected.bytes()));
}

TEST_CASE("host: images are read with a border of zeros") {
  const auto device = Device::open("host");
  Input a("a", Float(32), {5, 8});
  a.layout("d0 | d1/4 | d1%4").set_image(Image2D);
  Func f("f");
  f(x, y) = BoundaryConditions::zero(a, {5, 8})(x + 1, y + 4);
  f.bound({5, 8}).vectorize(y, 4);
  const Buffer data = numbers({5, 8});
  const Pipeline pipeline(f);
  const Buffer found = pipeline.realize({{"a", data}}, *device),
               expected = pipeline.interpret({{"a", data}})[0];
  CHECK(std::ranges::equal(found.bytes(), expected.bytes()));
}

TEST_CASE("host: buffers, parts and their errors") {
  const auto device = Device::open("host"), other = Device::open("host");
  const auto whole = device->allocate(1024);
  const auto part = device->part(whole, 256, 64);
  std::vector<std::byte> bytes(64, std::byte{7}), read(64);
  device->write(*part, bytes);
  device->read(*whole, read, 256);
  CHECK(read == bytes);
  CHECK(error_of([&] {
          device->part(whole, 100, 4);
        }).find("part: the offset 100 must be a multiple of 128 bytes") == 0);
  CHECK(error_of([&] { device->part(part, 0, 4); }) ==
        "part: the buffer is already a part of another; take a part of the whole buffer");
  CHECK(error_of([&] { device->write(*whole, bytes, 1000); }) ==
        "write: 64 bytes at offset 1000 exceed the buffer's 1024 bytes");
  CHECK(error_of([&] { other->read(*whole, read); }).find("read: the buffer belongs to another device") == 0);
  CHECK(error_of([&] {
          device->allocate(std::size_t{1} << 60);
        }).find("device memory: 1152921504606846976") == 0);
  CHECK(error_of([&] {
          device->allocate(
              ImageDescription{.kind = Image2D, .channels = 4, .type = Float(32), .width = 1 << 20});
        }).find("does not support an Image2D of 1048576 x 1 x 1") != std::string::npos);
}

TEST_CASE("host: a kernel that LLVM does not read is an error that names it") {
  const auto device = Device::open("host");
  KernelSource kernel;
  kernel.entry = "broken_kernel";
  kernel.backend = "llvm";
  kernel.text = "define void @broken_kernel(ptr %a) {\n  ret i32 0\n}\n";
  const std::string error = error_of([&] { device->build({kernel}); });
  CHECK(error.find("kernel broken_kernel does not build on this machine's processor: libLLVM") == 0);
  kernel.text =
      "declare void @nobody_has_this()\ndefine void @broken_kernel(ptr %a, i64 %b, i64 %c) {\n  call void "
      "@nobody_has_this()\n  ret void\n}\n";
  CHECK(error_of([&] { device->build({kernel}); }).find("nobody_has_this") != std::string::npos);
}

TEST_CASE("host: kernels of another backend are refused, by OpenCL's devices too") {
  KernelSource kernel;
  kernel.entry = "add_kernel";
  kernel.backend = "abacus";
  for (const DeviceInfo& info : Device::list()) {
    const auto device = Device::open(fmt::format("{}:{}", info.platform_number, info.device_number));
    CHECK(error_of([&] { device->build({kernel}); }) ==
          fmt::format("kernel add_kernel is for the backend \"abacus\", but {} runs kernels of \"{}\"; "
                      "compile the Program for this device",
                      info.name, info.backend));
  }
}

TEST_CASE("host: what was compiled is kept on disk, and taken along") {
  const test::TemporaryFolder folder;
  const test::ScopedVariable cache("TENSORDSL_CACHE_DIR", folder.path().string()),
      on("TENSORDSL_CACHE", "on");
  Input a("a", Float(32), {16});
  Func f = root_of(a);
  f.bound({16});
  const auto first = Device::open("host");
  const Program program = Pipeline(f).compile(first->info());
  CHECK(program.kernels[0].backend == "llvm");
  const auto kernels = first->build(program.kernels);
  CHECK(first->build_statistics().compiled == 1);
  const auto second = Device::open("host");
  second->build(program.kernels);
  CHECK(second->build_statistics().compiled == 0);
  CHECK(second->build_statistics().from_cache == 1);
  const test::ScopedVariable off("TENSORDSL_CACHE", "off");
  const auto third = Device::open("host"), fourth = Device::open("host");
  third->build(program.kernels);
  CHECK(third->build_statistics().compiled == 1);
  fourth->offer(first->binaries(kernels));
  fourth->build(program.kernels);
  CHECK(fourth->build_statistics().from_cache == 1);
  CHECK(error_of([&] { fourth->binaries(kernels); }).find("binaries: a kernel belongs to another device") ==
        0);
}

TEST_CASE("host: a Program is written with the kernels as LLVM's assembly language, and read back") {
  const test::TemporaryFolder folder;
  Input a("a", Float(32), {16});
  Func f = root_of(a);
  f.bound({16});
  const auto device = Device::open("host");
  write_program(Pipeline(f).compile(device->info()), folder.path().string());
  CHECK(std::filesystem::exists(folder.path() / "000_f_kernel.ll"));
  Runner runner(std::make_shared<const Program>(read_program(folder.path().string())), *device);
  runner.write("a", numbers({16}));
  runner.run();
  CHECK(runner.read().get(0) == doctest::Approx(std::sqrt(50.0)));
}

TEST_CASE("host: vectors of 32 and 64 lanes, which OpenCL has not") {
  const auto device = Device::open("host");
  for (const int lanes : {32, 64}) {
    Input a("a", UInt(8), {200}), b("b", UInt(8), {200});
    Func f("f");
    f(x) = max(a(x), b(x)) + cast(UInt(8), 1);
    f.bound({200}).vectorize(x, lanes, Tail::Guard);
    Buffer left(UInt(8), {200}), right(UInt(8), {200});
    for (int i = 0; i < 200; ++i) {
      left.set_int(i, i * 7 % 256);
      right.set_int(i, i * 11 % 256);
    }
    const Pipeline pipeline(f);
    const Buffer found = pipeline.realize({{"a", left}, {"b", right}}, *device),
                 expected = pipeline.interpret({{"a", left}, {"b", right}})[0];
    CHECK(std::ranges::equal(found.bytes(), expected.bytes()));
    CHECK(pipeline.compile(device->info()).kernels[0].text.find(fmt::format("<{} x i8>", lanes)) !=
          std::string::npos);
    CHECK(error_of([&] { pipeline.compile(); }).find("the device's vectors have 2, 3, 4, 8 or 16 lanes") !=
          std::string::npos);
  }
}

TEST_CASE("host: threads share a Device") {
  const auto device = Device::open("host");
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < 5; ++round) check_root(*device, 100);
    });
  for (std::thread& thread : threads) thread.join();
}

TEST_CASE("host: LLVM before OpenCL") {
  // If this is the process's only case, no OpenCL driver was loaded up to here.
  check_root(*host::HostDriver().devices(0).at(0).open(), 100);
  for (const DeviceInfo& device : Device::list()) {
    if (device.backend == "opencl")
      check_root(
          *Device::open(std::to_string(device.platform_number) + ":" + std::to_string(device.device_number)),
          100);
  }
  check_root(*Device::open("host"), 33);
}

TEST_CASE("host: LLVM behind OpenCL") {
  if (const auto devices = Device::list(); devices[0].backend == "opencl")
    check_root(*Device::open("0:0"), 100);
  check_root(*Device::open("host"), 100);
}

TEST_CASE("host: without an LLVM that works there is no such device, and the reason is told") {
  setenv("TENSORDSL_LLVM", "/no/such/libLLVM.so", 1);
  std::string why;
  CHECK(host::LlvmLibrary::load(&why) == nullptr);
  CHECK(why.find("TENSORDSL_LLVM=/no/such/libLLVM.so: cannot load the library: ") == 0);
  setenv("TENSORDSL_LLVM", "libm.so.6", 1);
  CHECK(host::LlvmLibrary::load(&why) == nullptr);
  CHECK(why == "libm.so.6 has no LLVMContextCreate");
  unsetenv("TENSORDSL_LLVM");
}
