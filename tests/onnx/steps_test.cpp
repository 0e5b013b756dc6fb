// Operators that become several steps: which these are, and that they compute what the definition says.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <numeric>

#include "onnx/evaluate_node.h"
#include "support/onnx_model.h"

using namespace tensordsl;
using namespace tensordsl::onnx;
using namespace tensordsl::ops;
using namespace tensordsl::testing;

namespace {

std::int64_t count(const Ints& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

/// Pseudo-random numbers in [-scale, scale].
Floats some(const Ints& shape, double scale = 1) {
  Floats values;
  std::uint32_t state = 12345;
  for (std::int64_t i = 0; i < count(shape); ++i) {
    state = state * 1664525 + 1013904223;
    values.push_back(static_cast<float>(scale * (static_cast<double>(state >> 8) / (1 << 23) - 1)));
  }
  return values;
}

/// "Reshape Einsum Identity"
std::string operators_of(const OnnxModel& model) {
  std::string text;
  for (const Node& node : model.import().nodes) text += (text.empty() ? "" : " ") + node.op;
  return text;
}

/// Output `name` of a model that has no inputs.
Buffer folded(const OnnxModel& model, const std::string& name = "y") {
  ImportOptions options;
  options.evaluate = evaluate_node;
  const Graph graph = model.import(options);
  for (const Node& node : graph.nodes) {
    REQUIRE(node.op == "Identity");
    if (node.outputs[0] == name) return graph.constants.at(node.inputs[0]);
  }
  return graph.constants.at(name);
}

/// Evaluates the definition of the node, whose inputs are constants of the model.
Buffer defined(const OnnxModel& model, const std::string& op, Attributes attributes) {
  const Graph graph = model.import();
  Node node{"n", op, {}, {"y"}, std::move(attributes)};
  std::vector<const Buffer*> inputs;
  for (const auto& input : model.proto.graph().node(0).input()) {
    node.inputs.push_back(input);
    inputs.push_back(input.empty() ? nullptr : &graph.constants.at(input));
  }
  return evaluate_node(node, inputs).at(0);
}

double largest_difference(const Buffer& a, const Buffer& b) {
  REQUIRE(a.shape() == b.shape());
  double largest = 0;
  for (std::int64_t i = 0; i < a.elements(); ++i) largest = std::max(largest, std::abs(a.get(i) - b.get(i)));
  return largest;
}

using Signal = std::vector<std::complex<double>>;

Signal transformed(const Signal& x, std::size_t length, bool is_inverse) {
  Signal y(length);
  for (std::size_t k = 0; k < length; ++k) {
    for (std::size_t j = 0; j < std::min(length, x.size()); ++j) {
      const double turn = static_cast<double>(j * k % length) / static_cast<double>(length);
      y[k] += x[j] * std::polar(1.0, (is_inverse ? 2 : -2) * std::numbers::pi * turn);
    }
    if (is_inverse) y[k] /= static_cast<double>(length);
  }
  return y;
}

struct DftCase {
  int samples, length, parts;
  bool is_inverse, is_onesided;
};

}  // namespace

TEST_CASE("steps: no file has nodes of them") {
  OnnxModel model;
  model.input("x", {2, 3}).node("SortKeys", {"x"}, {"y"}).output("y");
  CHECK(model.error().starts_with(
      "m.onnx: node 'y': operator SortKeys (opset 17) is not supported; supported: Abs"));
}

TEST_CASE("DFT: a product for each factor of the length, and what turns between them") {
  const auto of = [](int length) {
    OnnxModel model;
    model.input("x", {2, length, 2}).node("DFT", {"x"}, {"y"}, {attribute("axis", 1)}).output("y");
    return operators_of(model);
  };
  CHECK(of(31) == "DFT");
  CHECK(of(37) == "Reshape Reshape Einsum Reshape Identity");
  CHECK(
      of(36) ==
      "Reshape Reshape Einsum Pad Mul Pad Mul Add Reshape Einsum Reshape Transpose Reshape Reshape Identity");
  // A large prime is a convolution, by transforms of 512.
  CHECK(of(211).starts_with("Reshape Pad Mul Pad Mul Add Pad Reshape Einsum"));
  CHECK(of((1 << 20) + 1) == "DFT");
}

TEST_CASE("DFT: one of an open length is computed as it is defined, one of an open batch by factors") {
  const auto of = [](int dimension) {
    OnnxModel model;
    model.input("x", {2, 64, 2}).name_dim(0, dimension, "n");
    return operators_of(model.node("DFT", {"x"}, {"y"}, {attribute("axis", 1)}).output("y"));
  };
  CHECK(of(0).find("Einsum") != std::string::npos);
  CHECK(of(1) == "DFT");
}

TEST_CASE("DFT: by factors it is what the sum says") {
  for (const DftCase& c :
       {DftCase{36, 36, 2, false, false}, DftCase{37, 37, 1, false, true}, DftCase{64, 64, 2, true, false},
        DftCase{40, 34, 2, false, false}, DftCase{20, 45, 1, false, true}, DftCase{33, 64, 2, true, true},
        DftCase{30, 64, 2, true, true}, DftCase{17, 33, 2, true, true}, DftCase{197, 197, 1, false, true},
        DftCase{211, 211, 2, true, false}, DftCase{106, 211, 2, true, true}}) {
    CAPTURE(c.samples);
    CAPTURE(c.length);
    const Ints shape{1, c.samples, c.parts};
    const Floats values = some(shape);
    OnnxModel model;
    model.floats("x", shape, values).ints("n", {}, {c.length});
    model.node("DFT", {"x", "n"}, {"y"},
               {attribute("axis", 1), attribute("inverse", c.is_inverse ? 1 : 0),
                attribute("onesided", c.is_onesided ? 1 : 0)});
    const Buffer y = folded(model.output("y"));

    const auto parts = static_cast<std::size_t>(c.parts), length = static_cast<std::size_t>(c.length);
    Signal x(static_cast<std::size_t>(c.samples));
    for (std::size_t j = 0; j < x.size(); ++j)
      x[j] = {values[j * parts], parts == 2 ? values[j * parts + 1] : 0.0F};
    const bool gives_real = c.is_inverse && c.is_onesided;
    if (gives_real) {
      x.resize(length / 2 + 1);
      x.resize(length);
      for (std::size_t k = length / 2 + 1; k < length; ++k) x[k] = std::conj(x[length - k]);
      // A real signal has no imaginary part there.
      x[0] = x[0].real();
      if (length % 2 == 0) x[length / 2] = x[length / 2].real();
    }
    const Signal want = transformed(x, length, c.is_inverse);
    const std::size_t given = c.is_onesided && !c.is_inverse ? length / 2 + 1 : length;
    REQUIRE(y.elements() == static_cast<std::int64_t>(given * (gives_real ? 1 : 2)));
    for (std::size_t k = 0; k < given; ++k) {
      const auto at = static_cast<std::int64_t>(k);
      CHECK(std::abs(y.get(gives_real ? at : 2 * at) - want[k].real()) < 2e-5);
      if (!gives_real) CHECK(std::abs(y.get(2 * at + 1) - want[k].imag()) < 2e-5);
    }
  }
}

TEST_CASE("DFT: a wave of a quarter of the rate has two frequencies") {
  Floats wave;
  for (int i = 0; i < 64; ++i)
    wave.push_back(std::array{1.0F, 0.0F, -1.0F, 0.0F}[static_cast<std::size_t>(i % 4)]);
  OnnxModel model;
  model.floats("x", {1, 64, 1}, wave).node("DFT", {"x"}, {"y"}, {attribute("axis", 1)});
  const Buffer y = folded(model.output("y"));
  for (std::int64_t k = 0; k < 64; ++k) {
    CHECK(std::abs(y.get(2 * k) - (k == 16 || k == 48 ? 32 : 0)) < 1e-6);
    CHECK(std::abs(y.get(2 * k + 1)) < 1e-6);
  }
}

TEST_CASE("STFT: of long frames the transform is by factors, and is what the definition says") {
  OnnxModel model;
  model.floats("x", {2, 100, 1}, some({2, 100, 1})).floats("w", {33}, some({33})).ints("step", {}, {7});
  model.node("STFT", {"x", "step", "w"}, {"y"}).output("y");
  CHECK(operators_of(model).starts_with("Frames Reshape"));
  Attributes attributes;
  attributes.set("frame_length", Sizes{33});
  attributes.set("frame_step", Sizes{7});
  attributes.set("onesided", std::int64_t{1});
  const Graph graph = model.import();
  const Node node{"n", "STFT", {"x", "w"}, {"y"}, attributes};
  const Buffer want = evaluate_node(node, {&graph.constants.at("x"), &graph.constants.at("w")}).at(0);
  CHECK(largest_difference(folded(model), want) < 2e-5);
}

TEST_CASE("STFT: signals of an open length are transformed by factors if there is one") {
  const auto of = [](int batch) {
    OnnxModel model;
    model.input("x", {batch, 100, 1}).name_dim(0, 1, "n").ints("step", {}, {7}).ints("length", {}, {32});
    return operators_of(model.node("STFT", {"x", "step", "", "length"}, {"y"}).output("y"));
  };
  CHECK(of(1).starts_with("Frames Reshape"));
  CHECK(of(2) == "STFT");
}

TEST_CASE("Einsum: several operands are products of two") {
  OnnxModel model(12);
  for (const auto& [name, shape] :
       std::initializer_list<std::pair<const char*, Ints>>{{"a", {3, 5}}, {"b", {5, 4}}, {"c", {4, 6}}})
    model.floats(name, shape, some(shape));
  model.node("Einsum", {"a", "b", "c"}, {"y"}, {attribute("equation", "ij,jk,kl->li")}).output("y");
  CHECK(operators_of(model) == "Einsum Einsum Identity");
  Attributes attributes;
  attributes.set("equation", std::string("ij,jk,kl->li"));
  CHECK(largest_difference(folded(model), defined(model, "Einsum", attributes)) < 1e-5);
}

TEST_CASE("GridSample: the places are found once for several channels") {
  for (const char* padding : {"zeros", "border", "reflection"}) {
    for (const int channels : {1, 3}) {
      OnnxModel model(20);
      model.floats("x", {2, channels, 4, 5}, some({2, channels, 4, 5}));
      model.floats("grid", {2, 3, 3, 2}, some({2, 3, 3, 2}, 1.6));
      model.node("GridSample", {"x", "grid"}, {"y"}, {attribute("padding_mode", padding)}).output("y");
      CHECK(operators_of(model) ==
            (channels == 1 ? "GridSample" : "SamplePlaces Reshape Reshape Samples Reshape Identity"));
      Attributes attributes;
      attributes.set("align_corners", std::int64_t{0});
      attributes.set("mode", std::string("linear"));
      attributes.set("padding_mode", std::string(padding));
      CHECK(largest_difference(folded(model), defined(model, "GridSample", attributes)) < 1e-6);
    }
  }
}

TEST_CASE("GridSample: what is outside is 0 beside a border that is infinite") {
  OnnxModel model(20);
  const float infinite = std::numeric_limits<float>::infinity();
  model.floats("x", {1, 2, 1, 2}, {infinite, 1, infinite, 2}).floats("grid", {1, 1, 1, 2}, {-4, 0});
  model.node("GridSample", {"x", "grid"}, {"y"}).output("y");
  CHECK(folded(model).get(0) == 0);
}

TEST_CASE("DeformConv: a product with what several channels or filters sample") {
  for (const int group : {1, 2}) {
    for (const int offset_group : {1, 2}) {
      const std::int64_t g = group, og = offset_group;
      const Ints w{6, 4 / g, 3, 2}, offset{2, og * 6 * 2, 4, 4}, mask{2, og * 6, 4, 4};
      OnnxModel model(19);
      model.floats("x", {2, 4, 5, 7}, some({2, 4, 5, 7})).floats("w", w, some(w));
      model.floats("offset", offset, some(offset, 2))
          .floats("b", {6}, some({6}))
          .floats("mask", mask, some(mask));
      model.node("DeformConv", {"x", "w", "offset", "b", "mask"}, {"y"},
                 {attribute("kernel_shape", Ints{3, 2}), attribute("pads", Ints{0, 1, 1, 0}),
                  attribute("strides", Ints{1, 2}), attribute("dilations", Ints{1, 1}),
                  attribute("group", group), attribute("offset_group", offset_group)});
      model.output("y");
      CHECK(operators_of(model).starts_with("WindowPlaces Reshape Reshape Samples Reshape MatMul"));
      Attributes attributes;
      attributes.set("kernel_shape", ops::Ints{3, 2});
      attributes.set("pads", ops::Ints{0, 1, 1, 0});
      attributes.set("strides", ops::Ints{1, 2});
      attributes.set("dilations", ops::Ints{1, 1});
      attributes.set("group", g);
      attributes.set("offset_group", og);
      CHECK(largest_difference(folded(model), defined(model, "DeformConv", attributes)) < 1e-5);
    }
  }
}

TEST_CASE("DeformConv: of one channel and filter it is computed as it is defined") {
  OnnxModel model(19);
  model.input("x", {1, 1, 5, 5}).floats("w", {1, 1, 1, 1}, {1}).input("offset", {1, 2, 5, 5});
  CHECK(operators_of(model.node("DeformConv", {"x", "w", "offset"}, {"y"}).output("y")) == "DeformConv");
}

TEST_CASE("Resize: an antialiased one sums along each dimension that shrinks, or may") {
  const auto resize = [](OnnxModel model, const Ints& sizes) {
    model.ints("s", {static_cast<std::int64_t>(sizes.size())}, sizes);
    model.node("Resize", {"x", "", "", "s"}, {"y"}, {attribute("antialias", 1), attribute("mode", "linear")});
    return model.output("y");
  };
  const auto images = [](int type = ::onnx::TensorProto::FLOAT) {
    OnnxModel model(18);
    return model.input("x", {7, 5}, type);
  };
  const std::string along = "ResizeWeights ResizeAlong ";
  CHECK(operators_of(resize(images(), {9, 5})) == "Resize");
  CHECK(operators_of(resize(images(), {3, 5})) == along + "Identity");
  CHECK(operators_of(resize(images(), {3, 2})) == along + along + "Identity");
  CHECK(operators_of(resize(images(), {3, 7})) == along + "Resize Identity");
  CHECK(operators_of(resize(images().name_dim(0, 0, "rows"), {3, 5})) == along + "Identity");
  CHECK(operators_of(resize(images(::onnx::TensorProto::UINT8), {3, 5})) ==
        "Cast " + along + "Round Cast Identity");

  OnnxModel line(18);
  const Buffer y = folded(resize(line.floats("x", {4}, {0, 1, 2, 3}), {2}));
  REQUIRE(y.shape() == Ints{2});
  CHECK(y.get(0) == doctest::Approx(0.625));
  CHECK(y.get(1) == doctest::Approx(2.375));
}

TEST_CASE("TopK: of a long row the largest keys are found by two bits at a time") {
  OnnxModel model(11);
  model.input("x", {2, 97}).ints("k", {1}, {3}).node("TopK", {"x", "k"}, {"y", "i"}).output("y").output("i");
  std::string expected = "Reshape SortKeys";
  for (int i = 0; i < 16; ++i) expected += " KeyThreshold";
  // The sorted keys are not needed.
  expected +=
      " KeyCounts KeySums KeyPlaces GatherElements KeyRanks ScatterElements ScatterElements GatherElements "
      "Reshape Identity Cast Reshape Identity";
  CHECK(operators_of(model) == expected);
  OnnxModel open = model;
  CHECK(operators_of(open.name_dim(0, 1, "n")) == "TopK");
}

TEST_CASE("TopK: long rows with equal elements, NaNs, infinities and subnormal numbers") {
  Floats values;
  for (int i = 0; i < 300; ++i) values.push_back(static_cast<float>((i * 37) % 50) - 25);
  using Limits = std::numeric_limits<float>;
  values[7] = Limits::quiet_NaN();
  values[200] = Limits::quiet_NaN();
  values[11] = Limits::infinity();
  values[12] = -Limits::infinity();
  values[13] = Limits::max();
  values[14] = Limits::denorm_min();
  values[15] = -Limits::denorm_min();
  values[16] = -0.0F;
  values[17] = Limits::min();
  for (const int largest : {0, 1}) {
    for (const std::int64_t k : {1, 7, 150, 300}) {
      OnnxModel model(11);
      model.floats("x", {1, 300}, values).ints("k", {1}, {k});
      model.node("TopK", {"x", "k"}, {"y", "i"}, {attribute("largest", largest)}).output("y").output("i");
      std::vector<std::size_t> order(values.size());
      std::iota(order.begin(), order.end(), 0);
      const auto is_above = [&](std::size_t a, std::size_t b) {
        return values[a] > values[b] || (std::isnan(values[a]) && !std::isnan(values[b]));
      };
      std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        return largest != 0 ? is_above(a, b) : is_above(b, a);
      });
      const Buffer places = folded(model, "i");
      for (std::int64_t i = 0; i < k; ++i)
        CHECK(places.get_int(i) == static_cast<std::int64_t>(order[static_cast<std::size_t>(i)]));
    }
  }
}

