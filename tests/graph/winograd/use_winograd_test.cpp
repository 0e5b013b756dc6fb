// Tests which convolutions are computed by Winograd's algorithm, and that they compute the same.
#include "graph/winograd/use_winograd.h"

#include <doctest/doctest.h>

#include <cmath>
#include <tuple>

#include "graph/planned_model.h"
#include "graph/rewrite/quantize_weights.h"
#include "graph/rewrite/restore_integers.h"
#include "schedules/support/target_of_profile.h"
#include "support/after_pass.h"
#include "support/convolutions.h"
#include "support/graph_values.h"

using namespace tensordsl;
using namespace tensordsl::definitions;
using namespace tensordsl::graph;
using tensordsl::testing::after;
using tensordsl::testing::groups_after;
using tensordsl::testing::in_winograd_domain;
using tensordsl::testing::placed;
using testing::attribute;
using testing::Ints;
using testing::OnnxModel;
using testing::PlannedModel;
using testing::SmallConvolution;

namespace {

/// f32x16, one work-item to a group, and memory so fast that small convolutions are worth their weights.
Target cpu() {
  Target target = schedules::target_of(load_hw_profile("pocl_cpu_avx512"));
  target.unit.memory_bytes *= 4;
  return target;
}

OnnxModel model_of(const SmallConvolution& convolution) {
  OnnxModel model;
  model.input("x", convolution.input_shape());
  convolution.append(model, "x", "y", "w");
  return model.output("y");
}

/// True if the tensor `y` is computed in the Winograd domain; checks that no other tensor is.
bool is_used(const OnnxModel& model, const Target& target = cpu(), const std::set<std::string>& apart = {}) {
  PlannedModel plan(model, /*for_cpu=*/true);
  const auto found = in_winograd_domain(plan.graph, plan.groups, plan.storage, target, apart);
  if (found.empty()) return false;
  CHECK(found == std::set<std::size_t>{plan.tensor("y").value()});
  return true;
}

/// Every output with it and without it.
void check_values(const OnnxModel& model, double tolerance = 1e-5) {
  PlannedModel plan(model, /*for_cpu=*/true);
  const auto expected = testing::values_of(plan.graph);
  REQUIRE(!in_winograd_domain(plan.graph, plan.groups, plan.storage, cpu(), {}).empty());
  const auto found = testing::values_of(plan.graph);
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    REQUIRE(found[i].size() == expected[i].size());
    double difference = 0, largest = 0;
    for (std::size_t j = 0; j < found[i].size(); ++j) {
      REQUIRE(std::isfinite(found[i][j]));
      difference = std::max(difference, std::abs(found[i][j] - expected[i][j]));
      largest = std::max(largest, std::abs(expected[i][j]));
    }
    CHECK(largest > 1);
    CHECK(difference <= tolerance * largest);
  }
}

}  // namespace

TEST_CASE("Winograd: a sum of 9 products becomes transformed patches, a product of them, and sums of that") {
  PlannedModel plan(model_of({}), /*for_cpu=*/true);
  REQUIRE(plan.groups.size() == 1);
  const std::string sum = plan.groups[0].anchors[0].name();
  const std::size_t epilogue = plan.groups[0].epilogue.size();
  in_winograd_domain(plan.graph, plan.groups, plan.storage, cpu(), {});
  const FusedGroup& group = plan.groups[0];
  REQUIRE(!group.prologue.empty());
  CHECK(group.prologue.back().name() == sum + "_patch");
  REQUIRE(group.anchors.size() == 1);
  CHECK(group.anchors[0].name() == sum + "_product");
  REQUIRE(group.epilogue.size() == epilogue + 1);
  CHECK(group.epilogue[0].name() == sum);
  CHECK(group.outputs[0].shared() == plan.graph.tensors[plan.tensor("y").value()].func.shared());
}

