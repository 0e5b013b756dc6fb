// Damaged models: whatever the bytes, import ends in a Graph or in a ModelError of one line.
// TENSORDSL_FUZZ_ROUNDS sets the number of mutations.
#include <doctest/doctest.h>

#include <cstdlib>
#include <random>

#include "onnx/clean_up.h"
#include "support/onnx_model.h"

using namespace tensordsl;
using namespace tensordsl::testing;

namespace {

/// A model that touches most of import.
OnnxModel seed_model() {
  OnnxModel model(11);
  model.input("x", {1, 4, 8, 8}).floats("w", {4, 2, 3, 3}, Floats(72, 0.5F)).floats("k", {4}, {1, 2, 3, 4});
  model.node("Conv", {"x", "w", "k"}, {"c"},
             {attribute("group", 2), attribute("auto_pad", "SAME_LOWER"), attribute("strides", Ints{2, 2})});
  model.node("BatchNormalization", {"c", "k", "k", "k", "k"}, {"n"}, {attribute("epsilon", 1e-5F)});
  model.floats("lo", {}, {0}).floats("hi", {}, {6}).node("Clip", {"n", "lo", "hi"}, {"r"});
  model.node("MaxPool", {"r"}, {"p"},
             {attribute("kernel_shape", Ints{2, 2}), attribute("pads", Ints{1, 0, 0, 1}),
              attribute("ceil_mode", 1)});
  model.node("Concat", {"p", "p"}, {"cc"}, {attribute("axis", 1)})
      .node("Transpose", {"cc"}, {"t"}, {attribute("perm", Ints{0, 2, 3, 1})});
  model.ints("pads", {8}, {0, 0, 0, 0, 0, 1, 0, 0})
      .node("Pad", {"t", "pads"}, {"q"})
      .node("Softmax", {"q"}, {"s"}, {attribute("axis", 2)});
  model.ints("shape", {2}, {1, -1})
      .node("Identity", {"shape"}, {"shape2"})
      .node("Reshape", {"s", "shape2"}, {"f"});
  model.node("Unsqueeze", {"f"}, {"u"}, {attribute("axes", Ints{0})})
      .node("Squeeze", {"u"}, {"v"}, {attribute("axes", Ints{0})});
  model.node("Dropout", {"v"}, {"d"}).node("Max", {"d", "v", "f"}, {"m"}).node("Flatten", {"m"}, {"g"});
  auto& external = model.initializer("e", {1}, onnx::TensorProto::FLOAT);
  external.set_data_location(onnx::TensorProto::EXTERNAL);
  for (const auto& [key, value] :
       {std::pair{"location", "weights.bin"}, std::pair{"offset", "0"}, std::pair{"length", "4"}}) {
    auto* field = external.add_external_data();
    field->set_key(key);
    field->set_value(value);
  }
  return model.node("Add", {"g", "e"}, {"y"}).output("y");
}

class Mutator {
 public:
  explicit Mutator(std::uint32_t seed) : random_(seed) {}

  std::string damage_bytes(std::string bytes) {
    for (std::size_t n = 1 + pick(4); n > 0 && !bytes.empty(); --n) {
      const std::size_t at = pick(bytes.size());
      switch (pick(5)) {
        case 0:
          bytes[at] = static_cast<char>(bytes[at] ^ (1 << pick(8)));
          break;
        case 1:
          bytes[at] = static_cast<char>(pick(256));
          break;
        case 2:
          bytes.resize(at);
          break;
        case 3:
          bytes.erase(at, 1 + pick(8));
          break;
        default:
          bytes.insert(at, bytes.substr(pick(bytes.size()), pick(64)));
          break;
      }
    }
    return bytes;
  }

  /// Stays a valid protobuf message: what bit flips rarely get through to.
  void damage_fields(onnx::GraphProto& graph) {
    for (std::size_t n = 1 + pick(3); n > 0; --n) {
      auto& node = *graph.mutable_node(static_cast<int>(pick(static_cast<std::size_t>(graph.node_size()))));
      auto& tensor = *graph.mutable_initializer(
          static_cast<int>(pick(static_cast<std::size_t>(graph.initializer_size()))));
      switch (pick(12)) {
        case 0:
          node.set_op_type(
              graph.node(static_cast<int>(pick(static_cast<std::size_t>(graph.node_size())))).op_type());
          break;
        case 1:
          node.add_input(some_name(graph));
          break;
        case 2:
          if (node.input_size() > 0) node.mutable_input()->RemoveLast();
          break;
        case 3:
          if (node.input_size() > 0)
            node.set_input(static_cast<int>(pick(static_cast<std::size_t>(node.input_size()))),
                           some_name(graph));
          break;
        case 4:
          node.set_output(0, some_name(graph));
          break;
        case 5:
          tensor.add_dims(value());
          break;
        case 6:
          if (tensor.dims_size() > 0) tensor.set_dims(0, value());
          break;
        case 7:
          tensor.set_data_type(static_cast<int>(pick(18)));
          break;
        case 8:
          damage_attribute(node);
          break;
        case 9:
          damage_attribute(node);
          break;
        case 10:
          if (tensor.int64_data_size() > 0) tensor.set_int64_data(0, value());
          break;
        default:
          graph.mutable_input(0)
              ->mutable_type()
              ->mutable_tensor_type()
              ->mutable_shape()
              ->mutable_dim(static_cast<int>(pick(4)))
              ->set_dim_value(value());
          break;
      }
    }
  }

