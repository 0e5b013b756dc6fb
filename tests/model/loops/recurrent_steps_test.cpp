// RNN, GRU and LSTM over an open or a long number of steps: one kernel computes all of them.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

#include "support/load_model.h"
#include "support/tier.h"

using namespace tensordsl;
using testing::attribute;
using testing::Floats;
using testing::Ints;
using testing::load_model;
using testing::Names;
using testing::OnnxModel;

namespace {

constexpr std::int64_t kInputs = 3, kBatch = 2;

/// A node, and which of its inputs and attributes there are.
struct Network {
  std::string op, direction = "forward";
  std::int64_t hidden = 5;
  bool has_bias = true, has_lengths = false, has_states = false, has_peepholes = false;
  std::vector<::onnx::AttributeProto> attributes = {};

  std::int64_t gates() const { return op == "LSTM" ? 4 : op == "GRU" ? 3 : 1; }
  std::int64_t directions() const { return direction == "bidirectional" ? 2 : 1; }
};

/// Numbers that a small program of any language can draw as well.
Floats drawn(std::int64_t count, int seed) {
  Floats values;
  for (std::int64_t i = 0; i < count; ++i)
    values.push_back(static_cast<float>((i * 7 + seed * 5) % 17 - 8) / 16.0F);
  return values;
}

Buffer drawn_buffer(const Ints& shape, int seed) {
  Buffer buffer(Float(32), shape);
  const Floats values = drawn(buffer.elements(), seed);
  for (std::int64_t i = 0; i < buffer.elements(); ++i)
    buffer.set(i, static_cast<double>(values[static_cast<std::size_t>(i)]));
  return buffer;
}

/// `steps`: 0 is an open number, called "time".
OnnxModel model_of(const Network& network, std::int64_t steps) {
  const std::int64_t d = network.directions(), h = network.hidden, rows = network.gates() * h;
  OnnxModel model;
  model.input("x", {steps == 0 ? 1 : steps, kBatch, kInputs});
  if (steps == 0) model.name_dim(0, 0, "time");
  Names inputs{"x", "w", "r", "", ""};
  model.floats("w", {d, rows, kInputs}, drawn(d * rows * kInputs, 1));
  model.floats("r", {d, rows, h}, drawn(d * rows * h, 2));
  if (network.has_bias) model.floats(inputs[3] = "b", {d, 2 * rows}, drawn(d * 2 * rows, 3));
  if (network.has_lengths) model.input(inputs[4] = "lengths", {kBatch}, ::onnx::TensorProto::INT32);
  if (network.has_states) {
    inputs.emplace_back("h0");
    model.input("h0", {d, kBatch, h});
    if (network.op == "LSTM") inputs.emplace_back("c0");
    if (network.op == "LSTM") model.input("c0", {d, kBatch, h});
  }
  if (network.has_peepholes) {
    inputs.resize(7);
    model.floats(inputs.emplace_back("p"), {d, 3 * h}, drawn(d * 3 * h, 4));
  }
  Names outputs{"y", "y_h"};
  if (network.op == "LSTM") outputs.emplace_back("y_c");
  std::vector<::onnx::AttributeProto> attributes = network.attributes;
  attributes.push_back(attribute("hidden_size", static_cast<int>(h)));
  attributes.push_back(attribute("direction", network.direction.c_str()));
  model.node(network.op, inputs, outputs, attributes);
  for (const std::string& output : outputs) model.output(output);
  return model;
}

using Outputs = std::map<std::string, Buffer>;

Outputs run(Runner& runner, const Network& network, std::int64_t steps) {
  runner.write("x", drawn_buffer({steps, kBatch, kInputs}, 5));
  if (network.has_lengths) {
    Buffer lengths(Int(32), {kBatch});
    lengths.set_int(0, (steps + 1) / 2);
    lengths.set_int(1, steps);
    runner.write("lengths", lengths);
  }
  const Ints state{network.directions(), kBatch, network.hidden};
  if (network.has_states) runner.write("h0", drawn_buffer(state, 6));
  if (network.has_states && network.op == "LSTM") runner.write("c0", drawn_buffer(state, 7));
  runner.run();
  Outputs outputs;
  for (const char* name : {"y", "y_h", "y_c"}) {
    if (network.op == "LSTM" || std::string(name) != "y_c") outputs.emplace(name, runner.read(name));
  }
  return outputs;
}

Program program_of(const OnnxModel& model, const Device& device) {
  CompileTarget target;
  target.device = device.info();
  return load_model(model).compile(target);
}

void check_close(const Outputs& found, const Outputs& expected) {
  REQUIRE(found.size() == expected.size());
  for (const auto& [name, values] : expected) {
    CAPTURE(name);
    const Buffer& result = found.at(name);
    REQUIRE(result.shape() == values.shape());
    double largest = 0;
    for (std::int64_t i = 0; i < values.elements(); ++i)
      largest = std::max(largest, std::abs(result.get(i) - values.get(i)));
    CHECK(largest < 2e-6);
  }
}

}  // namespace