TEST_CASE("Winograd: the weights are transformed once, with the output channels in the last place") {
  PlannedModel plan(model_of({.rows = 14, .columns = 14}), /*for_cpu=*/true);
  const Buffer before = *plan.graph.tensors[plan.tensor("w").value()].constant;
  in_winograd_domain(plan.graph, plan.groups, plan.storage, cpu(), {});
  const DefinedTensor& weights = plan.graph.tensors[plan.tensor("w").value()];
  CHECK(weights.constant->shape() == std::vector<std::int64_t>{4, 4, 16, 64});
  CHECK(plan.storage.layouts[plan.tensor("w").value()].is_row_major());
  const auto tap = [&](int row, int column) { return before.get(((5 * 16 + 3) * 3 + row) * 3 + column); };
  const auto point = [&](int p, int q) { return weights.constant->get(((p * 4 + q) * 16 + 3) * 64 + 5); };
  CHECK(point(0, 0) == tap(0, 0));
  CHECK(point(3, 3) == tap(2, 2));
  CHECK(point(0, 3) == tap(0, 2));
  CHECK(point(1, 0) == doctest::Approx((tap(0, 0) + tap(1, 0) + tap(2, 0)) / 2));
  CHECK(point(2, 0) == doctest::Approx((tap(0, 0) - tap(1, 0) + tap(2, 0)) / 2));
  CHECK(point(0, 2) == doctest::Approx((tap(0, 0) - tap(0, 1) + tap(0, 2)) / 2));
}

TEST_CASE("Winograd: tiles of 4x4 outputs where they save more, of whole and of odd extents") {
  for (const auto& [rows, columns] : {std::pair{28, 28}, {27, 29}, {16, 33}}) {
    CAPTURE(rows);
    const OnnxModel model = model_of({.inputs = 32, .outputs = 64, .rows = rows, .columns = columns});
    PlannedModel plan(model, /*for_cpu=*/true);
    const Buffer before = *plan.graph.tensors[plan.tensor("w").value()].constant;
    in_winograd_domain(plan.graph, plan.groups, plan.storage, cpu(), {});
    const DefinedTensor& weights = plan.graph.tensors[plan.tensor("w").value()];
    REQUIRE(weights.constant->shape() == std::vector<std::int64_t>{6, 6, 32, 64});
    const auto tap = [&](int row, int column) { return before.get(((5 * 32 + 3) * 3 + row) * 3 + column); };
    const auto point = [&](int p, int q) { return weights.constant->get(((p * 6 + q) * 32 + 3) * 64 + 5); };
    CHECK(point(0, 0) == doctest::Approx(tap(0, 0) / 16));
    CHECK(point(5, 5) == tap(2, 2));
    CHECK(point(3, 5) == doctest::Approx((tap(0, 2) + 2 * tap(1, 2) + 4 * tap(2, 2)) / 24));
    // Numbers of up to 8 times the summands are subtracted from each other: rounding errors are larger than
    // in tiles of 2x2.
    check_values(model, 4e-5);
  }
}

TEST_CASE("Winograd: 3x3 convolutions of stride 1, however they are padded") {
  CHECK(is_used(model_of({})));
  CHECK(is_used(model_of({.rows = 18, .columns = 18, .pads = {0, 0, 0, 0}})));
  CHECK(is_used(model_of({.rows = 13, .columns = 15, .pads = {2, 0, 1, 1}})));
  CHECK(is_used(model_of({.batch = 2})));
}

TEST_CASE("Winograd: no other convolution") {
  CHECK(!is_used(model_of({.rows = 32, .columns = 32, .strides = {2, 2}})));
  CHECK(!is_used(model_of({.rows = 24, .columns = 24, .dilations = {2, 2}, .pads = {2, 2, 2, 2}})));
  CHECK(!is_used(model_of({.kernel = {5, 5}, .pads = {2, 2, 2, 2}})));
  CHECK(!is_used(model_of({.kernel = {3, 1}, .pads = {1, 0, 1, 0}})));
  CHECK(!is_used(model_of({.kernel = {1, 1}, .pads = {0, 0, 0, 0}})));
  CHECK(!is_used(model_of({.inputs = 64, .groups = 2})));
  CHECK(!is_used(model_of({.inputs = 64, .groups = 64})));
}

TEST_CASE("Winograd: none whose channels do not fill vectors, or that is too small to gain by it") {
  CHECK(!is_used(model_of({.inputs = 12})));
  CHECK(!is_used(model_of({.outputs = 60})));
  CHECK(!is_used(model_of({.rows = 6, .columns = 6})));
  CHECK(!is_used(model_of({.outputs = 16, .rows = 8, .columns = 8})));
  CHECK(!is_used(model_of({.outputs = 16}), schedules::target_of(load_hw_profile("pocl_cpu_avx512"))));
}

TEST_CASE("Winograd: none on a target with work-items, and none that is to stay as it is") {
  CHECK(!is_used(model_of({}), schedules::target_of(load_hw_profile("mali_g76"))));
  CHECK(!is_used(model_of({}), schedules::target_of(load_hw_profile("nvidia_h100"))));
  CHECK(!is_used(model_of({}), cpu(), {"y"}));
}

