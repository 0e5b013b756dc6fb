// Programs on a device.
#include "tensordsl/runner.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
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
std::shared_ptr<const Program> two_outputs() {
  const Param n("n"), k("k", Float(32));
  const Input a("a", Float(32), {n});
  Func twice("twice"), plus("plus");
  twice(x) = a(x) * k;
  plus(x) = a(x) + 1.0f;
  twice.bound({n});
  plus.bound({n});
  return std::make_shared<const Program>(Pipeline(std::vector<Func>{twice, plus}).compile());
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

TEST_CASE("runner: values and names that do not fit are refused") {
  const auto device = Device::open();
  CHECK(error_of([&] {
          Runner(two_outputs(), *device, {{"n", 4}});
        }) == "realize: no value for the Param \"k\"; pass one under that name");
  CHECK(error_of([&] {
          Runner(two_outputs(), *device, {{"k", 1.0}, {"n", -1}});
        }).find("the extent of a in dimension 0, n, is -1") != std::string::npos);
  CHECK(error_of([&] {
          Runner(two_outputs(), *device, {{"n", 4}, {"k", 1.0}, {"m", 1}});
        }) == "run: the program has no Param \"m\"; it has \"k\", \"n\"");
  Runner runner(two_outputs(), *device, {{"n", 4}, {"k", 1.0}});
  CHECK(error_of([&] { runner.write("b", numbers(4, 0)); }) == "write: there is no input \"b\"");
  CHECK(error_of([&] { runner.write("a", numbers(5, 0)); }) ==
        "the input \"a\" is f32 [4], but the Buffer is f32 [5]");
  CHECK(error_of([&] { runner.write_all({}); }) == "no value for the input \"a\"");
  CHECK(error_of([&] {
          runner.write_all({{"a", numbers(4, 0)}, {"b", numbers(4, 0)}});
        }) == "there is no input \"b\"");
  CHECK(error_of([&] { runner.read(); }) ==
        "read: there are the outputs twice, plus; name one, or use read_all");
  CHECK(error_of([&] { runner.read("nothing"); }) == "read: there is no output \"nothing\"");
}

TEST_CASE("runner: a program whose output is not as large as its memory is refused") {
  const auto device = Device::open();
  Program damaged = *two_outputs();
  damaged.outputs[0].shape = {1, 1};
  CHECK(error_of([&] {
          Runner(std::make_shared<const Program>(damaged), *device, {{"n", 4}, {"k", 1.0}});
        }) == "the program is damaged: \"twice\" is [1, 1], and its memory is for [4]");
}

TEST_CASE("runner: no Program, and an output of another type than its memory, are refused") {
  const auto device = Device::open();
  CHECK(error_of([&] { Runner(nullptr, *device); }) == "Runner: there is no Program; pass one");
  Program damaged = *two_outputs();
  damaged.outputs[0].type = UInt(8);
  CHECK(error_of([&] {
          Runner(std::make_shared<const Program>(damaged), *device, {{"n", 4}, {"k", 1.0}});
        }) == "the program is damaged: \"twice\" is u8, and its memory is f32");
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
        "bind: \"a\" takes 32 bytes, and the buffer has 31");
  CHECK(error_of([&] { runner.bind("a", std::shared_ptr<DeviceBuffer>()); }) ==
        "bind: \"a\" takes 32 bytes, and the buffer has 0");
  CHECK(error_of([&] { runner.bind("twice", in); }) ==
        "bind: \"a\" is in this buffer already; give \"twice\" another one");
  CHECK(error_of([&] { runner.bind("b", in); }) == "bind: there is no input or output \"b\"");
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
      Model::load((source_dir() / "models/squeezenet1_0.onnx").string(), {.random_weights = true})
          .compile(target));
  const std::string folder = (std::filesystem::temp_directory_path() / "tensordsl_runner_test").string();
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
