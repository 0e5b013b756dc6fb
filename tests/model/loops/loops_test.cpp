// Loops whose number of steps is open: a Runner repeats what one step is made of.
#include <doctest/doctest.h>

#include "support/buffers.h"
#include "support/error_text.h"
#include "support/load_model.h"
#include "support/onnx_bodies.h"
#include "support/tier.h"

using namespace tensordsl;
using testing::add_node;
using testing::attribute;
using testing::body;
using testing::buffer_of;
using testing::Ints;
using testing::load_model;
using testing::Names;
using testing::OnnxModel;
using testing::values_of;

namespace {

using Values = std::vector<double>;

constexpr int kInt64 = ::onnx::TensorProto::INT64, kFloat = ::onnx::TensorProto::FLOAT;

std::shared_ptr<Device> device() { return Device::open(testing::by_tier("host", "")); }

/// Compiles, then writes and reads the Program, so that the tests run the read one.
std::shared_ptr<const Program> compiled(const OnnxModel& model, const CompileTarget& target) {
  const Program program = load_model(model).compile(target);
  Program read = program_from_json(to_json(program));
  for (std::size_t k = 0; k < program.kernels.size(); ++k) read.kernels[k].text = program.kernels[k].text;
  read.constants = program.constants;
  return std::make_shared<const Program>(std::move(read));
}

std::shared_ptr<const Program> compiled(const OnnxModel& model, const Device& device) {
  CompileTarget target;
  target.device = device.info();
  return compiled(model, target);
}

Buffer number(std::int64_t value) {
  Buffer buffer(Int(64), {});
  buffer.set_int(0, value);
  return buffer;
}

/// h' = h/2 + row of x [length, 2], from h = start; all: h' - 1 of all steps.
OnnxModel halves() {
  OnnxModel m;
  m.input("x", {1, 2}).input("start", {2}).name_dim(0, 0, "length");
  const auto step = body("body", {"h", "row"}, {"next", "y"}, [](::onnx::GraphProto& graph) {
    testing::OnnxModel constants;
    constants.floats("half", {}, {0.5F}).floats("one", {}, {1});
    *graph.mutable_initializer() = constants.proto.graph().initializer();
    add_node(graph, "Mul", {"h", "half"}, {"less"});
    add_node(graph, "Add", {"less", "row"}, {"next"});
    add_node(graph, "Sub", {"next", "one"}, {"y"});
  });
  m.node("Scan", {"start", "x"}, {"last", "all"}, {step, attribute("num_scan_inputs", 1)});
  return m.output("last").output("all");
}

void check_halves(Runner& runner, std::int64_t length) {
  CAPTURE(length);
  Buffer x(Float(32), {length, 2});
  for (std::int64_t i = 0; i < x.elements(); ++i) x.set(i, static_cast<double>(i % 7) - 3);
  runner.set_params({{"length", static_cast<std::int32_t>(length)}});
  runner.write("x", x);
  runner.write("start", buffer_of(Float(32), {2}, {4, -8}));
  runner.run();
  Values h{4, -8}, all;
  for (std::int64_t t = 0; t < length; ++t) {
    for (std::int64_t i = 0; i < 2; ++i) {
      auto& value = h[static_cast<std::size_t>(i)];
      value = static_cast<double>(static_cast<float>(value * 0.5 + x.get(2 * t + i)));
      all.push_back(static_cast<double>(static_cast<float>(value - 1)));
    }
  }
  CHECK(values_of(runner.read("last")) == h);
  CHECK(values_of(runner.read("all")) == all);
  CHECK(runner.read("all").shape() == Ints{length, 2});
}

/// a, b = b, a + b, n times.
OnnxModel fibonacci() {
  OnnxModel m;
  m.input("n", {}, kInt64).ints("zero", {}, {0}).ints("one", {}, {1});
  const auto step = body("body", {"i", "go", "a", "b"}, {"go", "b", "c"}, [](::onnx::GraphProto& graph) {
    add_node(graph, "Add", {"a", "b"}, {"c"});
  });
  m.node("Loop", {"n", "", "zero", "one"}, {"first", "second"}, {step});
  return m.output("first").output("second");
}

/// Doubles h until its sum is `limit` or more; all: h after each step.
OnnxModel doubled(const Names& outputs = {"last", "all"}) {
  OnnxModel m;
  m.input("h", {2}).input("limit", {}).ints("most", {}, {500});
  const auto step =
      body("body", {"i", "go", "h"}, {"goes_on", "next", "next"}, [](::onnx::GraphProto& graph) {
        add_node(graph, "Add", {"h", "h"}, {"next"});
        add_node(graph, "ReduceSum", {"next"}, {"sum"}, {attribute("keepdims", 0)});
        add_node(graph, "Less", {"sum", "limit"}, {"goes_on"});
      });
  m.node("Loop", {"most", "", "h"}, outputs, {step});
  for (const std::string& output : outputs) m.output(output);
  return m;
}

}  // namespace

