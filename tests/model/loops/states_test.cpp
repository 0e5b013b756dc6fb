// Inputs that are next what an output was: a Runner keeps them.
#include <doctest/doctest.h>

#include <random>

#include "support/buffers.h"
#include "support/error_text.h"
#include "support/load_model.h"

using namespace tensordsl;
using testing::attribute;
using testing::buffer_of;
using testing::Ints;
using testing::load_model;
using testing::OnnxModel;
using testing::values_of;

namespace {

using Values = std::vector<double>;

/// present = past ++ twice x along dimension `axis` of [2, t]; sums = the sum along t.
OnnxModel cache(const std::vector<std::string>& parts = {"past", "twice"}) {
  OnnxModel m;
  m.input("past", {2, 1}).input("x", {2, 1}).floats("two", {}, {2});
  m.name_dim(0, 1, "past_size").name_dim(1, 1, "fresh");
  m.node("Mul", {"x", "two"}, {"twice"}).node("Concat", parts, {"present"}, {attribute("axis", 1)});
  m.ints("last", {1}, {1}).node("ReduceSum", {"present", "last"}, {"sums"}, {attribute("keepdims", 0)});
  return m.output("present").output("sums");
}

/// h' = h/2 + x
OnnxModel recurrent() {
  OnnxModel m;
  m.input("h", {3}).input("x", {3}).floats("half", {}, {0.5F});
  m.node("Mul", {"h", "half"}, {"less"}).node("Add", {"less", "x"}, {"next"});
  return m.node("Neg", {"next"}, {"y"}).output("next").output("y");
}

ModelOptions with_states(const std::map<std::string, std::string>& states) {
  ModelOptions options;
  options.states = states;
  return options;
}

Runner runner_of(const OnnxModel& model, Device& device, const std::map<std::string, std::string>& states,
                 const ParamValues& params = {}, const Optimizations& optimizations = {}) {
  CompileTarget target;
  target.device = device.info();
  target.optimizations = optimizations;
  const Program program = load_model(model, with_states(states)).compile(target);
  // Writes and reads the Program, so that the tests run the read one.
  Program read = program_from_json(to_json(program));
  for (std::size_t k = 0; k < program.kernels.size(); ++k) read.kernels[k].text = program.kernels[k].text;
  read.constants = program.constants;
  return Runner(std::make_shared<const Program>(std::move(read)), device, params);
}

/// A run of `columns` of x: x(i, j) = first + 10*i + j.
void step(Runner& runner, int columns, double first) {
  runner.set_params({{"fresh", columns}});
  Buffer x(Float(32), {2, columns});
  for (int i = 0; i < 2 * columns; ++i)
    x.set(i, first + 10.0 * static_cast<double>(i / columns) + static_cast<double>(i % columns));
  runner.write("x", x);
  runner.run();
}

}  // namespace

TEST_CASE("states: what grows keeps what was there, whatever is added at a time") {
  const auto device = Device::open();
  Optimizations row_major, no_fusion;
  row_major.layout_selection = false;
  no_fusion.fusion = false;
  for (const Optimizations& optimizations : {Optimizations{}, row_major, no_fusion}) {
    Runner runner =
        runner_of(cache(), *device, {{"past", "present"}}, {{"past_size", 5}, {"fresh", 3}}, optimizations);
    step(runner, 2, 1);
    CHECK(values_of(runner.read("present")) == Values{2, 4, 22, 24});
    step(runner, 1, 3);
    CHECK(runner.read("present").shape() == Ints{2, 3});
    CHECK(values_of(runner.read("present")) == Values{2, 4, 6, 22, 24, 26});
    step(runner, 3, 4);
    CHECK(values_of(runner.read("present")) == Values{2, 4, 6, 8, 10, 12, 22, 24, 26, 28, 30, 32});
    CHECK(values_of(runner.read("sums")) == Values{42, 162});
  }
}