TEST_CASE("TopK: many elements of long rows are sorted in runs, equal ones in their order") {
  using Steps = std::pair<std::ptrdiff_t, std::ptrdiff_t>;
  const auto steps_of = [](std::int64_t n, std::int64_t k) {
    OnnxModel model(11);
    model.input("x", {2, n}).ints("k", {1}, {k}).node("TopK", {"x", "k"}, {"y"}).output("y");
    const Graph graph = model.import();
    const auto count = [&](const char* op) { return std::ranges::count(graph.nodes, op, &Node::op); };
    return Steps(count("KeyThreshold"), count("MergePlaces"));
  };
  // Ranks of up to 384 take no longer than merging them twice. All of a row need not be found.
  CHECK(steps_of(1000, 384) == Steps(16, 0));
  CHECK(steps_of(1000, 385) == Steps(16, 2));
  CHECK(steps_of(1000, 1000) == Steps(0, 3));

  constexpr std::int64_t kLength = 700;
  Floats values;
  for (std::int64_t i = 0; i < 2 * kLength; ++i) values.push_back(static_cast<float>((i * 37 + i / 90) % 50));
  for (const std::int64_t k : {500, 700}) {
    OnnxModel model(11);
    model.floats("x", {2, kLength}, values).ints("k", {1}, {k});
    model.node("TopK", {"x", "k"}, {"y", "i"}).output("y").output("i");
    const Buffer places = folded(model, "i");
    for (std::int64_t row = 0; row < 2; ++row) {
      const float* x = values.data() + row * kLength;
      std::vector<std::int64_t> order(kLength);
      std::iota(order.begin(), order.end(), 0);
      std::ranges::stable_sort(order, [&](std::int64_t a, std::int64_t b) { return x[a] > x[b]; });
      for (std::int64_t i = 0; i < k; ++i)
        CHECK(places.get_int(row * k + i) == order[static_cast<std::size_t>(i)]);
    }
  }
}

