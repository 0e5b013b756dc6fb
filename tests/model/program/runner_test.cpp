// Programs on a device.
#include "tensordsl/runner.h"
#include "support/temporary.h"
#include "support/tier.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <thread>

#include "support/buffers.h"
#include "support/error_text.h"
#include "support/source_dir.h"
#include "tensordsl/model.h"
#include "tensordsl/tensordsl.h"

using namespace tensordsl;

namespace {

const Var x("x");

/// twice(x) = a(x) * k and plus(x) = a(x) + 1, of n elements.
std::shared_ptr<const Program> two_outputs(const std::optional<DeviceInfo>& device = std::nullopt) {
  const Param n("n"), k("k", Float(32));
  const Input a("a", Float(32), {n});
  Func twice("twice"), plus("plus");
  twice(x) = a(x) * k;
  plus(x) = a(x) + 1.0f;
  twice.bound({n});
  plus.bound({n});
  const Pipeline pipeline = Pipeline(std::vector<Func>{twice, plus});
  return std::make_shared<const Program>(device ? pipeline.compile(*device) : pipeline.compile());
}

Buffer numbers(std::int64_t count, double first) {
  return testing::filled(Float(32), {count}, [&](std::int64_t i) { return first + static_cast<double>(i); });
}

}  // namespace

TEST_CASE("runner: scalars, symbolic extents and several outputs") {
  const auto device = Device::open();
  for (const std::int64_t n : {1, 3, 17, 1000}) {
    Runner runner(two_outputs(), *device, {{"n", n}, {"k", 2.5}});
    runner.write("a", numbers(n, 4));
    runner.run();
    const auto outputs = runner.read_all();
    REQUIRE(outputs.size() == 2);
    CHECK(outputs[0].get(n - 1) == 2.5 * static_cast<double>(4 + n - 1));
    CHECK(runner.read("plus").get(0) == 5);
  }
}

TEST_CASE("runner: an output has no value before the first run") {
  const auto device = Device::open();
  Runner runner(two_outputs(), *device, {{"n", 4}, {"k", 2.0}});
  const std::string text = "read: \"plus\" has no value yet; run first";
  CHECK(error_of([&] { runner.read("plus"); }) == text);
  std::array<std::byte, 16> bytes{};
  CHECK(error_of([&] { runner.read("plus", bytes); }) == text);
  CHECK(error_of([&] { runner.run(); }) == "run: the input \"a\" has no value; write it or bind a buffer");
  CHECK(error_of([&] { runner.read("plus"); }) == text);
  runner.write("a", numbers(4, 0));
  runner.run();
  CHECK(runner.read("plus").get(3) == 4);
}

TEST_CASE("runner: values and names that do not fit are refused") {
  const auto device = Device::open();
  CHECK(error_of([&] {
          Runner(two_outputs(), *device, {{"n", 4}});
        }) == "no value for the Param \"k\"; pass one with this name");
  CHECK(error_of([&] {
          Runner(two_outputs(), *device, {{"k", 1.0}, {"n", -1}});
        }).find("the extent of a in dimension 0, n, is -1") != std::string::npos);
  CHECK(error_of([&] {
          Runner(two_outputs(), *device, {{"n", 4}, {"k", 1.0}, {"m", 1}});
        }) == "run: the program has no Param \"m\"; it has \"k\", \"n\"");
  Runner runner(two_outputs(), *device, {{"n", 4}, {"k", 1.0}});
  CHECK(error_of([&] { runner.write("b", numbers(4, 0)); }) == "write: the program has no input \"b\"");
  CHECK(error_of([&] { runner.write("a", numbers(5, 0)); }) ==
        "the input \"a\" is f32 [4], but the Buffer is f32 [5]");
  CHECK(error_of([&] { runner.write_all({}); }) == "no value for the input \"a\"; pass one");
  CHECK(error_of([&] {
          runner.write_all({{"a", numbers(4, 0)}, {"b", numbers(4, 0)}});
        }) == "the program has no input \"b\"");
  CHECK(error_of([&] { runner.read(); }) ==
        "read: the program has the outputs twice, plus; name one, or use read_all");
  CHECK(error_of([&] { runner.read("nothing"); }) == "read: the program has no output \"nothing\"");
}

TEST_CASE("runner: a program whose output is not as large as its memory is refused") {
  const auto device = Device::open();
  Program damaged = *two_outputs();
  damaged.outputs[0].shape = {1, 1};
  CHECK(error_of([&] {
          Runner(std::make_shared<const Program>(damaged), *device, {{"n", 4}, {"k", 1.0}});
        }) == "the program is damaged: \"twice\" is [1, 1], but its memory is for [4]; compile it again");
}

