// Tests that the host computes what no kernel does, as a step of the Program.
#include <doctest/doctest.h>

#include <filesystem>

#include "support/buffers.h"
#include "support/error_text.h"
#include "support/load_model.h"
#include "support/some_device.h"
#include "support/temporary.h"

using namespace tensordsl;
using testing::attribute;
using testing::Floats;
using testing::Ints;
using testing::load_model;
using testing::OnnxModel;

namespace {

constexpr int kDouble = ::onnx::TensorProto::DOUBLE, kFloat = ::onnx::TensorProto::FLOAT;

/// A convolution, then sums of its rows in f64, then a Relu.
OnnxModel sums_in_double() {
  OnnxModel m;
  m.input("x", {1, 3, 5, 7}).floats("w", {4, 3, 3, 3}, Floats(108, 0.125F));
  m.node("Conv", {"x", "w"}, {"c"}, {attribute("pads", Ints{1, 1, 1, 1})});
  m.node("Cast", {"c"}, {"wide"}, {attribute("to", kDouble)});
  m.node("ReduceSum", {"wide"}, {"sum"}, {attribute("keepdims", 0)});
  m.node("Cast", {"sum"}, {"narrow"}, {attribute("to", kFloat)});
  return m.node("Relu", {"narrow"}, {"y"}).output("y");
}

/// The device that runs the tests, as if it had no f64.
CompileTarget without_fp64(Device& device) {
  CompileTarget target;
  target.device = device.info();
  target.device->name = "test";
  target.device->has_fp64 = false;
  return target;
}

Buffer numbers(const Ints& shape) {
  return testing::filled(Float(32), shape,
                         [](std::int64_t i) { return static_cast<double>(i % 13) / 13 - 0.25; });
}

std::vector<Buffer> run(std::shared_ptr<const Program> program, Device& device,
                        const std::map<std::string, Buffer>& inputs) {
  Runner runner(std::move(program), device);
  runner.write_all(inputs);
  runner.run();
  return runner.read_all();
}

std::shared_ptr<const Program> compiled(const Model& model, const CompileTarget& target) {
  return std::make_shared<const Program>(model.compile(target));
}

OnnxModel selection() {
  OnnxModel m;
  m.input("boxes", {1, 6, 4}).input("scores", {1, 2, 6});
  m.ints("limit", {1}, {3}).floats("overlap", {1}, {0.5F}).floats("least", {1}, {0.3F});
  return m.node("NonMaxSuppression", {"boxes", "scores", "limit", "overlap", "least"}, {"y"}).output("y");
}

std::map<std::string, Buffer> boxes_and_scores() {
  Buffer boxes(Float(32), {1, 6, 4}), scores(Float(32), {1, 2, 6});
  const double corners[] = {0, 0,  1, 1,  0, 0.1,  1, 1.1,  0, -0.1, 1, 0.9,
                            0, 10, 1, 11, 0, 10.1, 1, 11.1, 0, 100,  1, 101};
  const double values[] = {0.9, 0.75, 0.6, 0.95, 0.5, 0.3, 0.2, 0.4, 0.1, 0.4, 0.8, 0.35};
  for (int i = 0; i < 24; ++i) boxes.set(i, corners[i]);
  for (int i = 0; i < 12; ++i) scores.set(i, values[i]);
  return {{"boxes", boxes}, {"scores", scores}};
}

}  // namespace

TEST_CASE("host steps: what is of f64 runs on the host where the device has none, with a warning") {
  const auto device = Device::open();
  const auto program = compiled(load_model(sums_in_double()), without_fp64(*device));
  CHECK(!program->host_steps.empty());
  CHECK(!program->launches.empty());
  for (const KernelSource& kernel : program->kernels) CHECK(kernel.text.find("double") == std::string::npos);
  CHECK(program->warnings ==
        std::vector<std::string>{
            "the host computes node 'wide' (Cast), node 'sum' (ReduceSum), node 'narrow' (Cast), which is "
            "slow: the device test does not support f64 (cl_khr_fp64); with ModelOptions::allow_narrowing, "
            "--allow-narrowing, kernels compute it in f32"});

  const Buffer x = numbers({1, 3, 5, 7});
  const Buffer found = run(program, *device, {{"x", x}})[0];
  const Model narrow = load_model(sums_in_double(), {.allow_narrowing = true});
  const Buffer expected = run(compiled(narrow, without_fp64(*device)), *device, {{"x", x}})[0];
  REQUIRE(found.shape() == expected.shape());
  CHECK(found.get(0) == doctest::Approx(expected.get(0)).epsilon(1e-4));
}

TEST_CASE("host steps: values that f32 does not have go through them") {
  const auto device = Device::open();
  OnnxModel model;
  model.input("x", {2}, kDouble).initializer("k", {}, kDouble).add_double_data(2);
  model.node("Mul", {"x", "k"}, {"y"}).output("y", {2}, kDouble);
  Buffer x(Float(64), {2});
  x.set(0, 1e300);
  x.set(1, 0.1);
  const auto y = run(compiled(load_model(model), without_fp64(*device)), *device, {{"x", x}});
  CHECK(y[0].get(0) == 2e300);
  CHECK(y[0].get(1) == 0.2);
}