TEST_CASE("Winograd: weights that something else reads, that are computed or given, stay as they are") {
  OnnxModel read_twice = model_of({});
  read_twice.node("Relu", {"w"}, {"r"}).node("ReduceSum", {"r"}, {"s"}).output("s");
  read_twice.node("Transpose", {"x"}, {"t"}, {attribute("perm", Ints{0, 1, 3, 2})});
  SmallConvolution().append_without_weights(read_twice, "t", "z", "w");
  CHECK(!is_used(read_twice.output("z")));
  OnnxModel given;
  given.input("x", SmallConvolution().input_shape()).input("w", SmallConvolution().weight_shape());
  SmallConvolution().append_without_weights(given, "x", "y", "w");
  CHECK(!is_used(given.output("y")));
  CHECK(!is_used(model_of({}).output("w")));
}

TEST_CASE("Winograd: the same values, of whole tiles, of odd extents, of several pictures, and unpadded") {
  check_values(model_of({}));
  check_values(model_of({.rows = 21, .columns = 23}));
  check_values(model_of({.rows = 23, .columns = 25, .pads = {0, 0, 0, 0}}));
  check_values(model_of({.rows = 21, .columns = 23, .pads = {0, 2, 3, 1}, .batch = 2}));
}

TEST_CASE("Winograd: the same values beside what is computed in the same kernel, and in the next one") {
  OnnxModel model;
  model.input("x", {1, 16, 21, 16})
      .input("z", {1, 64, 21, 16})
      .floats("b", {64, 1, 1}, testing::Floats(64, 2));
  model.node("Sigmoid", {"x"}, {"s"});
  SmallConvolution{.rows = 21}.append(model, "s", "c", "w");
  model.node("Add", {"c", "b"}, {"d"}).node("Relu", {"d"}, {"e"}).node("Add", {"e", "z"}, {"f"});
  SmallConvolution{.inputs = 64, .rows = 21}.append(model, "f", "g", "v");
  model.node("Transpose", {"g"}, {"y"}, {attribute("perm", Ints{0, 2, 3, 1})}).output("y");
  check_values(model);
}

TEST_CASE(
    "Winograd: convolutions that share their weights share the transformed ones, if nothing else reads "
    "them") {
  const SmallConvolution convolution{.rows = 14, .columns = 14};
  OnnxModel model;
  model.input("x", convolution.input_shape()).input("z", convolution.input_shape());
  convolution.append(model, "x", "a", "w");
  convolution.append_without_weights(model, "z", "b", "w");
  model.output("a").output("b");
  PlannedModel plan(model, /*for_cpu=*/true);
  CHECK(in_winograd_domain(plan.graph, plan.groups, plan.storage, cpu(), {}).size() == 2);
  CHECK(plan.graph.tensors[plan.tensor("w").value()].constant->shape() == Ints{4, 4, 16, 64});
  check_values(model);

  model.node("Relu", {"w"}, {"r"}).output("r");
  PlannedModel other(model, /*for_cpu=*/true);
  CHECK(in_winograd_domain(other.graph, other.groups, other.storage, cpu(), {}).empty());
}

TEST_CASE("Winograd: a budget has the convolutions that save most for a byte, in smaller tiles if need be") {
  const SmallConvolution large{.rows = 56, .columns = 56}, small{.rows = 14, .columns = 14};
  OnnxModel model;
  model.input("x", large.input_shape()).input("z", small.input_shape());
  large.append(model, "x", "a", "v");
  small.append(model, "z", "b", "w");
  model.output("a").output("b");
  const auto shapes = [&](std::optional<std::int64_t> budget) {
    PlannedModel plan(model, /*for_cpu=*/true);
    in_winograd_domain(plan.graph, plan.groups, plan.storage, cpu(), {}, budget);
    return std::pair(plan.graph.tensors[plan.tensor("v").value()].constant->shape(),
                     plan.graph.tensors[plan.tensor("w").value()].constant->shape());
  };
  const auto [v, w] = shapes(std::nullopt);
  CHECK(v == Ints{6, 6, 16, 64});
  CHECK(w == Ints{4, 4, 16, 64});
  constexpr std::int64_t kOfTwo = 7 * 16 * 64 * 4, kOfFour = 27 * 16 * 64 * 4;
  CHECK(shapes(kOfTwo + kOfFour) == std::pair(v, w));
  const auto [direct_v, direct_w] = shapes(0);
  CHECK(direct_v != v);
  CHECK(direct_w != w);
  CHECK(shapes(kOfTwo + kOfFour - 1) == std::pair(v, direct_w));
  CHECK(shapes(kOfFour - 1) == std::pair(Ints{4, 4, 16, 64}, w));
  CHECK(shapes(kOfTwo) == std::pair(Ints{4, 4, 16, 64}, direct_w));
  CHECK(shapes(kOfTwo - 1) == std::pair(direct_v, direct_w));
}