TEST_CASE("runner: no Program, and an output of another type than its memory, are refused") {
  const auto device = Device::open();
  CHECK(error_of([&] { Runner(nullptr, *device); }) == "Runner: the Program is null; pass one");
  Program damaged = *two_outputs();
  damaged.outputs[0].type = UInt(8);
  CHECK(error_of([&] {
          Runner(std::make_shared<const Program>(damaged), *device, {{"n", 4}, {"k", 1.0}});
        }) == "the program is damaged: \"twice\" has type u8, but its memory has type f32; compile it again");
}

TEST_CASE("runner: an output that shares its memory cannot be bound") {
  const auto device = Device::open();
  Program program = *two_outputs();
  program.outputs[1].tensor = program.outputs[0].tensor;
  Runner runner(std::make_shared<const Program>(program), *device, {{"n", 4}, {"k", 1.0}});
  CHECK(error_of([&] { runner.bind("plus", device->allocate(16)); }) ==
        "bind: \"plus\" shares its memory with another input or output");
}

TEST_CASE("runner: started runs are waited for, and may follow each other") {
  const auto device = Device::open();
  Runner runner(two_outputs(), *device, {{"n", 100}, {"k", 3.0}});
  runner.write("a", numbers(100, 0));
  runner.start();
  runner.start();
  runner.wait();
  CHECK(runner.read("twice").get(99) == 297);
  CHECK(runner.run_timed().size() == runner.program().launches.size());
  CHECK(runner.run_intervals().size() == runner.program().launches.size());
  const RunnerSteps& steps = runner.steps();
  CHECK(steps.begin <= steps.uploaded);
  CHECK(steps.uploaded <= steps.built);
  CHECK(steps.built <= steps.recorded);
}

TEST_CASE("runner: the caller's own buffers are read and written without a copy") {
  const auto device = Device::open();
  Runner runner(two_outputs(), *device, {{"n", 8}, {"k", 2.0}});
  const auto in = device->allocate(32), out = device->allocate(64);
  const Buffer values = numbers(8, 10);
  device->write(*in, values.bytes());
  runner.bind("a", in);
  runner.bind("twice", out);
  runner.run();
  Buffer found(Float(32), {8});
  device->read(*out, found.bytes());
  CHECK(found.get(7) == 34);
  CHECK(runner.read("twice").get(0) == 20);
  CHECK(error_of([&] { runner.bind("a", device->allocate(31)); }) ==
        "bind: \"a\" needs 32 bytes, but the buffer has 31");
  CHECK(error_of([&] { runner.bind("a", std::shared_ptr<DeviceBuffer>()); }) ==
        "bind: \"a\" needs 32 bytes, but the buffer has 0");
  CHECK(error_of([&] { runner.bind("twice", in); }) ==
        "bind: \"a\" is already bound to this buffer; bind \"twice\" to another one");
  CHECK(error_of([&] { runner.bind("b", in); }) == "bind: \"b\" is not an input or output of the program");
}

TEST_CASE("runner: the caller's memory is an input or output on every device that shares it") {
  for (const DeviceInfo& info : Device::list()) {
    CAPTURE(info.name);
    const auto device = Device::open(fmt::format("{}:{}", info.platform_number, info.device_number));
    Runner runner(two_outputs(info), *device, {{"n", 64}, {"k", 2.0}});
    alignas(128) std::array<float, 64> in{}, out{};
    const auto source = std::as_writable_bytes(std::span(in)),
               result = std::as_writable_bytes(std::span(out));
    const bool is_bound = runner.bind_memory("a", source);
    CHECK(is_bound == info.has_unified_memory);
    if (!is_bound) continue;
    CHECK(runner.bind_memory("twice", result));
    for (const float value : {1.5F, 4.0F}) {
      in.fill(value);
      runner.write("a", source);
      runner.run();
      runner.read("twice", result);
      CHECK(std::ranges::count(out, 2 * value) == 64);
      CHECK(runner.read("plus").get(63) == value + 1);
    }
  }
}

