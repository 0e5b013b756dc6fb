// Models with open extents give at each size what the model with that size gives, or refuse it as that does.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "support/error_text.h"
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

constexpr std::int64_t kLength = -1, kOther = -2;  // open extents
constexpr std::int64_t kSizes[] = {0, 1, 2, 3, 7};

struct OpenModel {
  OnnxModel onnx;
  std::vector<Ints> inputs{};

  explicit OpenModel(std::int64_t opset = 17) : onnx(opset) {}

  OpenModel& input(const std::string& name, const Ints& extents, int type = ::onnx::TensorProto::FLOAT) {
    const int number = static_cast<int>(inputs.size());
    inputs.push_back(extents);
    onnx.input(name, Ints(extents.size(), 1), type);
    for (int d = 0; const std::int64_t extent : extents) {
      auto* dim = onnx.proto.mutable_graph()
                      ->mutable_input(number)
                      ->mutable_type()
                      ->mutable_tensor_type()
                      ->mutable_shape()
                      ->mutable_dim(d++);
      if (extent >= 0) {
        dim->set_dim_value(extent);
      } else {
        dim->set_dim_param(extent == kLength ? "length" : "other");
      }
    }
    return *this;
  }
};

struct Outcome {
  std::string error;
  std::vector<Buffer> outputs;
};

Buffer value_of(const Program::Value& input, Ints shape, std::int64_t length, std::int64_t other) {
  for (std::int64_t& extent : shape) extent = extent == kLength ? length : extent == kOther ? other : extent;
  Buffer value(input.type, shape);
  for (std::int64_t i = 0; i < value.elements(); ++i) value.set(i, static_cast<double>(i * 5 % 13));
  return value;
}

/// Runs the model with `dims` fixed, or with none of them.
Outcome run(const OpenModel& model, const std::string& device_name, std::int64_t length, std::int64_t other,
            const std::map<std::string, std::int64_t>& dims) {
  Outcome outcome;
  outcome.error = error_of([&] {
    const Model loaded = load_model(model.onnx, {.dims = dims});
    const auto device = Device::open(device_name);
    ParamValues params;
    for (const Program::Param& param : loaded.params())
      params.emplace(param.name, param.name == "length" ? length : other);
    Runner runner = loaded.run(*device, Precision::Float32, params);
    for (std::size_t i = 0; i < model.inputs.size(); ++i) {
      const Program::Value& input = runner.program().inputs[i];
      runner.write(input.name, value_of(input, model.inputs[i], length, other));
    }
    runner.run();
    outcome.outputs = runner.read_all();
  });
  return outcome;
}

/// Requires that the model gives the results of the one of fixed sizes, or that both are refused. Only where
/// an extent is 0 may the open one be refused and the other one not. Returns the sizes that are refused.
Ints refused(const OpenModel& model) {
  const bool has_other = std::ranges::any_of(
      model.inputs, [](const Ints& extents) { return std::ranges::count(extents, kOther) > 0; });
  Ints sizes;
  for (const std::int64_t size : kSizes) {
    CAPTURE(size);
    std::map<std::string, std::int64_t> dims{{"length", size}};
    if (has_other) dims.emplace("other", size);
    // A driver's compiler takes a second for most of them.
    const Outcome open = run(model, testing::by_tier("host", ""), size, size, {}),
                  fixed = run(model, "host", size, size, dims);
    CAPTURE(open.error);
    CAPTURE(fixed.error);
    if (open.error != "no error") sizes.push_back(size);
    if (open.error != "no error" && size == 0) continue;
    REQUIRE((open.error == "no error") == (fixed.error == "no error"));
    REQUIRE(open.outputs.size() == fixed.outputs.size());
    for (std::size_t i = 0; i < open.outputs.size(); ++i) {
      REQUIRE(open.outputs[i].shape() == fixed.outputs[i].shape());
      for (std::int64_t at = 0; at < open.outputs[i].elements(); ++at)
        REQUIRE(open.outputs[i].get(at) == doctest::Approx(fixed.outputs[i].get(at)).epsilon(1e-5));
    }
  }
  return sizes;
}

OpenModel padded(const char* mode, const Ints& extents, const Ints& pads) {
  OpenModel model(19);
  model.input("x", extents);
  model.onnx.ints("pads", {static_cast<std::int64_t>(pads.size())}, pads);
  model.onnx.node("Pad", {"x", "pads"}, {"y"}, {attribute("mode", mode)}).output("y");
  return model;
}

}  // namespace

