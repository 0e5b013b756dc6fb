// ONNX Runtime's own operators on this device: tests/ops/fixtures/contributed.json has what it computes.
#include <doctest/doctest.h>

#include <cmath>

#include "model/node_cases.h"
#include "ops/operator_spec.h"

using namespace tensordsl;
using namespace tensordsl::ops;
using testing::Ints;
using testing::load_model;
using testing::OnnxModel;

TEST_CASE("contributed: every operator computes what ONNX Runtime does") {
  const auto all = testing::node_cases("contributed.json", 21);
  testing::check_node_cases(all);
  // ONNX Runtime has no kernel of BiasSplitGelu for processors.
  for (const OperatorSpec& spec : operators()) {
    CAPTURE(spec.name);
    if (is_contributed(spec.name) && spec.name != "com.microsoft.BiasSplitGelu")
      CHECK(all.contains(std::string(spec.name)));
  }
}

TEST_CASE("contributed: BiasSplitGelu multiplies one half of a sum by Gelu of the other") {
  OnnxModel model(21);
  model.input("x", {1, 2, 4}).floats("bias", {4}, {1, 0, 0, 2});
  model.node("BiasSplitGelu", {"x", "bias"}, {"y"}).output("y");
  model.proto.mutable_graph()->mutable_node(0)->set_domain("com.microsoft");
  const auto device = Device::open();
  Runner runner = load_model(model).run(*device);
  Buffer x(Float(32), {1, 2, 4});
  for (std::int64_t i = 0; i < 8; ++i) x.set(i, static_cast<double>(i) / 4);
  runner.write("x", x);
  runner.run();
  const Buffer y = runner.read("y");
  REQUIRE(y.shape() == Ints{1, 2, 2});
  const auto gelu = [](double value) { return value / 2 * (1 + std::erf(value / std::sqrt(2.0))); };
  CHECK(y.get(0) == doctest::Approx(1.0 * gelu(0.5)));
  CHECK(y.get(1) == doctest::Approx(0.25 * gelu(2.75)));
  CHECK(y.get(2) == doctest::Approx(2.0 * gelu(1.5)));
  CHECK(y.get(3) == doctest::Approx(1.25 * gelu(3.75)));
}