TEST_CASE("states: what grows at its end takes no kernel and no copy") {
  const auto device = Device::open();
  const Runner runner = runner_of(cache(), *device, {{"past", "present"}}, {{"past_size", 5}, {"fresh", 1}});
  const Program& program = runner.program();
  CHECK(program.states == std::vector<Program::State>{{0, 0, 1}});
  REQUIRE(program.tensors[0].kind == Program::Tensor::Kind::State);
  CHECK(program.inputs[0].tensor == program.outputs[0].tensor);
  for (const Program::Launch& launch : program.launches) CHECK(launch.label != "Concat");
}

TEST_CASE("states: what is put together otherwise is computed, and handed over") {
  const auto device = Device::open();
  Runner runner =
      runner_of(cache({"twice", "past"}), *device, {{"past", "present"}}, {{"past_size", 5}, {"fresh", 2}});
  step(runner, 1, 1);
  step(runner, 2, 2);
  CHECK(values_of(runner.read("present")) == Values{4, 6, 2, 24, 26, 22});
  step(runner, 1, 4);
  CHECK(values_of(runner.read("present")) == Values{8, 4, 6, 2, 28, 24, 26, 22});
  CHECK(values_of(runner.read("sums")) == Values{20, 100});
}

TEST_CASE("states: one of a shape begins with zeros, and is what it was given") {
  const auto device = Device::open();
  Runner runner = runner_of(recurrent(), *device, {{"h", "next"}});
  const auto run = [&](double x) {
    runner.write("x", buffer_of(Float(32), {3}, {x, x, x}));
    runner.run();
    return runner.read("next").get(0);
  };
  CHECK(run(1) == 1);
  CHECK(run(0) == 0.5);
  CHECK(run(4) == 4.25);
  runner.run_timed();
  CHECK(runner.read("y").get(2) == -6.125);
  runner.start();
  runner.wait();
  CHECK(runner.read("next").get(1) == 7.0625);
  runner.write("h", buffer_of(Float(32), {3}, {2, 4, 6}));
  runner.run();
  CHECK(values_of(runner.read("next")) == Values{5, 6, 7});
  runner.clear_states();
  CHECK(run(3) == 3);
}

TEST_CASE("states: causal attention over what it has kept gives what one run over all of it gives") {
  constexpr int kTokens = 7, kHeads = 2, kWidth = 4;
  const auto device = Device::open();
  OnnxModel m(23);
  for (const char* name : {"q", "k", "v", "past_k", "past_v"}) m.input(name, {1, kHeads, 1, kWidth});
  for (int i = 0; i < 5; ++i) m.name_dim(i, 2, i < 3 ? "fresh" : "past_size");
  m.floats("two", {}, {2}).node("Mul", {"k", "two"}, {"keys"}).node("Mul", {"v", "two"}, {"values"});
  m.node("Attention", {"q", "keys", "values", "", "past_k", "past_v"}, {"y", "present_k", "present_v"},
         {attribute("is_causal", 1)});
  m.output("y").output("present_k").output("present_v");
  Runner runner = runner_of(m, *device, {{"past_k", "present_k"}, {"past_v", "present_v"}},
                            {{"past_size", kTokens}, {"fresh", kTokens}});
  CHECK(runner.program().tensors[runner.program().inputs[3].tensor].kind == Program::Tensor::Kind::State);
  // The tokens from `first` on.
  const auto run = [&](int first, int count) {
    runner.set_params({{"fresh", count}});
    for (const char* name : {"q", "k", "v"}) {
      Buffer value(Float(32), {1, kHeads, count, kWidth});
      for (int i = 0; i < value.elements(); ++i) {
        const int head = i / (count * kWidth), place = i % (count * kWidth) + first * kWidth;
        value.set(i, (place * 7 + head * 5 + name[0]) % 13 / 6.0 - 1);
      }
      runner.write(name, value);
    }
    runner.run();
    return runner.read("y");
  };
  const Buffer together = run(0, kTokens);
  runner.clear_states();
  for (int first = 0, count = 1; first < kTokens; first += count, count = first + 2 <= kTokens ? 2 : 1) {
    const Buffer part = run(first, count);
    for (int i = 0; i < part.elements(); ++i) {
      const int head = i / (count * kWidth), place = i % (count * kWidth) + first * kWidth;
      CHECK(part.get(i) == doctest::Approx(together.get(head * kTokens * kWidth + place)).epsilon(1e-5));
    }
  }
}