TEST_CASE("runner: memory that needs a copy is left alone, and memory of another size is refused") {
  const auto device = Device::open();
  Runner runner(two_outputs(), *device, {{"n", 8}, {"k", 2.0}});
  alignas(128) std::array<std::byte, 36> memory{};
  const std::span<std::byte> whole = memory;
  CHECK_FALSE(runner.bind_memory("a", whole.subspan(1, 32)));
  CHECK(error_of([&] { runner.bind_memory("a", whole); }) ==
        "the input \"a\" needs f32 [8] of 32 bytes, but the given memory has 36");
  CHECK(error_of([&] { runner.bind_memory("b", whole); }) ==
        "bind: \"b\" is not an input or output of the program");
  CHECK(runner.shape("plus") == std::vector<std::int64_t>{8});
  CHECK(error_of([&] { runner.shape("b"); }) == "shape: \"b\" is not an input or output of the program");

  const Input a("a", Float(32), {8}, {"x"});
  Func f("f");
  f(x) = a(x) + 1.0F;
  f.bound({8}).layout("x+2");
  const auto packed = Pipeline(f).prepare(*device);
  CHECK_FALSE(packed->bind_memory("f", whole.first(32)));
}

TEST_CASE("runner: memory of which another input or output has a part is left alone") {
  for (const DeviceInfo& info : Device::list()) {
    CAPTURE(info.name);
    const auto device = Device::open(fmt::format("{}:{}", info.platform_number, info.device_number));
    Runner runner(two_outputs(info), *device, {{"n", 64}, {"k", 2.0}});
    alignas(128) std::array<std::byte, 1024> memory{};
    const std::span<std::byte> whole = memory;
    if (!runner.bind_memory("a", whole.first(256))) continue;
    CHECK_FALSE(runner.bind_memory("twice", whole.first(256)));
    CHECK_FALSE(runner.bind_memory("twice", whole.subspan(128, 256)));
    CHECK(runner.bind_memory("twice", whole.subspan(256, 256)));
    CHECK(runner.bind_memory("a", whole.subspan(512, 256)));
    CHECK(runner.bind_memory("plus", whole.first(256)));
    runner.run();
  }
}

TEST_CASE("runner: memory is kept as long as it is bound") {
  const auto device = Device::open();
  Runner runner(two_outputs(), *device, {{"n", 32}, {"k", 2.0}});
  auto owner = std::make_shared<std::vector<float>>(64);
  void* first = owner->data();
  std::size_t room = 64 * sizeof(float);
  REQUIRE(std::align(128, 32 * sizeof(float), first, room));
  const std::weak_ptr<std::vector<float>> kept = owner;
  const std::span<std::byte> memory(static_cast<std::byte*>(first), 32 * sizeof(float));
  if (!runner.bind_memory("a", memory, std::move(owner))) return;
  CHECK_FALSE(kept.expired());
  runner.run();
  runner.bind("a", device->allocate(32 * sizeof(float)));
  runner.write("a", numbers(32, 0));
  runner.run();
  CHECK(kept.expired());
}

TEST_CASE("runner: eight threads run one program at once, on one device") {
  const auto device = Device::open();
  const auto program = two_outputs();
  std::vector<int> wrong(8, 0);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      const std::int64_t n = 50 + t;
      Runner runner(program, *device, {{"n", n}, {"k", static_cast<double>(t)}});
      for (int round = 0; round < 20; ++round) {
        runner.write("a", numbers(n, round));
        runner.run();
        const Buffer twice = runner.read("twice"), plus = runner.read("plus");
        for (std::int64_t i = 0; i < n; ++i) {
          const auto a = static_cast<double>(round + i);
          wrong[static_cast<std::size_t>(t)] += twice.get(i) != a * t || plus.get(i) != a + 1;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(8, 0));
}

TEST_CASE("runner: a program that is read back runs the same, a model's with its constants") {
  const auto device = Device::open();
  CompileTarget target;
  target.device = device->info();
  const auto program = std::make_shared<const Program>(
      Model::load(
          (source_dir() / testing::by_tier("models/mobilenet_v1.onnx", "models/squeezenet1_0.onnx")).string(),
          {.random_weights = true})
          .compile(target));
  const std::string folder = testing::temporary("runner_test").string();
  write_program(*program, folder);
  const auto again = std::make_shared<const Program>(read_program(folder));
  std::filesystem::remove_all(folder);
  std::vector<Buffer> results;
  for (const auto& p : {program, again}) {
    Runner runner(p, *device);
    for (const auto& input : p->inputs) runner.write(input.name, default_input(input));
    runner.run();
    results.push_back(runner.read());
  }
  CHECK(std::ranges::equal(results[0].bytes(), results[1].bytes()));
}
