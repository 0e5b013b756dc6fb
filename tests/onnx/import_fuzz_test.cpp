// Damaged models: whatever the bytes, import ends in a Graph or in a ModelError of one line.
// TENSORDSL_FUZZ_ROUNDS sets the number of mutations.
#include <doctest/doctest.h>

#include <cstdlib>
#include <random>

#include "onnx/rewrite/clean_up.h"
#include "support/model_mutator.h"
#include "support/onnx_model.h"

using namespace tensordsl;
using namespace tensordsl::onnx;
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
  auto& external = model.initializer("e", {1}, ::onnx::TensorProto::FLOAT);
  external.set_data_location(::onnx::TensorProto::EXTERNAL);
  for (const auto& [key, value] :
       {std::pair{"location", "weights.bin"}, std::pair{"offset", "0"}, std::pair{"length", "4"}}) {
    auto* field = external.add_external_data();
    field->set_key(key);
    field->set_value(value);
  }
  return model.node("Add", {"g", "e"}, {"y"}).output("y");
}

/// True if import and clean-up gave a graph. A second clean-up must change nothing.
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
    good += imports(ModelMutator(static_cast<std::uint32_t>(round)).damage_bytes(seed), true);
  }
  CHECK(good > 0);
  CHECK(good < rounds());
}

TEST_CASE("import fuzz: damaged fields end in a graph or a ModelError") {
  const OnnxModel seed = seed_model();
  int good = 0;
  for (int round = 0; round < rounds(); ++round) {
    CAPTURE(round);
    ::onnx::ModelProto damaged = seed.proto;
    ModelMutator(static_cast<std::uint32_t>(round)).damage_fields(*damaged.mutable_graph());
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