TEST_CASE("states: an output that is a constant, an input or another output is copied") {
  const auto device = Device::open();
  OnnxModel m;
  m.input("a", {2}).input("b", {2}).input("x", {2});
  m.node("Add", {"a", "b"}, {"y"}).node("Identity", {"x"}, {"next_a"}).node("Neg", {"x"}, {"minus"});
  m.node("Identity", {"minus"}, {"next_b"}).output("y").output("next_a").output("next_b").output("minus");
  Runner runner = runner_of(m, *device, {{"a", "next_a"}, {"b", "next_b"}});
  runner.write("x", buffer_of(Float(32), {2}, {1, 2}));
  runner.write("a", buffer_of(Float(32), {2}, {5, 7}));
  runner.run();
  CHECK(values_of(runner.read("y")) == Values{5, 7});
  runner.run();
  CHECK(values_of(runner.read("y")) == Values{0, 0});
  CHECK(values_of(runner.read("minus")) == Values{-1, -2});
}

TEST_CASE("states: less of them may be kept, and what is written may be more") {
  const auto device = Device::open();
  for (const std::vector<std::string>& parts :
       {std::vector<std::string>{"past", "twice"}, std::vector<std::string>{"past", "x"}}) {
    const double factor = parts[1] == "x" ? 1 : 2;
    Runner runner = runner_of(cache(parts), *device, {{"past", "present"}}, {{"past_size", 4}, {"fresh", 4}});
    step(runner, 4, 1);
    runner.set_params({{"past_size", 2}});
    step(runner, 1, 9);
    CHECK(values_of(runner.read("present")) ==
          Values{1 * factor, 2 * factor, 9 * factor, 11 * factor, 12 * factor, 19 * factor});
    runner.set_params({{"past_size", 4}});
    CHECK(error_of([&] { step(runner, 1, 1); }) ==
          "run: the input \"past\" has no value; write it or bind a buffer");
    runner.write("past", buffer_of(Float(32), {2, 4}, {1, 1, 1, 1, 2, 2, 2, 2}));
    step(runner, 1, 1);
    CHECK(values_of(runner.read("sums")) == Values{4 + factor, 8 + 11 * factor});
    runner.clear_states();
    step(runner, 1, 3);
    CHECK(values_of(runner.read("present")) == Values{3 * factor, 13 * factor});
  }
}

TEST_CASE("states: whatever is run, kept, written and cleared, a run begins with what should be there") {
  constexpr int kMost = 6, kRounds = 60;
  const auto device = Device::open();
  for (const std::vector<std::string>& parts :
       {std::vector<std::string>{"past", "twice"}, std::vector<std::string>{"twice", "past"}}) {
    Runner runner =
        runner_of(cache(parts), *device, {{"past", "present"}}, {{"past_size", kMost}, {"fresh", 3}});
    std::minstd_rand random(7);
    Values expected;  // of row 0; row 1 has 100 more in each
    const auto write = [&] {
      Buffer past(Float(32), {2, static_cast<std::int64_t>(expected.size())});
      for (std::size_t i = 0; i < 2 * expected.size(); ++i)
        past.set(static_cast<std::int64_t>(i),
                 i < expected.size() ? expected[i] : expected[i - expected.size()] + 100);
      runner.write("past", past);
    };
    const auto run = [&](int columns) {
      runner.set_params({{"fresh", columns}});
      Buffer x(Float(32), {2, columns});
      Values added;
      for (int i = 0; i < columns; ++i) {
        added.push_back(2.0 * static_cast<double>(random() % 100));
        x.set(i, added.back() / 2);
        x.set(columns + i, added.back() / 2 + 50);
      }
      runner.write("x", x);
      runner.run();
      expected.insert(parts[0] == "past" ? expected.end() : expected.begin(), added.begin(), added.end());
      Values both = expected;
      for (const double value : expected) both.push_back(value + 100);
      CHECK(values_of(runner.read("present")) == both);
    };
    for (int round = 0; round < kRounds; ++round) {
      const std::size_t kept = random() % (expected.size() + 1);
      if (random() % 8 == 0 || expected.size() > kMost) {
        runner.set_params({{"past_size", std::min<std::size_t>(kept, kMost)}});
        expected.resize(std::min<std::size_t>(kept, kMost));
      }
      if (random() % 8 == 0) {
        for (double& value : expected) value = static_cast<double>(random() % 50);
        write();
      }
      if (random() % 16 == 0) {
        runner.clear_states();
        expected.clear();
      }
      run(1 + static_cast<int>(random() % 3));
    }
  }
}