TEST_CASE("Winograd: weights that are integers stay such, with a scale for each point, in tiles of 2x2") {
  const SmallConvolution convolution{.rows = 56, .columns = 56};
  const OnnxModel model = model_of(convolution);
  PlannedModel plan(model, /*for_cpu=*/true);
  const auto expected = testing::values_of(plan.graph);
  plan.graph = after<quantize_weights>(plan.graph, WeightPrecision::Int8);
  plan.groups = groups_after<fuse>(plan.graph);
  plan.storage = placed(plan.graph, plan.groups);
  REQUIRE(in_winograd_domain(plan.graph, plan.groups, plan.storage, cpu(), {}).size() == 1);
  const DefinedTensor& w = plan.graph.tensors[plan.tensor("w").value()];
  CHECK(w.stored_as == Int(8));
  CHECK(w.constant->shape() == Ints{4, 4, 16, 64});
  const DefinedTensor& scale = plan.graph.tensors[plan.tensor("w_point_scale").value()];
  CHECK(scale.constant->shape() == Ints{4, 4, 64});
  // Bytes beyond those of the model: of integers, and of the scales.
  constexpr std::int64_t kBytes = 7 * 16 * 64 + 16 * 64 * 4;
  for (const std::int64_t budget : {kBytes - 1, kBytes}) {
    PlannedModel other(model, /*for_cpu=*/true);
    other.graph = after<quantize_weights>(other.graph, WeightPrecision::Int8);
    other.groups = groups_after<fuse>(other.graph);
    other.storage = placed(other.graph, other.groups);
    CHECK(in_winograd_domain(other.graph, other.groups, other.storage, cpu(), {}, budget).size() ==
          (budget == kBytes ? 1 : 0));
  }
  for (std::int64_t i = 0; i < w.constant->elements(); ++i) REQUIRE(std::abs(w.constant->get(i)) <= 127);
  const auto found = testing::values_of(plan.graph);
  double difference = 0, largest = 0;
  for (std::size_t j = 0; j < expected[0].size(); ++j) {
    difference = std::max(difference, std::abs(found[0][j] - expected[0][j]));
    largest = std::max(largest, std::abs(expected[0][j]));
  }
  CHECK(difference > 0);
  CHECK(difference < 0.02 * largest);
}

TEST_CASE("Winograd: integers of a file are transformed exactly, in units of each point, in any tiles") {
  for (const int offset : {0, 100}) {
    for (const auto& [rows, inputs, points] : {std::tuple{14, 16, 4}, {28, 32, 6}}) {
      CAPTURE(offset);
      CAPTURE(rows);
      OnnxModel model;
      const SmallConvolution convolution{.inputs = inputs, .outputs = 64, .rows = rows, .columns = rows};
      testing::Floats weights;
      for (std::int64_t i = 0; i < 64 * inputs * 9; ++i)
        weights.push_back(static_cast<float>(i * 37 % 255 - 127 + offset) * 0.0123F);
      model.input("x", convolution.input_shape()).floats("w", convolution.weight_shape(), weights);
      convolution.append_without_weights(model, "x", "y", "w");
      PlannedModel before(model.output("y"), /*for_cpu=*/true);
      const auto expected = testing::values_of(before.graph);
      DefinitionGraph graph = after<restore_integers>(before.graph);
      const std::vector<FusedGroup> fused = groups_after<fuse>(graph);
      std::vector<FusedGroup> groups = fused;
      TensorStorage storage = placed(graph, groups);
      REQUIRE(!in_winograd_domain(graph, groups, storage, cpu(), {}).empty());
      const DefinedTensor& transformed = graph.tensors[before.tensor("w").value()];
      CHECK(transformed.stored_as == Int(16));
      CHECK(transformed.constant->shape() == Ints{points, points, inputs, 64});
      for (const float number : transformed.constant->as<float>()) REQUIRE(number == std::round(number));
      const auto found = testing::values_of(graph);
      double difference = 0, largest = 0;
      for (std::size_t i = 0; i < found[0].size(); ++i) {
        difference = std::max(difference, std::abs(found[0][i] - expected[0][i]));
        largest = std::max(largest, std::abs(expected[0][i]));
      }
      CHECK(largest > 1);
      CHECK(difference <= 1e-5 * largest);
    }
  }
}