TEST_CASE("loops: one Program runs at every length, also behind another one") {
  const auto on = device();
  for (const bool is_planned : {true, false}) {
    CompileTarget target;
    target.device = on->info();
    target.optimizations.memory_plan = is_planned;
    target.optimizations.fusion = is_planned;
    Runner runner(compiled(halves(), target), *on, {{"length", 300}});
    // An odd and an even number of steps leave values in different tensors; the recordings of some are kept.
    for (const std::int64_t length : {5, 5, 4, 1, 2, 300, 4, 7}) check_halves(runner, length);
  }
}

TEST_CASE("loops: the definitions say the same on the host") {
  ModelOptions options;
  options.dims = {{"length", 300}};
  const Model model = load_model(halves(), options);
  Buffer x(Float(32), {300, 2});
  for (std::int64_t i = 0; i < x.elements(); ++i) x.set(i, static_cast<double>(i % 7) - 3);
  const std::map<std::string, Buffer> inputs{{"x", x}, {"start", buffer_of(Float(32), {2}, {4, -8})}};
  const auto expected = model.interpret(inputs);
  const auto on = device();
  CompileTarget target;
  target.device = on->info();
  Runner runner(std::make_shared<const Program>(model.compile(target)), *on);
  runner.write_all(inputs);
  runner.run();
  CHECK(values_of(runner.read("last")) == values_of(expected.at("last")));
  CHECK(values_of(runner.read("all")) == values_of(expected.at("all")));
}

TEST_CASE("loops: values may change places, and a number of steps may be an input") {
  const auto on = device();
  Runner runner(compiled(fibonacci(), *on), *on);
  const std::vector<std::int64_t> numbers{0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55};
  for (const std::size_t n : {0UL, 1UL, 2UL, 9UL, 4UL, 3UL, 0UL}) {
    CAPTURE(n);
    runner.write("n", number(static_cast<std::int64_t>(n)));
    runner.run();
    CHECK(runner.read("first").get_int(0) == numbers[n]);
    CHECK(runner.read("second").get_int(0) == numbers[n + 1]);
  }
  runner.write("n", number(-3));
  runner.run();
  CHECK(runner.read("first").get_int(0) == 0);
}

TEST_CASE("loops: a condition ends them, and outputs have as many rows as there were steps") {
  const auto on = device();
  Runner runner(compiled(doubled(), *on), *on);
  for (const auto& [limit, steps] : {std::pair{10.0, 3}, {0.0, 1}, {100.0, 7}, {11.0, 3}}) {
    CAPTURE(limit);
    runner.write("h", buffer_of(Float(32), {2}, {0.5, 1}));
    runner.write("limit", buffer_of(Float(32), {}, {limit}));
    runner.run();
    const Buffer all = runner.read("all");
    REQUIRE(all.shape() == Ints{steps, 2});
    CHECK(runner.shape("all") == Ints{steps, 2});
    CHECK(all.get(0) == 1);
    CHECK(values_of(runner.read("last")) ==
          Values{0.5 * static_cast<double>(1 << steps), static_cast<double>(1 << steps)});
    CHECK(all.get(2 * steps - 1) == static_cast<double>(1 << steps));
  }
}

TEST_CASE("loops: what no output needs is not computed, and its memory is a step's") {
  const Program whole = load_model(doubled()).compile({}), last = load_model(doubled({"last"})).compile({});
  CHECK(whole.loops.size() == 1);
  CHECK(last.launches.size() + 1 == whole.launches.size());
}