TEST_CASE("open extents: Pad repeats only elements that there are") {
  for (const char* mode : {"edge", "reflect", "wrap"}) {
    CAPTURE(mode);
    for (const Ints& ends : {Ints{0, 0}, {1, 0}, {0, 2}, {3, 1}, {-1, 2}, {-2, 1}, {2, -2}, {-2, 0}}) {
      CAPTURE(ends[0]);
      CAPTURE(ends[1]);
      const Ints alone = refused(padded(mode, {kLength}, ends));
      const Ints inner = refused(padded(mode, {2, kLength, 3}, {0, ends[0], 0, 0, ends[1], 0}));
      CHECK(alone == inner);
    }
  }
  CHECK(refused(padded("reflect", {kLength}, {2, 1})) == Ints{0, 1, 2});
  CHECK(refused(padded("reflect", {kLength}, {-1, 1})) == Ints{0, 1, 2});
  CHECK(refused(padded("edge", {kLength}, {-2, 1})) == Ints{0, 1, 2});
  CHECK(refused(padded("wrap", {kLength}, {0, 1})) == Ints{0});
  CHECK(refused(padded("reflect", {kLength}, {0, 0})).empty());
}

TEST_CASE("open extents: a convolution's window fits into the image") {
  const auto convolved = [](const char* op, const Ints& kernel, const Ints& pads, const Ints& strides) {
    OpenModel model;
    model.input("x", {1, 2, kLength, 3});
    Ints shape{2, 2, kernel[0], kernel[1]};
    model.onnx.floats("w", shape, Floats(static_cast<std::size_t>(4 * kernel[0] * kernel[1]), 0.5F));
    model.onnx.node(op, {"x", "w"}, {"y"}, {attribute("pads", pads), attribute("strides", strides)});
    model.onnx.output("y");
    return model;
  };
  CHECK(refused(convolved("Conv", {3, 1}, {0, 0, 0, 0}, {1, 1})) == Ints{0, 1, 2});
  CHECK(refused(convolved("Conv", {3, 1}, {0, 0, 1, 0}, {2, 1})) == Ints{0, 1});
  CHECK(refused(convolved("Conv", {1, 1}, {0, 0, 0, 0}, {1, 1})) == Ints{0});
  CHECK(refused(convolved("ConvTranspose", {2, 1}, {1, 0, 1, 0}, {1, 1})) == Ints{0, 1});
  CHECK(refused(convolved("ConvTranspose", {2, 1}, {2, 0, 2, 0}, {2, 1})) == Ints{0, 1, 2});
  OpenModel integers;
  integers.input("x", {1, 2, kLength}, ::onnx::TensorProto::UINT8);
  integers.onnx.small_ints("w", {1, 2, 2}, {1, 2, 3, 4}, ::onnx::TensorProto::UINT8);
  integers.onnx.node("ConvInteger", {"x", "w"}, {"y"}).output("y");
  CHECK(refused(integers) == Ints{0, 1});
}

TEST_CASE("open extents: what is right for 1 and more is refused for 0, or right for it too") {
  const auto less_last = [](std::int64_t begin, std::int64_t end) {
    OpenModel model;
    model.input("x", {2, kLength}).onnx.ints("begin", {1}, {begin}).ints("end", {1}, {end});
    model.onnx.ints("axis", {1}, {1}).node("Slice", {"x", "begin", "end", "axis"}, {"part"});
    model.onnx.node("Sub", {"x", "part"}, {"y"}).output("y").output("part");
    return model;
  };
  CHECK(refused(less_last(0, 1)) == Ints{0});
  CHECK(refused(less_last(-1, INT64_MAX)) == Ints{0});
  CHECK(refused(less_last(0, INT64_MAX)).empty());
  OpenModel backward;
  backward.input("x", {2, kLength}).onnx.ints("begin", {1}, {-1}).ints("end", {1}, {INT64_MIN});
  backward.onnx.ints("axis", {1}, {1}).ints("step", {1}, {-1});
  backward.onnx.node("Slice", {"x", "begin", "end", "axis", "step"}, {"y"}).output("y");
  CHECK(refused(backward).empty());
  CHECK(run(less_last(0, 1), "host", 0, 0, {}).error ==
        "realize: slice reads x0 at [0, 1) of dimension 1 (d1), but its extent is 0; pass a larger "
        "one, compute less, clamp the index, or use a BoundaryCondition");
}