TEST_CASE("recurrent steps: one Program gives at every length what the unrolled steps give") {
  // A driver's compiler takes seconds for each length of unrolled steps.
  const auto device = Device::open(testing::by_tier("host", "")), reference = Device::open("host");
  auto functions = attribute("activations", ::onnx::AttributeProto::STRINGS);
  for (const char* name : {"HardSigmoid", "Softsign", "Relu"}) functions.add_strings(name);
  std::vector<Network> networks;
  for (const char* op : {"RNN", "GRU", "LSTM"}) {
    networks.push_back({.op = op});
    networks.push_back({.op = op, .direction = "bidirectional", .has_lengths = true, .has_states = true});
    networks.push_back({.op = op, .direction = "reverse", .has_bias = false, .has_lengths = true});
  }
  networks.push_back({.op = "GRU", .has_states = true, .attributes = {attribute("linear_before_reset", 1)}});
  networks.push_back({.op = "GRU",
                      .hidden = 7,
                      .has_bias = false,
                      .attributes = {attribute("linear_before_reset", 1), attribute("clip", 0.5F)}});
  networks.push_back({.op = "LSTM", .hidden = 20, .has_states = true, .has_peepholes = true});
  networks.push_back({.op = "LSTM", .hidden = 1, .attributes = {functions, attribute("input_forget", 1)}});
  for (const Network& network : networks) {
    CAPTURE(network.op);
    CAPTURE(network.direction);
    CAPTURE(network.hidden);
    const auto open = std::make_shared<const Program>(program_of(model_of(network, 0), *device));
    for (const std::int64_t steps : {1, 2, 7}) {
      CAPTURE(steps);
      Runner of_any(open, *device, {{"time", static_cast<int>(steps)}});
      Runner unrolled(std::make_shared<const Program>(program_of(model_of(network, steps), *reference)),
                      *reference);
      check_close(run(of_any, network, steps), run(unrolled, network, steps));
    }
  }
}

TEST_CASE("recurrent steps: the last state is that of ONNX Runtime") {
  struct Case {
    const char* op;
    std::int64_t steps;
    Floats expected;
  };
  const std::vector<Case> cases{{"RNN",
                                 1,
                                 {0.8065884F, -0.07019687F, 0.3819525F, -0.6556563F, 0.3377606F, 0.6489238F,
                                  -0.4559509F, 0.6443782F, -0.6443783F, 0.02733696F}},
                                {"RNN",
                                 17,
                                 {0.4380561F, -0.6138226F, 0.2835326F, 0.2167089F, 0.6421994F, 0.8334748F,
                                  -0.120497F, 0.4496008F, -0.183562F, 0.7945602F}},
                                {"RNN",
                                 1000,
                                 {0.7379341F, -0.2920271F, 0.8036236F, -0.4821756F, 0.3959882F, 0.5136682F,
                                  -0.4588312F, 0.6811548F, -0.3676053F, 0.4435165F}},
                                {"GRU",
                                 1,
                                 {-0.3474211F, -0.03224806F, -0.07018287F, -0.07690944F, 0.1307078F,
                                  -0.2911038F, 0.1490231F, -0.06048435F, -0.2924884F, 0.3008368F}},
                                {"GRU",
                                 17,
                                 {-0.6281755F, 0.1136706F, 0.2313406F, -0.4181019F, 0.3427099F, -0.537368F,
                                  0.1677061F, 0.01034028F, -0.29716F, 0.4287089F}},
                                {"GRU",
                                 1000,
                                 {-0.4543108F, 0.3072014F, 0.09436406F, -0.5232553F, 0.5020363F, -0.4706687F,
                                  0.3858302F, 0.01398693F, -0.4508633F, 0.4776774F}},
                                {"LSTM",
                                 1,
                                 {-0.2090542F, 0.04007247F, 0.06450724F, 0.01835376F, 0.2163753F,
                                  -0.09476363F, 0.03889026F, -0.03653189F, -0.03918058F, 0.2259463F}},
                                {"LSTM",
                                 17,
                                 {-0.2292583F, 0.1316258F, -0.1104473F, -0.1044327F, 0.366882F, -0.2943673F,
                                  0.01508691F, -0.01272589F, -0.07171797F, 0.435902F}},
                                {"LSTM",
                                 1000,
                                 {-0.1995838F, 0.07209575F, -0.1551431F, -0.1100973F, 0.4318218F, -0.1977236F,
                                  0.03595533F, -0.1458878F, -0.06778198F, 0.4215727F}}};
  const auto device = Device::open();
  for (const Case& one : cases) {
    CAPTURE(one.op);
    CAPTURE(one.steps);
    const Network network{.op = one.op};
    const auto open = std::make_shared<const Program>(program_of(model_of(network, 0), *device));
    Runner runner(open, *device, {{"time", static_cast<int>(one.steps)}});
    const Buffer last = run(runner, network, one.steps).at("y_h");
    for (std::size_t i = 0; i < one.expected.size(); ++i)
      CHECK(std::abs(last.get(static_cast<std::int64_t>(i)) - static_cast<double>(one.expected[i])) < 2e-6);
  }
}

TEST_CASE("recurrent steps: a long network has as many launches as an open one") {
  const auto device = Device::open();
  for (const char* op : {"RNN", "GRU", "LSTM"}) {
    CAPTURE(op);
    const Network network{.op = op};
    const std::size_t open = program_of(model_of(network, 0), *device).launches.size();
    CHECK(open <= 8);
    CHECK(program_of(model_of(network, 65), *device).launches.size() == open);
    CHECK(program_of(model_of(network, 5000), *device).launches.size() == open);
    // Few steps are unrolled: all work-groups share one.
    CHECK(program_of(model_of(network, 64), *device).launches.size() > 64);
  }
}