TEST_CASE("loops: one is in another, whose steps give the number of its steps") {
  OnnxModel m;
  m.input("x", {1, 2}).input("counts", {1}, kInt64).input("start", {2});
  m.name_dim(0, 0, "length").name_dim(1, 0, "length");
  const auto inner = body("body", {"i", "go", "a"}, {"go", "b"}, [](::onnx::GraphProto& graph) {
    add_node(graph, "Add", {"a", "row"}, {"b"});
  });
  const auto outer = body("body", {"sum", "row", "n"}, {"next", "next"}, [&](::onnx::GraphProto& graph) {
    add_node(graph, "Loop", {"n", "", "sum"}, {"next"}, {inner});
  });
  m.node("Scan", {"start", "x", "counts"}, {"last", "all"}, {outer, attribute("num_scan_inputs", 2)});
  const auto on = device();
  Runner runner(compiled(m.output("last").output("all"), *on), *on, {{"length", 3}});
  runner.write("x", buffer_of(Float(32), {3, 2}, {1, 2, 10, 20, 100, 200}));
  runner.write("counts", buffer_of(Int(64), {3}, {2, 0, 3}));
  runner.write("start", buffer_of(Float(32), {2}, {0.5, 0.25}));
  for (int i = 0; i < 2; ++i) {
    runner.run();
    CHECK(values_of(runner.read("last")) == Values{302.5, 604.25});
    CHECK(values_of(runner.read("all")) == Values{2.5, 4.25, 2.5, 4.25, 302.5, 604.25});
  }
}

TEST_CASE("loops: a loop in another begins each time with its first values") {
  OnnxModel m;
  m.input("x", {1, 2}).input("n", {}, kInt64).floats("none", {2}, {0, 0}).name_dim(0, 0, "length");
  const auto inner = body("body", {"i", "go", "a"}, {"go", "b"}, [](::onnx::GraphProto& graph) {
    add_node(graph, "Add", {"a", "row"}, {"b"});
  });
  const auto outer = body("body", {"row"}, {"y"}, [&](::onnx::GraphProto& graph) {
    add_node(graph, "Loop", {"n", "", "none"}, {"y"}, {inner});
  });
  m.node("Scan", {"x"}, {"all"}, {outer, attribute("num_scan_inputs", 1)}).output("all");
  const auto on = device();
  Runner runner(compiled(m, *on), *on, {{"length", 3}});
  runner.write("x", buffer_of(Float(32), {3, 2}, {1, 2, 10, 20, 100, 200}));
  for (const std::int64_t n : {3, 2, 0}) {
    CAPTURE(n);
    const auto times = static_cast<double>(n);
    runner.write("n", number(n));
    runner.run();
    CHECK(values_of(runner.read("all")) ==
          Values{times, 2 * times, 10 * times, 20 * times, 100 * times, 200 * times});
  }
}

TEST_CASE("loops: a loop in another may repeat as often as that one has so far") {
  OnnxModel m;
  m.input("n", {}, kInt64).ints("none", {}, {0}).ints("one", {}, {1});
  const auto inner = body("body", {"j", "go", "a"}, {"go", "b"}, [](::onnx::GraphProto& graph) {
    add_node(graph, "Add", {"a", "one"}, {"b"});
  });
  const auto outer = body("body", {"i", "go", "sum"}, {"go", "next"}, [&](::onnx::GraphProto& graph) {
    add_node(graph, "Loop", {"i", "", "sum"}, {"next"}, {inner});
  });
  m.node("Loop", {"n", "", "none"}, {"last"}, {outer}).output("last");
  const auto on = device();
  Runner runner(compiled(m, *on), *on);
  for (const std::int64_t n : {5, 5, 7, 7, 4, 5}) {
    CAPTURE(n);
    runner.write("n", number(n));
    runner.run();
    CHECK(runner.read("last").get_int(0) == n * (n - 1) / 2);
  }
}

TEST_CASE("loops: a condition may be carried, or be what no step changes") {
  const auto on = device();
  const auto steps_of = [&](const std::string& condition) {
    OnnxModel m;
    m.input("x", {1})
        .input("limit", {}, kInt64)
        .floats("none", {}, {0})
        .ints("one", {}, {1})
        .ints("zero", {}, {0});
    m.ints("most", {}, {60});
    m.initializer("yes", {}, ::onnx::TensorProto::BOOL).add_int32_data(1);
    const auto step = body("body", {"i", "go", "taken", "was"}, {condition, "more", "is_less"},
                           [](::onnx::GraphProto& graph) {
                             add_node(graph, "Add", {"taken", "one"}, {"more"});
                             add_node(graph, "Less", {"more", "limit"}, {"is_less"});
                             add_node(graph, "ReduceSum", {"x"}, {"sum"}, {attribute("keepdims", 0)});
                             add_node(graph, "Greater", {"sum", "none"}, {"is_positive"});
                           });
    m.node("Loop", {"most", "", "zero", "yes"}, {"steps", "last"}, {step}).output("steps");
    Runner runner(compiled(m, *on), *on);
    std::vector<std::int64_t> steps;
    for (const auto& [x, limit] : {std::pair{1.0, 3}, {-1.0, 4}, {1.0, 5}}) {
      runner.write("x", buffer_of(Float(32), {1}, {x}));
      if (condition != "is_positive")
        runner.write("limit", number(limit));
      else
        runner.write("limit", number(0));
      runner.run();
      steps.push_back(runner.read("steps").get_int(0));
    }
    return steps;
  };
  CHECK(steps_of("is_less") == std::vector<std::int64_t>{3, 4, 5});
  CHECK(steps_of("was") == std::vector<std::int64_t>{4, 5, 6});
  CHECK(steps_of("is_positive") == std::vector<std::int64_t>{60, 1, 60});
}