 private:
  std::size_t pick(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
  }

  std::int64_t value() {
    constexpr std::int64_t kValues[] = {
        0,         1,        -1, 2, 3, 7, 32, -8, 1 << 20, std::int64_t{1} << 31, std::int64_t{1} << 33,
        INT64_MAX, INT64_MIN};
    return kValues[pick(std::size(kValues))];
  }

  std::string some_name(const onnx::GraphProto& graph) {
    const auto& node = graph.node(static_cast<int>(pick(static_cast<std::size_t>(graph.node_size()))));
    return pick(2) == 0 || node.input_size() == 0 ? node.output(0) : node.input(0);
  }

  void damage_attribute(onnx::NodeProto& node) {
    if (node.attribute_size() == 0 || pick(8) == 0) {
      constexpr const char* kNames[] = {"axis",    "axes",  "pads", "perm",  "mode",
                                        "strides", "group", "min",  "shape", "auto_pad"};
      *node.add_attribute() = attribute(kNames[pick(std::size(kNames))], Ints{value()});
      return;
    }
    auto& target =
        *node.mutable_attribute(static_cast<int>(pick(static_cast<std::size_t>(node.attribute_size()))));
    switch (pick(5)) {
      case 0:
        target.set_i(value());
        break;
      case 1:
        target.add_ints(value());
        break;
      case 2:
        if (target.ints_size() > 0)
          target.set_ints(static_cast<int>(pick(static_cast<std::size_t>(target.ints_size()))), value());
        break;
      case 3:
        target.set_type(static_cast<onnx::AttributeProto::AttributeType>(pick(12)));
        break;
      default:
        target.set_s("VALID");
        break;
    }
  }

  std::mt19937 random_;
};

/// Whether import and clean-up gave a graph. A second clean-up must change nothing.
bool imports(const std::string& bytes, bool random_weights) {
  ImportOptions options;
  options.random_weights = random_weights;
  options.max_constant_bytes = 1 << 20;
  try {
    Graph graph = import_onnx(bytes, "fuzz.onnx", "/nonexistent", options);
    clean_up(graph, nullptr);
    const std::string once = to_string(graph);
    clean_up(graph, nullptr);
    CHECK(to_string(graph) == once);
    return true;
  } catch (const ModelError& error) {
    const std::string text = error.what();
    CHECK(text.find('\n') == std::string::npos);
    CHECK((text.starts_with("fuzz.onnx: ") || text.starts_with("node ")));
    return false;
  }
}

int rounds() {
  const char* given = std::getenv("TENSORDSL_FUZZ_ROUNDS");
  return given ? std::atoi(given) : 3000;
}

}  // namespace

TEST_CASE("import fuzz: damaged bytes end in a graph or a ModelError") {
  const std::string seed = seed_model().proto.SerializeAsString();
  REQUIRE(imports(seed, true));
  REQUIRE_FALSE(imports(seed, false));  // its external file is absent
  int good = 0;
  for (int round = 0; round < rounds(); ++round) {
    CAPTURE(round);
    good += imports(Mutator(static_cast<std::uint32_t>(round)).damage_bytes(seed), true);
  }
  CHECK(good > 0);
  CHECK(good < rounds());
}

TEST_CASE("import fuzz: damaged fields end in a graph or a ModelError") {
  const OnnxModel seed = seed_model();
  int good = 0;
  for (int round = 0; round < rounds(); ++round) {
    CAPTURE(round);
    onnx::ModelProto damaged = seed.proto;
    Mutator(static_cast<std::uint32_t>(round)).damage_fields(*damaged.mutable_graph());
    good += imports(damaged.SerializeAsString(), true);
  }
  CHECK(good > 0);
  CHECK(good < rounds());
}

TEST_CASE("import fuzz: random bytes and every prefix are refused") {
  const std::string seed = seed_model().proto.SerializeAsString();
  for (std::size_t length = 0; length < seed.size(); ++length) {
    CAPTURE(length);
    CHECK_FALSE(imports(seed.substr(0, length), true));
  }
  std::mt19937 random(7);
  for (int round = 0; round < rounds(); ++round) {
    std::string bytes(1 + random() % 200, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    CHECK_FALSE(imports(bytes, true));
  }
}