TEST_CASE(
    "states: one that stays of a shape and one that grows are kept beside each other, also if that is cut") {
  const auto device = Device::open();
  OnnxModel m = cache({"twice", "past"});
  m.input("h", {3}).floats("half", {}, {0.5F}).node("Mul", {"h", "half"}, {"less"});
  m.floats("ones", {3}, {1, 1, 1}).node("Add", {"less", "ones"}, {"next"}).output("next");
  Runner runner =
      runner_of(m, *device, {{"past", "present"}, {"h", "next"}}, {{"past_size", 4}, {"fresh", 1}});
  double expected = 0;
  Values kept;
  for (const std::size_t keep : {4, 4, 2, 1, 4, 0, 1, 1, 4}) {
    kept.resize(std::min(keep, kept.size()));
    runner.set_params({{"past_size", kept.size()}});
    step(runner, 1, static_cast<double>(keep));
    kept.insert(kept.begin(), 2.0 * static_cast<double>(keep));
    expected = expected / 2 + 1;
    CHECK(runner.read("next").get(1) == expected);
    const Values present = values_of(runner.read("present"));
    CHECK(Values(present.begin(), present.begin() + static_cast<std::ptrdiff_t>(kept.size())) == kept);
  }
}

TEST_CASE("states: beyond their memory a run says what to do, and they stay as they are") {
  const auto device = Device::open();
  Runner runner = runner_of(cache(), *device, {{"past", "present"}}, {{"past_size", 2}, {"fresh", 2}});
  step(runner, 2, 1);
  step(runner, 1, 3);
  const std::string full =
      "run: the states would begin with 3 elements of \"past_size\", but there is memory for 2; construct "
      "the Runner with a larger value of it, or keep less (Runner::set_params, Runner::clear_states)";
  CHECK(error_of([&] { runner.run(); }) == full);
  CHECK(error_of([&] { runner.run(); }) == full);
  CHECK(error_of([&] { runner.set_params({{"past_size", 3}}); }) == full);
  CHECK(values_of(runner.read("present")) == Values{2, 4, 6, 22, 24, 26});
  runner.set_params({{"past_size", 2}});
  CHECK(error_of([&] {
          runner.set_params({{"fresh", 3}});
        }) ==
        "run: \"past\" would be f32[2,5], which exceeds its memory of 32 bytes; construct the Runner with "
        "the largest sizes");
  CHECK(error_of([&] {
          runner.set_params({{"past_size", -1}});
        }) == "run: \"past_size\" is the kept length of the states, and must not be negative; found -1");
  CHECK(error_of([&] {
          runner.set_params({{"old", 3}});
        }) == "run: the program has no Param \"old\"; it has \"fresh\", \"past_size\"");
  step(runner, 1, 7);
  CHECK(values_of(runner.read("present")) == Values{2, 4, 14, 22, 24, 34});
}