TEST_CASE("TopK: rows of integers along any axis, to the ends of their types") {
  const auto best = [](int type, const Ints& values) {
    OnnxModel model(11);
    std::vector<std::int64_t> column(200, 5);
    for (std::size_t i = 0; i < values.size(); ++i) column[20 * i + 3] = values[i];
    if (type == ::onnx::TensorProto::INT64) {
      model.ints("x", {200, 1}, column);
    } else {
      model.small_ints("x", {200, 1}, column, type);
    }
    model.ints("k", {1}, {2}).node("TopK", {"x", "k"}, {"y", "i"}, {attribute("axis", 0)});
    const Buffer i = folded(model.output("y").output("i"), "i");
    CHECK(i.shape() == Ints{2, 1});
    return Ints{i.get_int(0), i.get_int(1)};
  };
  constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min(),
                         highest = std::numeric_limits<std::int64_t>::max();
  CHECK(best(::onnx::TensorProto::INT64, {lowest, highest, -1, highest}) == Ints{23, 63});
  CHECK(best(::onnx::TensorProto::INT32, {-1, 7, 6}) == Ints{23, 43});
  CHECK(best(::onnx::TensorProto::INT8, {-128, 127, 126}) == Ints{23, 43});
  CHECK(best(::onnx::TensorProto::UINT8, {0, 128, 255}) == Ints{43, 23});
}