TEST_CASE("host steps: parts of a whole and other shapes of a tensor are read and written where they lie") {
  const auto device = Device::open();
  OnnxModel model;
  model.input("a", {1, 4, 2, 3}).input("b", {1, 4, 2, 3}).ints("shape", {2}, {8, 6});
  model.node("Sigmoid", {"a"}, {"p"}).node("Softplus", {"b"}, {"q"});
  model.node("Concat", {"p", "q"}, {"whole"}, {attribute("axis", 1)});
  model.node("Reshape", {"whole", "shape"}, {"flat"}).node("Softmax", {"flat"}, {"y"}).output("y");
  const Buffer a = numbers({1, 4, 2, 3}), b = numbers({1, 4, 2, 3});
  CompileTarget target;
  target.device = device->info();
  const Model loaded = load_model(model);
  const Buffer expected = run(compiled(loaded, target), *device, {{"a", a}, {"b", b}})[0];
  for (const std::set<std::string>& on_host : {std::set<std::string>{"Softplus"},
                                               {"Sigmoid", "Softmax"},
                                               {"Softmax"},
                                               {"Sigmoid", "Softplus", "Softmax"}}) {
    target.on_host = on_host;
    const auto program = compiled(loaded, target);
    CHECK(program->host_steps.size() == on_host.size());
    CHECK(program->warnings[0].ends_with(", which is slow: requested by on_host"));
    const Buffer found = run(program, *device, {{"a", a}, {"b", b}})[0];
    for (std::int64_t i = 0; i < found.elements(); ++i)
      REQUIRE(found.get(i) == doctest::Approx(expected.get(i)).epsilon(1e-5));
  }
}

TEST_CASE("host steps: a count may come from one, and one may take counts") {
  const auto device = Device::open();
  const Model model = load_model(selection());
  CompileTarget target;
  target.device = device->info();
  const auto expected = run(compiled(model, target), *device, boxes_and_scores());
  REQUIRE(expected[0].shape() == Ints{5, 3});
  for (const std::set<std::string>& on_host : {std::set<std::string>{"NonMaxSuppression"},
                                               {"NonZero"},
                                               {"ReduceSum", "CumSum"},
                                               {"Concat", "NonZero", "Cast"}}) {
    target.on_host = on_host;
    CHECK(run(compiled(model, target), *device, boxes_and_scores()) == expected);
  }
}

TEST_CASE("host steps: a Program that is written and read again has them") {
  const auto device = Device::open();
  CompileTarget target;
  target.device = device->info();
  target.on_host = {"NonMaxSuppression", "NonZero"};
  const auto program = compiled(load_model(selection()), target);
  REQUIRE(program->host_steps.size() >= 2);
  REQUIRE(program->counts.size() == 1);
  CHECK(to_json(program_from_json(to_json(*program))) == to_json(*program));
  const auto folder = testing::temporary("host_steps");
  write_program(*program, folder.string());
  const auto again = std::make_shared<const Program>(read_program(folder.string()));
  std::filesystem::remove_all(folder);
  CHECK(run(again, *device, boxes_and_scores()) == run(program, *device, boxes_and_scores()));
}

TEST_CASE("host steps: more than a tensor's memory is neither read nor computed") {
  const auto device = Device::open();
  OnnxModel onnx;
  onnx.input("x", {1, 4}).node("Softmax", {"x"}, {"y"}).output("y");
  CompileTarget target;
  target.on_host = {"Softmax"};
  const Program good = load_model(onnx).compile(target);
  for (const bool reads : {true, false}) {
    Program damaged = good;
    auto& operands = reads ? damaged.host_steps[0].reads : damaged.host_steps[0].writes;
    operands[0].stored.extents[0] = 100000000;
    Runner runner(std::make_shared<const Program>(damaged), *device);
    runner.write("x", numbers({1, 4}));
    const std::string name = reads ? "x" : "y";
    CHECK_THROWS_WITH_AS(runner.run(),
                         ("the program is damaged: a host step uses \"" + name +
                          "\" as [100000000, 4], but its memory has 16 bytes; compile it again")
                             .c_str(),
                         ShapeError);
  }
}

TEST_CASE("host steps: an operator that the model does not compute cannot be asked for") {
  CompileTarget target;
  target.on_host = {"Compress"};
  CHECK(error_of([&] {
          load_model(selection()).compile(target);
        }).starts_with("on_host: the model has no Compress that is computed at run time; it computes "));
}

TEST_CASE("host steps: where the model has symbolic dimensions they are of any size") {
  const auto device = Device::open();
  OnnxModel onnx;
  onnx.input("x", {1, 4}).node("Softmax", {"x"}, {"s"}).node("Neg", {"s"}, {"y"}).output("y");
  onnx.name_dim(0, 0, "batch");
  CompileTarget target;
  target.device = device->info();
  target.on_host = {"Softmax"};
  const auto program = compiled(load_model(onnx), target);
  CHECK(program->params == std::vector<Program::Param>{{"batch", Int(32)}});
  for (const std::int64_t batch : {1, 3, 17}) {
    Runner runner(program, *device, {{"batch", batch}});
    runner.write("x", numbers({batch, 4}));
    CHECK(runner.run_timed().size() == program->launches.size());
    const Buffer y = runner.read();
    REQUIRE(y.shape() == Ints{batch, 4});
    double sum = 0;
    for (int i = 0; i < 4; ++i) sum += y.get(4 * (batch - 1) + i);
    CHECK(sum == doctest::Approx(-1));
  }
}