TEST_CASE("open extents: a fixed extent of 0 may be beside one") {
  for (const int rank : {2, 3}) {
    CAPTURE(rank);
    OpenModel model;
    Ints extents(static_cast<std::size_t>(rank), 3);
    extents[0] = kLength;
    model.input("x", extents).onnx.ints("zero", {1}, {0}).ints("axis", {1}, {rank - 1});
    model.onnx.node("Slice", {"x", "zero", "zero", "axis"}, {"none"});
    model.onnx.node("Concat", {"none", "x"}, {"y"}, {attribute("axis", rank - 1)});
    model.onnx.node("ReduceSum", {"none", "axis"}, {"sums"}).output("y").output("none").output("sums");
    CHECK(refused(model).empty());
  }
  OpenModel given;
  given.input("x", {kLength, 0}).onnx.node("ReduceSum", {"x"}, {"y"}, {attribute("keepdims", 0)});
  given.onnx.output("y");
  CHECK(refused(given).empty());
}

TEST_CASE("open extents: those of two inputs that have to be equal are taken to be") {
  OpenModel scattered(18), reversed, batched, nd(18), summed;
  scattered.input("x", {kLength, 3})
      .input("i", {kLength, 3}, ::onnx::TensorProto::INT64)
      .input("u", {kOther, 3});
  scattered.onnx.ints("none", {}, {0}).node("Mul", {"i", "none"}, {"first"});
  scattered.onnx.node("ScatterElements", {"x", "first", "u"}, {"y"}, {attribute("reduction", "add")});
  reversed.input("x", {3, kLength}).input("l", {kOther}, ::onnx::TensorProto::INT64);
  reversed.onnx.ints("three", {}, {3}).node("Min", {"l", "three"}, {"lengths"});
  reversed.onnx.node("ReverseSequence", {"x", "lengths"}, {"y"});
  batched.input("x", {kLength, 3}).input("i", {kOther, 2, 1}, ::onnx::TensorProto::INT64);
  batched.onnx.ints("three", {}, {3}).node("Mod", {"i", "three"}, {"places"});
  batched.onnx.node("GatherND", {"x", "places"}, {"y"}, {attribute("batch_dims", 1)});
  nd.input("x", {5, kLength}).input("u", {2, kOther}).onnx.ints("i", {2, 1}, {4, 1});
  nd.onnx.node("ScatterND", {"x", "i", "u"}, {"y"});
  summed.input("a", {2, kLength}).input("b", {kOther, 3});
  summed.onnx.node("Einsum", {"a", "b"}, {"y"}, {attribute("equation", "ij,jk->ik")});
  for (OpenModel* model : {&scattered, &reversed, &batched, &nd, &summed}) {
    model->onnx.output("y");
    const Ints none = refused(*model);
    CHECK((none.empty() || none == Ints{0}));
    const Model loaded = load_model(model->onnx);
    REQUIRE(loaded.warnings().size() == 1);
    CHECK(loaded.warnings()[0].starts_with("the symbolic dimension other is assumed to be length"));
    CHECK(run(*model, "host", 2, 3, {}).error != "no error");
  }
}

TEST_CASE("open extents: halves and windows of a length have the sizes that belong together") {
  const auto of_length = [](OpenModel& model) {
    model.input("x", {kLength}).onnx.ints("zero", {1}, {0}).ints("two", {1}, {2}).ints("four", {1}, {4});
    model.onnx.node("Shape", {"x"}, {"length"});
  };
  OpenModel halves;
  of_length(halves);
  halves.onnx.node("Div", {"length", "two"}, {"half"}).node("Slice", {"x", "zero", "half"}, {"first"});
  halves.onnx.node("Slice", {"x", "half", "length"}, {"second"});
  halves.onnx.node("Concat", {"second", "first"}, {"rolled"}, {attribute("axis", 0)});
  halves.onnx.node("Add", {"rolled", "x"}, {"y"}).output("y");
  CHECK(refused(halves).empty());
  CHECK(load_model(halves.onnx).warnings().empty());
  // Pads to a multiple of 4, cuts into windows, and reverses both.
  OpenModel windows;
  of_length(windows);
  windows.onnx.ints("in_fours", {2}, {-1, 4}).ints("all", {1}, {-1});
  windows.onnx.node("Mod", {"length", "four"}, {"rest"}).node("Sub", {"four", "rest"}, {"missing"});
  windows.onnx.node("Mod", {"missing", "four"}, {"more"});
  windows.onnx.node("Concat", {"zero", "more"}, {"pads"}, {attribute("axis", 0)});
  windows.onnx.node("Pad", {"x", "pads"}, {"padded"}).node("Reshape", {"padded", "in_fours"}, {"cut"});
  windows.onnx.node("Reshape", {"cut", "all"}, {"whole"});
  windows.onnx.node("Slice", {"whole", "zero", "length"}, {"cropped"});
  windows.onnx.node("Add", {"cropped", "x"}, {"y"}).output("y");
  CHECK(load_model(windows.onnx).warnings().empty());
  CHECK(std::ranges::all_of(refused(windows), [](std::int64_t size) { return size == 0; }));
}