TEST_CASE("Unique: many elements are numbered by sorting their keys") {
  const auto of = [](int length, int sorted) {
    OnnxModel model;
    model.input("x", {length}).node("Unique", {"x"}, {"y"}, {attribute("sorted", sorted)}).output("y");
    return operators_of(model);
  };
  CHECK(of(512, 1).starts_with("Reshape Reshape Unique"));
  CHECK(of(513, 0).starts_with("Reshape Reshape Unique"));
  const std::string steps = of(513, 1);
  CHECK(steps.substr(0, steps.find(" Cast")) ==
        "Reshape Reshape Reshape SortKeys KeyRanks ScatterElements ScatterElements MergePlaces "
        "GatherElements GatherElements MergePlaces GatherElements GatherElements MergePlaces GatherElements "
        "GatherElements KeyChanges CumSum ScatterElements Reshape");
}

TEST_CASE("keys: runs are merged as they would be sorted, equal ones in their order") {
  for (const int length : {1, 5, 8, 9, 21}) {
    for (const int run : {1, 4, 8}) {
      Buffer keys(Int(32), {1, length});
      for (int i = 0; i < length; ++i) keys.set_int(i, (i * 7 + i / 3) % 6);
      std::vector<std::int64_t> order(static_cast<std::size_t>(length));
      std::iota(order.begin(), order.end(), 0);
      const auto sort = [&](int begin, int end) {
        std::stable_sort(order.begin() + begin, order.begin() + std::min(end, length),
                         [&](std::int64_t a, std::int64_t b) { return keys.get_int(a) > keys.get_int(b); });
      };
      for (int begin = 0; begin < length; begin += run) sort(begin, begin + run);
      Buffer in_runs(Int(32), {1, length});
      for (int i = 0; i < length; ++i) in_runs.set_int(i, keys.get_int(order[static_cast<std::size_t>(i)]));
      Attributes attributes;
      attributes.set("run", std::int64_t{run});
      const Buffer places = evaluate_node({"n", "MergePlaces", {"x"}, {"y"}, attributes}, {&in_runs}).at(0);
      const std::vector<std::int64_t> before = order;
      for (int begin = 0; begin < length; begin += 2 * run) sort(begin, begin + 2 * run);
      for (int i = 0; i < length; ++i)
        CHECK(before[static_cast<std::size_t>(places.get_int(i))] == order[static_cast<std::size_t>(i)]);
    }
  }
}