TEST_CASE("loops: a model may ask for the number of steps alone, and count among their rows") {
  const auto on = device();
  OnnxModel shape = doubled();
  shape.proto.mutable_graph()->clear_output();
  shape.node("Shape", {"all"}, {"sizes"}).output("sizes");
  OnnxModel places = doubled();
  places.proto.mutable_graph()->clear_output();
  places.node("NonZero", {"all"}, {"places"}).output("places");
  for (const auto& [limit, steps] : {std::pair{10.0, 3}, {0.0, 1}, {100.0, 7}}) {
    CAPTURE(limit);
    for (const OnnxModel* model : {&shape, &places}) {
      Runner runner(compiled(*model, *on), *on);
      runner.write("h", buffer_of(Float(32), {2}, {0.5, 1}));
      runner.write("limit", buffer_of(Float(32), {}, {limit}));
      runner.run();
      const Buffer found = runner.read(model == &shape ? "sizes" : "places");
      if (model == &shape)
        CHECK(found.get_int(0) == steps);
      else
        CHECK(found.shape() == Ints{2, 2 * steps});
    }
  }
}

TEST_CASE("loops: a step may count elements, and the host may compute in it") {
  OnnxModel m;
  m.input("x", {1, 4}).name_dim(0, 0, "length").ints("none", {}, {0});
  const auto step = body("body", {"sum", "row"}, {"next"}, [](::onnx::GraphProto& graph) {
    add_node(graph, "NonZero", {"row"}, {"places"});
    add_node(graph, "Size", {"places"}, {"number"});
    add_node(graph, "Add", {"sum", "number"}, {"next"});
  });
  m.node("Scan", {"none", "x"}, {"last"}, {step, attribute("num_scan_inputs", 1)}).output("last");
  const auto on = device();
  for (const bool on_host : {false, true}) {
    CAPTURE(on_host);
    CompileTarget target;
    target.device = on->info();
    if (on_host) target.on_host = {"Add"};
    Runner runner(compiled(m, target), *on, {{"length", 3}});
    runner.write("x", buffer_of(Float(32), {3, 4}, {0, 1, 0, 2, 0, 0, 0, 0, 3, 4, 5, 6}));
    runner.run();
    CHECK(runner.read("last").get_int(0) == 6);
  }
}

TEST_CASE("loops: a launch is timed over all steps, and what is carried has memory of its own") {
  const auto on = device();
  Runner runner(compiled(halves(), *on), *on, {{"length", 9}});
  runner.write("x", Buffer(Float(32), {9, 2}));
  runner.write("start", Buffer(Float(32), {2}));
  CHECK(runner.run_timed().size() == runner.program().launches.size());
  CHECK(values_of(runner.read("last")) == Values{0, 0});
  CHECK(error_of([&] { runner.bind("last", on->allocate(8)); }) ==
        "bind: \"last\" is carried by a loop, which swaps its memory");
  auto all = on->allocate(9 * 2 * 4);
  runner.bind("all", all);
  runner.run();
  Buffer read(Float(32), {9, 2});
  on->read(*all, read.bytes());
  CHECK(values_of(read) == Values(18, -1));
}

TEST_CASE("loops: a Program that would repeat something else is refused") {
  const auto damaged = [](const char* from, const char* to) {
    std::string json = to_json(load_model(halves()).compile({}));
    const std::size_t at = json.find(from);
    REQUIRE(at != std::string::npos);
    json.replace(at, std::string(from).size(), to);
    return error_of([&] { program_from_json(json); });
  };
  CHECK(damaged("\"version\": 6", "\"version\": 5") == "program: version 5 has no loops");
  CHECK(
      damaged("\"steps\": \"length\"", "\"steps\": \"no\"") ==
      "program: the loop over last_step.count uses no, which is not a Param or a count known at that point");
}