TEST_CASE("states: Params that do not fit change nothing, however much was to be kept") {
  const auto device = Device::open();
  Runner runner = runner_of(cache(), *device, {{"past", "present"}}, {{"past_size", 8}, {"fresh", 2}});
  step(runner, 2, 1);
  step(runner, 2, 3);
  const Buffer before = runner.read("present");
  for (const int kept : {2, 6}) {
    CAPTURE(kept);
    CHECK_THROWS_AS(runner.set_params({{"past_size", kept}, {"fresh", 1000}}), ShapeError);
  }
  CHECK_THROWS_AS(runner.set_params({{"past_size", -1}}), ShapeError);
  CHECK(runner.read("present") == before);
  step(runner, 2, 5);
  const Buffer after = runner.read("present");
  CHECK(after.shape() == std::vector<std::int64_t>{2, 6});
  CHECK(after.get(0) == before.get(0));
  CHECK(after.get(4) == 10);
}

TEST_CASE("states: a Param that is changed leaves inputs of its size without a value") {
  const auto device = Device::open();
  Runner runner = runner_of(cache(), *device, {}, {{"past_size", 3}, {"fresh", 2}});
  runner.write("past", Buffer(Float(32), {2, 3}));
  runner.write("x", Buffer(Float(32), {2, 2}));
  runner.run();
  runner.set_params({{"fresh", 1}});
  CHECK(error_of([&] { runner.run(); }) == "run: the input \"x\" has no value; write it or bind a buffer");
  runner.write("x", buffer_of(Float(32), {2, 1}, {1, 2}));
  runner.run();
  CHECK(values_of(runner.read("present")) == Values{0, 0, 0, 2, 0, 0, 0, 4});
}

TEST_CASE("states: the Runner's memory is its own") {
  const auto device = Device::open();
  Runner runner = runner_of(recurrent(), *device, {{"h", "next"}});
  const std::shared_ptr<DeviceBuffer> buffer = device->allocate(64);
  CHECK(error_of([&] { runner.bind("h", buffer); }) ==
        "bind: \"h\" is a state, whose memory belongs to the Runner");
  CHECK(error_of([&] { runner.bind("next", buffer); }) ==
        "bind: \"next\" is a state, whose memory belongs to the Runner");
}

TEST_CASE("states: an input and an output that are not alike are refused") {
  const auto error = [](const OnnxModel& model, const std::map<std::string, std::string>& states) {
    const std::string text = error_of([&] { load_model(model, with_states(states)); });
    return text.substr(std::min(text.find("states: "), text.size()));
  };
  CHECK(error(recurrent(), {{"g", "next"}}) == "states: the model has no input \"g\"; it has \"h\", \"x\"");
  CHECK(error(recurrent(), {{"h", "last"}}) ==
        "states: the model has no output \"last\"; it has \"next\", \"y\"");
  CHECK(error(recurrent(), {{"h", "next"}, {"x", "next"}}) ==
        "states: the output \"next\" is the next value of two inputs; use it for one");
  const std::string remedy =
      "; types and shapes must be equal, except for one symbolic dimension of the input (do not set it in "
      "ModelOptions::dims)";
  CHECK(error(cache(), {{"past", "sums"}}) ==
        "states: the input \"past\" is f32 [2, past_size], but the output \"sums\" is f32 [2]" + remedy);
  ModelOptions fixed = with_states({{"past", "present"}});
  fixed.dims = {{"past_size", 4}};
  CHECK(error_of([&] { load_model(cache(), fixed); })
            .ends_with(
                "states: the input \"past\" is f32 [2, 4], but the output \"present\" is f32 [2, fresh + 4]" +
                remedy));
  OnnxModel two = cache();
  two.input("other", {1}).name_dim(2, 0, "other_size");
  two.floats("one", {1}, {1}).node("Concat", {"other", "one"}, {"next_other"}, {attribute("axis", 0)});
  CHECK(error(two.output("next_other"), {{"past", "present"}, {"other", "next_other"}}) ==
        "states: \"past\" grows from past_size to fresh + past_size, but \"other\" from other_size to "
        "other_size + 1; all growing states must grow by the same number of elements");
}
