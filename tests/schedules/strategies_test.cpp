// Tests the kernels to which strategies apply, and that their configurations compute the definitions.
#include "schedules/strategies.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <random>
#include <set>

#include "graph/attention/fuse_attention.h"
#include "graph/fuse/fuse.h"
#include "graph/fuse/fuse_contractions.h"
#include "graph/fuse/fuse_producers.h"
#include "graph/fuse/fuse_sliding_windows.h"
#include "graph/rewrite/quantize_weights.h"
#include "graph/rewrite/simplify_graph.h"
#include "graph/schedule/choose_schedules.h"
#include "graph/schedule/define_group.h"
#include "graph/schedule/image_layout.h"
#include "graph/schedule/merge_dimensions.h"
#include "graph/store/place_tensors.h"
#include "graph/views/choose_layouts.h"
#include "graph/views/fold_views.h"
#include "graph/winograd/use_winograd.h"
#include "onnx/file/random_weights.h"
#include "runtime/buffer/uniform.h"
#include "runtime/host/interpreter.h"
#include "support/after_pass.h"
#include "support/convolutions.h"
#include "support/definitions.h"
#include "support/tier.h"
#include "tensordsl/pipeline.h"

using namespace tensordsl;
using namespace tensordsl::definitions;
using namespace tensordsl::graph;
using tensordsl::testing::after;
using tensordsl::testing::groups_after;
using tensordsl::testing::in_winograd_domain;
using tensordsl::testing::placed;
using tensordsl::testing::with_sliding_windows;
using namespace tensordsl::schedules;
using testing::attribute;
using testing::Ints;
using testing::OnnxModel;

namespace {

StoredGroup group_of(const OnnxModel& model, const Target& target = Target(),
                     Precision precision = Precision::Float32) {
  DefinitionGraph graph =
      after<fuse_attention>(after<simplify_graph>(testing::definitions_of(model)), target);
  graph = after<fold_views>(std::move(graph));
  Target cpu;
  cpu.group_items = 1;
  const auto groups = groups_after<fuse_contractions>(
      graph, groups_after<fuse_producers>(graph, groups_after<fuse>(graph)), cpu);
  REQUIRE(groups.size() == 1);
  StoredGroup group = define_group(graph, TensorFuncs(graph), groups[0], precision);
  return merge_dimensions(with_layouts(std::move(group), choose_layouts(graph)));
}

/// The group of the model whose elements depend on others of the same Func.
StoredGroup scan_of(const OnnxModel& model) {
  const DefinitionGraph graph = after<simplify_graph>(testing::definitions_of(model));
  const auto groups = groups_after<fuse>(graph);
  const auto is_scan = [](const FusedGroup& group) {
    return std::ranges::any_of(group.anchors, [](const Func& anchor) { return anchor.outputs() > 1; });
  };
  const auto found = std::ranges::find_if(groups, is_scan);
  REQUIRE(found != groups.end());
  return with_layouts(define_group(graph, TensorFuncs(graph), *found, Precision::Float32),
                      choose_layouts(graph));
}

struct Case {
  const char* name;
  const char* strategy;
  OnnxModel model{};
  const char* layout = nullptr;  ///< of the output, if it is not the usual one
};

StoredGroup group_of(const Case& one) {
  StoredGroup group = group_of(one.model);
  if (one.layout) group.stored[0].layout = Layout::parse(one.layout, {"a", "b", "c"});
  return group;
}

/// An attention over a picture of 4 x 3 with 2 heads of 5 elements; y[2, 12, 5].
void attention_with_convolution(OnnxModel& model) {
  model.input("q", {2, 12, 5}).input("k", {2, 5, 12}).input("v", {2, 12, 5});
  model.node("MatMul", {"q", "k"}, {"s"}).node("Softmax", {"s"}, {"w"}).node("MatMul", {"w", "v"}, {"a"});
  model.ints("picture", {4}, {2, 4, 3, 5}).ints("rows", {3}, {2, 12, 5});
  model.node("Reshape", {"v", "picture"}, {"v4"});
  model.node("Transpose", {"v4"}, {"p"}, {attribute("perm", Ints{0, 3, 1, 2})});
  std::vector<float> taps(45);
  for (std::size_t i = 0; i < taps.size(); ++i) taps[i] = 0.1F * static_cast<float>(i % 7) - 0.2F;
  model.floats("taps", {5, 1, 3, 3}, taps).floats("bias", {5}, {1, 2, 3, 4, 5});
  model.node("Conv", {"p", "taps", "bias"}, {"c"},
             {attribute("group", 5), attribute("pads", Ints{1, 1, 1, 1})});
  model.node("Transpose", {"c"}, {"ct"}, {attribute("perm", Ints{0, 2, 3, 1})});
  model.node("Reshape", {"ct", "rows"}, {"cr"}).node("Add", {"a", "cr"}, {"y"});
}

/// Hu et al., CVPR 2018, section 3; y has a factor for each channel.
void squeeze_and_excitation(OnnxModel& model, std::int64_t images, std::int64_t channels,
                            std::int64_t squeezed) {
  const auto values = [](std::int64_t count) {
    std::vector<float> all(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = 0.01F * static_cast<float>(i * 37 % 101) - 0.5F;
    return all;
  };
  model.input("x", {images, channels, 5, 3}).node("GlobalAveragePool", {"x"}, {"m"});
  model.floats("a", {squeezed, channels, 1, 1}, values(squeezed * channels));
  model.floats("b", {channels, squeezed, 1, 1}, values(squeezed * channels));
  model.node("Conv", {"m", "a"}, {"n"}).node("Relu", {"n"}, {"r"}).node("Conv", {"r", "b"}, {"c"});
  model.node("Sigmoid", {"c"}, {"y"});
}

std::vector<Case> cases() {
  const auto weights = [&](OnnxModel& m, const Ints& shape) {
    std::int64_t count = 1;
    for (const std::int64_t e : shape) count *= e;
    m.floats("w", shape, std::vector<float>(static_cast<std::size_t>(count), 0.5F));
  };
  std::vector<Case> all(32);
  all[0] = {"convolution", "tiled_reduction", OnnxModel()};
  all[0].model.input("x", {1, 3, 7, 9});
  weights(all[0].model, {8, 3, 3, 3});
  all[0]
      .model.node("Conv", {"x", "w"}, {"c"}, {attribute("pads", Ints{1, 1, 1, 1})})
      .node("Relu", {"c"}, {"y"});
  all[1] = {"pixels", "tiled_reduction", OnnxModel()};
  all[1].model.input("x", {2, 5, 3, 7});
  weights(all[1].model, {6, 5, 1, 1});
  all[1].model.node("Conv", {"x", "w"}, {"y"});
  all[2] = {"depthwise", "tiled_reduction", OnnxModel()};
  all[2].model.input("x", {1, 4, 7, 5});
  weights(all[2].model, {4, 1, 3, 3});
  all[2].model.node("Conv", {"x", "w"}, {"y"}, {attribute("group", 4), attribute("strides", Ints{2, 2})});
  all[3] = {"matrix", "tiled_reduction", OnnxModel()};
  all[3].model.input("x", {3, 17});
  weights(all[3].model, {17, 10});
  all[3].model.node("MatMul", {"x", "w"}, {"y"});
  all[4] = {"softmax", "row_reduction", OnnxModel()};
  all[4].model.input("x", {5, 7}).node("Softmax", {"x"}, {"y"});
  all[5] = {"transpose", "data_movement", OnnxModel()};
  all[5].model.input("x", {3, 1, 5}).node("Transpose", {"x"}, {"t"}).node("Neg", {"t"}, {"y"});
  all[6] = {"softmax across rows", "row_reduction", OnnxModel()};
  all[6].model.input("x", {2, 5, 37}).node("Softmax", {"x"}, {"y"}, {attribute("axis", 1)});
  all[7] = {"softmax of a row longer than a vector", "row_reduction", OnnxModel()};
  all[7].model.input("x", {2, 3, 37}).node("Softmax", {"x"}, {"y"});
  all[8] = {"layer normalization", "row_reduction", OnnxModel()};
  all[8].model.input("x", {5, 3, 19}).floats("s", {19}, std::vector<float>(19, 2.0F));
  all[8].model.node("LayerNormalization", {"x", "s"}, {"y"});
  all[9] = {"layer normalization of everything", "row_reduction", OnnxModel()};
  all[9].model.input("x", {1, 3, 19}).floats("s", {3, 19}, std::vector<float>(57, 2.0F));
  all[9].model.node("LayerNormalization", {"x", "s"}, {"y"}, {attribute("axis", 1)});
  all[10] = {"instance normalization", "row_reduction", OnnxModel()};
  all[10].model.input("x", {2, 3, 5, 7}).floats("s", {3}, {1, 2, 3}).floats("b", {3}, {3, 2, 1});
  all[10].model.node("InstanceNormalization", {"x", "s", "b"}, {"y"});
  all[11] = {"group normalization", "row_reduction", OnnxModel(21)};
  all[11]
      .model.input("x", {2, 6, 3, 5})
      .floats("s", {6}, {1, 2, 3, 4, 5, 6})
      .floats("b", {6}, {6, 5, 4, 3, 2, 1});
  all[11].model.node("GroupNormalization", {"x", "s", "b"}, {"y"}, {attribute("num_groups", 2)});
  all[12] = {"mean of rows", "row_reduction", OnnxModel()};
  all[12].model.input("x", {3, 5, 33}).node("ReduceMean", {"x"}, {"y"}, {attribute("axes", Ints{2})});
  all[13] = {"mean across rows", "tiled_reduction", OnnxModel()};
  all[13].model.input("x", {3, 9, 17}).node("ReduceMean", {"x"}, {"y"}, {attribute("axes", Ints{1})});
  all[14] = {"lengths", "row_reduction", OnnxModel()};
  all[14].model.input("x", {7, 21}).node("LpNormalization", {"x"}, {"y"}, {attribute("p", 2)});
  all[15] = {"a product of an odd number of columns", "tiled_reduction", OnnxModel()};
  all[15].model.input("x", {2, 5, 7}).input("z", {2, 7, 19}).node("MatMul", {"x", "z"}, {"y"});
  all[16] = {"running sums", "row_scan", OnnxModel()};
  all[16].model.input("x", {5, 7, 3}).ints("axis", {}, {1}).node("CumSum", {"x", "axis"}, {"y"});
  all[17] = {"sums of what is before in a column", "row_scan", OnnxModel()};
  all[17].model.input("x", {5, 7}).ints("axis", {}, {0}).node("CumSum", {"x", "axis"}, {"y"});
  all[18] = {"mean of rows of a tensor that ends in a dimension of 1", "row_reduction", OnnxModel()};
  all[18].model.input("x", {3, 33, 1}).node("ReduceMean", {"x"}, {"y"}, {attribute("axes", Ints{1})});
  all[19] = {"softmax of one row", "row_reduction", OnnxModel()};
  all[19].model.input("x", {37}).node("Softmax", {"x"}, {"y"});
  all[20] = {"ranks, which every place of a row needs", "separate_reductions", OnnxModel()};
  all[20].model.input("x", {3, 9}).ints("k", {1}, {2}).node("TopK", {"x", "k"}, {"y", ""});
  all[21] = {"products whose matrices lie beside each other", "tiled_reduction", OnnxModel(), "b a c"};
  all[21].model.input("x", {3, 5, 7}).input("z", {3, 7, 16}).node("MatMul", {"x", "z"}, {"y"});
  all[22] = {"attention", "attention", OnnxModel()};
  all[22].model.input("q", {2, 19, 5}).input("k", {2, 5, 23}).input("v", {2, 23, 12});
  all[22].model.node("MatMul", {"q", "k"}, {"s"}).node("Softmax", {"s"}, {"w"});
  all[22].model.node("MatMul", {"w", "v"}, {"a"}).node("Relu", {"a"}, {"y"});
  all[23] = {"attention of few queries, keys and elements", "attention", OnnxModel()};
  all[23].model.input("q", {3, 2, 3}).input("k", {3, 3, 3}).input("v", {3, 3, 2}).input("mask", {2, 3});
  all[23].model.node("MatMul", {"q", "k"}, {"s"}).node("Add", {"s", "mask"}, {"m"});
  all[23].model.node("Softmax", {"m"}, {"w"}).node("MatMul", {"w", "v"}, {"y"});
  all[24] = {"attention of whole vectors", "attention", OnnxModel()};
  all[24].model.input("q", {1, 32, 16}).input("k", {1, 16, 32}).input("v", {1, 32, 32});
  all[24].model.node("MatMul", {"q", "k"}, {"s"}).node("Softmax", {"s"}, {"w"});
  all[24].model.node("MatMul", {"w", "v"}, {"y"});
  all[25] = {"attention and a depthwise convolution of its values", "attention", OnnxModel()};
  attention_with_convolution(all[25].model);
  all[26] = {"a mean and two products behind it", "chained_sums", OnnxModel()};
  squeeze_and_excitation(all[26].model, 2, 21, 3);
  all[27] = {"a mean of many channels and two products", "chained_sums", OnnxModel()};
  squeeze_and_excitation(all[27].model, 1, 80, 34);
  all[28] = {"attention of keys in blocks", "attention", OnnxModel()};
  all[28].model.input("q", {1, 5, 3}).input("k", {1, 3, 1100}).input("v", {1, 1100, 6});
  all[28].model.node("MatMul", {"q", "k"}, {"s"}).node("Softmax", {"s"}, {"w"});
  all[28].model.node("MatMul", {"w", "v"}, {"a"}).node("Relu", {"a"}, {"y"});
  all[29] = {"attention of whole blocks of keys, with whole vectors", "attention", OnnxModel()};
  all[29].model.input("q", {1, 8, 4}).input("k", {1, 4, 1280}).input("v", {1, 1280, 16});
  all[29].model.node("MatMul", {"q", "k"}, {"s"}).node("Softmax", {"s"}, {"w"});
  all[29].model.node("MatMul", {"w", "v"}, {"y"});
  all[30] = {"three products of a few rows", "chained_sums", OnnxModel()};
  all[30].model.input("x", {3, 17}).floats("a", {17, 40}, std::vector<float>(680, 0.25F));
  all[30]
      .model.floats("b", {40, 9}, std::vector<float>(360, 0.5F))
      .floats("c", {9, 33}, std::vector<float>(297, 1));
  all[30]
      .model.node("MatMul", {"x", "a"}, {"p"})
      .node("Relu", {"p"}, {"q"})
      .node("MatMul", {"q", "b"}, {"r"});
  all[30].model.node("MatMul", {"r", "c"}, {"y"});
  all[31] = {"a sum over no axes", "tiled_reduction", OnnxModel()};
  all[31].model.input("x", {3, 4}).ints("axes", {0}, {});
  all[31].model.node("ReduceSumSquare", {"x", "axes"}, {"y"}, {attribute("noop_with_empty_axes", 1)});
  for (Case& one : all) one.model.output("y");
  return all;
}

/// Draws a configuration from the space: about half of its knobs are drawn.
void draw_knobs(std::mt19937& random, const Space& space, Point& point) {
  for (const Knob& knob : space.knobs) {
    if (random() % 2 == 0) point.set(knob.name, knob.values[random() % knob.values.size()]);
  }
}

/// The group's output, with and without its schedule, on the host.
/// `few_digits`: of which f16 holds every sum of some products exactly.
void check_result(const StoredGroup& group, bool few_digits = false) {
  std::map<std::string, Buffer> inputs;
  for (const GroupOperand& operand : group.operands) {
    Buffer value = runtime::uniform(operand.input.name(), operand.stored.shape());
    if (operand.stored.type.is_integer()) {
      for (float& v : value.as<float>())
        v = std::floor(127 * v) + (operand.stored.type == UInt(8) ? 127.0f : 0.0f);
    } else if (few_digits) {
      for (float& v : value.as<float>()) v = std::round(8 * v) / 8;
    }
    inputs.emplace(operand.input.name(), value.converted(operand.stored.type));
  }
  const double epsilon = group.stored[0].type == Float(16) ? 2e-3 : 1e-4;
  const Pipeline pipeline(group.outputs);
  const Buffer expected = pipeline.interpret(inputs).at(0), found = pipeline.simulate(inputs).at(0);
  for (std::int64_t i = 0; i < expected.elements(); ++i)
    CHECK(found.get(i) == doctest::Approx(expected.get(i)).epsilon(epsilon));
}

/// True if a configuration is not refused; then it must compute the definitions.
bool is_right_if_it_fits(StoredGroup& group, const GroupSchedule& chosen, const Target& target,
                         bool few_digits = false) {
  try {
    store_constants_as_wanted(group, chosen);
    apply_schedule(group, chosen, target);
    check_result(group, few_digits);
    return true;
  } catch (const ScheduleError&) {
    return false;
  }
}

}  // namespace

TEST_CASE("strategies: the first that applies is the one for the kind of kernel") {
  for (const Case& one : cases()) {
    CAPTURE(one.name);
    CHECK(choose_schedule(group_of(one), Target()).strategy->name == one.strategy);
  }
  CHECK(find_strategy("row_reduction") != nullptr);
  CHECK(find_strategy("magic") == nullptr);
  CHECK(strategies().back().applies(group_of(cases()[0].model), Target()));
}

TEST_CASE("recurrence: at every point, of networks of any kind and size") {
  Target cpu, gpu;
  cpu.group_items = cpu.most_group_items = 1;
  gpu.most_group_items = 8;
  const Strategy& strategy = *find_strategy("recurrence");
  std::mt19937 random(23);
  for (const auto& [op, gates] : {std::pair{"RNN", 1}, {"GRU", 3}, {"LSTM", 4}}) {
    for (const std::int64_t hidden : {4, 7, 24}) {
      OnnxModel model;
      const auto columns = static_cast<std::size_t>(gates * hidden);
      model.input("x", {66, 2, 1}).floats("w", {1, gates * hidden, 1}, std::vector<float>(columns, 0.5F));
      model.floats("r", {1, gates * hidden, hidden}, std::vector<float>(columns * hidden, 0.125F));
      model.node(op, {"x", "w", "r"}, {"y"}, {attribute("hidden_size", static_cast<int>(hidden))});
      model.output("y");
      for (const Target& target : {cpu, gpu}) {
        CAPTURE(op);
        CAPTURE(hidden);
        const auto fresh = [&] { return scan_of(model); };
        CHECK(choose_schedule(fresh(), target).strategy == &strategy);
        for (int i = 0; i < 3; ++i) {
          StoredGroup group = fresh();
          const Space space = strategy.space(group, target);
          Point point = space.first;
          if (i > 0) draw_knobs(random, space, point);
          CAPTURE(to_string(point));
          const bool fits = is_right_if_it_fits(group, {&strategy, point}, target);
          if (i == 0) CHECK(fits);
        }
      }
    }
  }
}

TEST_CASE("matrix product: at every point, of products and convolutions of any size that has whole steps") {
  Target target = target_of(load_hw_profile("nvidia_h100"), 1024);
  target.has_matrix_units = true;
  std::vector<OnnxModel> models(4);
  models[0].input("x", {37, 64}).floats("w", {64, 40}, std::vector<float>(2560, 0.5F));
  models[0].node("MatMul", {"x", "w"}, {"p"}).node("Relu", {"p"}, {"y"});
  models[1].input("x", {1, 32, 5, 19}).floats("w", {24, 32, 3, 3}, std::vector<float>(6912, 0.5F));
  models[1].node("Conv", {"x", "w"}, {"c"}, {attribute("pads", Ints{1, 1, 1, 1})}).node("Relu", {"c"}, {"y"});
  models[2].input("x", {2, 16, 9, 35}).floats("w", {8, 16, 3, 3}, std::vector<float>(1152, 0.5F));
  models[2].node("Conv", {"x", "w"}, {"y"}, {attribute("strides", Ints{2, 2})});
  models[3].input("x", {3, 48, 7, 16}).floats("w", {17, 48, 1, 1}, std::vector<float>(816, 0.5F));
  models[3].node("Conv", {"x", "w"}, {"y"});
  const Strategy& strategy = *find_strategy("matrix_product");
  std::mt19937 random(19);
  for (OnnxModel& model : models) {
    model.output("y");
    const auto fresh = [&] { return group_of(model, target, Precision::Float16); };
    CHECK(choose_schedule(fresh(), target).strategy == &strategy);
    int right = 0;
    for (int i = 0; i < 200 && right < 5; ++i) {
      StoredGroup group = fresh();
      const Space space = strategy.space(group, target);
      Point point = space.first;
      if (i > 0) draw_knobs(random, space, point);
      CAPTURE(to_string(point));
      right += is_right_if_it_fits(group, {&strategy, point}, target) ? 1 : 0;
    }
    CHECK(right == 5);
    CHECK_FALSE(strategy.applies(group_of(model, target), target));  // of f32
    Target without = target;
    without.has_matrix_units = false;
    CHECK_FALSE(strategy.applies(fresh(), without));
  }
}

TEST_CASE("tiled reduction: where f16 is faster, sums are parts in f16, of products and of windows") {
  std::vector<OnnxModel> models(6);
  models[0].input("x", {37, 96}).floats("w", {96, 40}, std::vector<float>(3840, 0.5F));
  models[0].node("MatMul", {"x", "w"}, {"p"}).node("Relu", {"p"}, {"y"});
  models[1].input("x", {1, 32, 5, 19}).floats("w", {32, 32, 3, 3}, std::vector<float>(9216, 0.5F));
  models[1].node("Conv", {"x", "w"}, {"c"}, {attribute("pads", Ints{1, 1, 1, 1})}).node("Relu", {"c"}, {"y"});
  models[2].input("x", {1, 17, 7, 5}).floats("w", {3, 17, 1, 1}, std::vector<float>(51, 0.5F));
  models[2].node("Conv", {"x", "w"}, {"c"}).node("Relu", {"c"}, {"y"});
  models[3].input("x", {1, 3, 17, 17}).floats("w", {16, 3, 3, 3}, std::vector<float>(432, 0.5F));
  models[3].node("Conv", {"x", "w"}, {"y"}, {attribute("strides", Ints{2, 2})});
  models[4].input("x", {1, 24, 9, 9}).floats("w", {24, 1, 3, 3}, std::vector<float>(216, 0.5F));
  models[4].node("Conv", {"x", "w"}, {"y"}, {attribute("group", 24)});
  models[5].input("x", {5, 160}).floats("w", {160, 24}, std::vector<float>(3840, 0.5F));
  models[5].node("MatMul", {"x", "w"}, {"y"});
  const Strategy& strategy = *find_strategy("tiled_reduction");
  for (OnnxModel& model : models) model.output("y");
  std::mt19937 random(21);
  HwProfile cpu = load_hw_profile("pocl_cpu_avx512");
  cpu.fma_gflops.f16 = Measurement::exact(2 * cpu.fma_gflops.f32->value);
  for (const Target& target : {target_of(load_hw_profile("mali_t860")), target_of(cpu)}) {
    for (OnnxModel& model : models) {
      CHECK(strategy.space(group_of(model, target), target).first["halves"] == 0);  // of f32
      int right = 0;
      for (int i = 0; i < 300 && right < 6; ++i) {
        StoredGroup group = group_of(model, target, Precision::Float16);
        const Space space = strategy.space(group, target);
        Point point = space.first;
        CHECK(point["halves"] == 1);
        if (i > 0) draw_knobs(random, space, point);
        CAPTURE(to_string(point));
        right += is_right_if_it_fits(group, {&strategy, point}, target, /*few_digits=*/true) ? 1 : 0;
        if (i == 0) CHECK(right == 1);
      }
      CHECK(right == 6);
      Target without = target;
      without.computes_halves = false;
      CHECK(strategy.space(group_of(model, without, Precision::Float16), without).first["halves"] == 0);
    }
  }
}

TEST_CASE("tiled reduction: sums that may be larger than what is stored of them are in f32") {
  const Target target = target_of(load_hw_profile("mali_t860"));
  OnnxModel scores, squares, scaled;
  scaled.input("a", {8, 64}).floats("w", {64, 16}, std::vector<float>(1024, 50.0F));
  scaled.node("Gemm", {"a", "w"}, {"y"}, {attribute("alpha", 0.001F)}).output("y");
  scores.input("a", {8, 64}).input("b", {64, 16}).node("MatMul", {"a", "b"}, {"y"}).output("y");
  squares.input("x", {8, 64}).node("ReduceSumSquare", {"x"}, {"y"}, {attribute("keepdims", 0)}).output("y");
  for (const OnnxModel* model : {&scores, &squares, &scaled}) {
    const GroupSchedule chosen = choose_schedule(group_of(*model, target, Precision::Float16), target);
    const auto halves = chosen.point.values().find("halves");
    CHECK((halves == chosen.point.values().end() || halves->second == 0));
  }
}

TEST_CASE("dot products: where a GPU has them, sums of products of bytes are made of them, at every point") {
  std::vector<OnnxModel> models(5);
  const auto bytes = [](std::int64_t count) {
    Ints values;
    for (std::int64_t i = 0; i < count; ++i) values.push_back(i * 37 % 255 - 127);
    return values;
  };
  constexpr int kI8 = ::onnx::TensorProto::INT8, kU8 = ::onnx::TensorProto::UINT8;
  const auto add_product = [&](OnnxModel& model, const Ints& a, std::int64_t k, std::int64_t n) {
    model.input("x", a, kU8).small_ints("w", {k, n}, bytes(k * n), kI8);
    model.node("MatMulInteger", {"x", "w"}, {"y"}).output("y");
  };
  const auto add_convolution = [&](OnnxModel& model, const Ints& x, const Ints& w, const Ints& pads) {
    model.input("x", x, kU8).small_ints("w", w, bytes(w[0] * w[1] * w[2] * w[3]), kI8);
    model.node("ConvInteger", {"x", "w"}, {"y"}, {attribute("pads", pads)}).output("y");
  };
  add_product(models[0], {37, 64}, 64, 40);
  add_product(models[1], {2, 17, 20}, 20, 7);
  add_convolution(models[2], {1, 32, 5, 19}, {24, 32, 3, 3}, {1, 1, 1, 1});
  add_convolution(models[3], {1, 16, 7, 9}, {17, 16, 1, 1}, {0, 0, 0, 0});
  add_convolution(models[4], {1, 64, 6, 8}, {64, 64, 3, 3}, {0, 0, 0, 0});
  std::mt19937 random(8);
  for (const char* profile : {"mali_g76", "nvidia_h100"}) {
    Target target = target_of(load_hw_profile(profile), 256);
    target.has_integer_dot_product = true;
    for (std::size_t m = 0; m < models.size(); ++m) {
      CAPTURE(profile);
      CAPTURE(m);
      const auto fresh = [&] { return group_of(models[m], target); };
      const Strategy& strategy = *choose_schedule(fresh(), target).strategy;
      CHECK(strategy.space(fresh(), target).first["dots"] == 1);
      int right = 0;
      for (int i = 0; i < 200 && right < 5; ++i) {
        StoredGroup group = fresh();
        const Space space = strategy.space(group, target);
        Point point = space.first;
        if (i > 0) draw_knobs(random, space, point);
        CAPTURE(to_string(point));
        right += is_right_if_it_fits(group, {&strategy, point}, target) ? 1 : 0;
        if (i == 0) {
          CHECK(right == 1);
          CHECK(Pipeline(group.outputs).emit("cl").find("dot_product_ui(") != std::string::npos);
        }
      }
      CHECK(right == 5);
      Target without = target;
      without.has_integer_dot_product = false;
      const StoredGroup plain = group_of(models[m], without);
      CHECK(choose_schedule(plain, without).point["dots"] == 0);
    }
  }
}

TEST_CASE("tiled reduction: on a CPU the halves of a tile are converted once, of products and of windows") {
  const Target target = target_of(load_hw_profile("pocl_cpu_avx512"));
  std::vector<OnnxModel> models(4);
  models[0].input("x", {37, 96}).floats("w", {96, 40}, std::vector<float>(3840, 0.5F));
  models[0].node("MatMul", {"x", "w"}, {"p"}).node("Relu", {"p"}, {"y"});
  models[1].input("x", {1, 32, 5, 19}).floats("w", {32, 32, 3, 3}, std::vector<float>(9216, 0.5F));
  models[1].node("Conv", {"x", "w"}, {"c"}, {attribute("pads", Ints{1, 1, 1, 1})}).node("Relu", {"c"}, {"y"});
  models[2].input("x", {2, 48, 9, 35}).floats("w", {17, 48, 3, 3}, std::vector<float>(7344, 0.5F));
  models[2].node("Conv", {"x", "w"}, {"c"}, {attribute("strides", Ints{2, 2})}).node("Relu", {"c"}, {"y"});
  models[3].input("x", {1, 16, 7, 1}).floats("w", {5, 16, 1, 1}, std::vector<float>(80, 0.5F));
  models[3].node("Conv", {"x", "w"}, {"c"}).node("Relu", {"c"}, {"y"});
  const Strategy& strategy = *find_strategy("tiled_reduction");
  std::mt19937 random(5);
  for (OnnxModel& model : models) {
    model.output("y");
    CHECK(strategy.space(group_of(model, target), target).first["copied"] == 0);  // of f32
    int right = 0;
    for (int i = 0; i < 400 && right < 6; ++i) {
      StoredGroup group = group_of(model, target, Precision::Float16);
      const Space space = strategy.space(group, target);
      Point point = space.first;
      CHECK(point["copied"] % 16 == 0);
      CHECK(point["copied"] > 0);
      if (i > 0) draw_knobs(random, space, point);
      if (point["copied"] == 0) continue;
      CAPTURE(to_string(point));
      right += is_right_if_it_fits(group, {&strategy, point}, target) ? 1 : 0;
    }
    CHECK(right == 6);
    const Target gpu = target_of(load_hw_profile("adreno640"), 256);
    CHECK(strategy.space(group_of(model, gpu, Precision::Float16), gpu).first["copied"] == 0);
  }
}

TEST_CASE(
    "tiled reduction: a factor whose places are no sum of multiples is read where it lies, not copied") {
  const Target target = target_of(load_hw_profile("mali_t860"));
  const auto copied = [&](OnnxModel model) {
    model.floats("w", {16, 40}, std::vector<float>(640, 0.5F));
    model.node("MatMul", {"r", "w"}, {"p"}).node("Relu", {"p"}, {"y"}).output("y");
    return find_strategy("tiled_reduction")->space(group_of(model, target), target).first["copied"];
  };
  OnnxModel rows, windows;
  CHECK(copied(rows.input("r", {192, 16})) == 4);
  windows.input("x", {4, 6, 8, 16}).node("Transpose", {"x"}, {"t"}, {attribute("perm", Ints{1, 0, 2, 3})});
  CHECK(copied(windows.ints("shape", {2}, {192, 16}).node("Reshape", {"t", "shape"}, {"r"})) == 0);
}

TEST_CASE("row reduction: where local memory is off the chip, each work-item has rows of its own") {
  OnnxModel model;
  model.input("x", {4096, 64}).node("Softmax", {"x"}, {"y"}).output("y");
  Target target = target_of(load_hw_profile("mali_g76"));
  REQUIRE(target.is_local_memory_off_chip);
  const auto parts = [&](const Target& one) {
    return find_strategy("row_reduction")->space(group_of(model, one), one).first["parts"];
  };
  CHECK(parts(target) == 1);
  StoredGroup group = group_of(model, target);
  const GroupSchedule chosen = choose_schedule(group, target);
  apply_schedule(group, chosen, target);
  CHECK(Pipeline(group.outputs).emit("cl").find("__local") == std::string::npos);
  target.is_local_memory_off_chip = false;
  CHECK(parts(target) > 1);
  // With few rows some work-items would have nothing to do.
  OnnxModel few;
  model = few.input("x", {2, 4096}).node("Softmax", {"x"}, {"y"}).output("y");
  target.is_local_memory_off_chip = true;
  CHECK(parts(target) > 1);
}

namespace {

std::vector<float> waves(std::int64_t count) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(static_cast<float>(i * 37 % 101) / 50.0F - 1.0F);
  return values;
}

OnnxModel product_with_weights(std::int64_t rows, std::int64_t steps, std::int64_t columns) {
  OnnxModel model;
  model.input("x", {rows, steps}).floats("w", {steps, columns}, waves(steps * columns));
  return model.node("MatMul", {"x", "w"}, {"p"}).node("Relu", {"p"}, {"y"}).output("y");
}

OnnxModel convolution_with_weights(std::int64_t inputs, std::int64_t outputs, std::int64_t size,
                                   std::int64_t taps) {
  OnnxModel model;
  const std::int64_t pad = taps / 2;
  model.input("x", {1, inputs, size, size + 2});
  model.floats("w", {outputs, inputs, taps, taps}, waves(outputs * inputs * taps * taps));
  model.node("Conv", {"x", "w"}, {"p"}, {attribute("pads", Ints{pad, pad, pad, pad})});
  return model.node("Relu", {"p"}, {"y"}).output("y");
}

StoredGroup group_with(const OnnxModel& model, WeightPrecision weights) {
  const DefinitionGraph graph =
      after<quantize_weights>(after<simplify_graph>(testing::definitions_of(model)), weights);
  const std::vector<FusedGroup> groups = groups_after<fuse>(graph);
  REQUIRE(groups.size() == 1);
  StoredGroup group = define_group(graph, TensorFuncs(graph), groups[0], Precision::Float32);
  return merge_dimensions(with_layouts(std::move(group), choose_layouts(graph)));
}

constexpr std::array<const char*, 5> kProfiles{"adreno640", "mali_g76", "mali_t860", "nvidia_h100",
                                               "pocl_cpu_avx512"};

}  // namespace

TEST_CASE("strategies: products of weights in four bits take the strategies of those of whole ones") {
  for (const char* profile : kProfiles) {
    CAPTURE(profile);
    const Target target = target_of(load_hw_profile(profile), 256);
    for (const OnnxModel& model :
         {product_with_weights(197, 768, 768), product_with_weights(1, 512, 1000),
          convolution_with_weights(64, 64, 56, 3), convolution_with_weights(256, 512, 14, 1)}) {
      const auto strategy = [&](WeightPrecision weights) {
        return std::string(choose_schedule(group_with(model, weights), target).strategy->name);
      };
      CHECK(strategy(WeightPrecision::Int4) == strategy(WeightPrecision::Model));
    }
  }
}

TEST_CASE("strategies: of weights in four bits any point computes what is defined") {
  std::mt19937 random(11);
  for (const char* profile : kProfiles) {
    const Target target = target_of(load_hw_profile(profile), 256);
    for (const OnnxModel& model : {product_with_weights(19, 96, 64), product_with_weights(1, 128, 40),
                                   product_with_weights(5, 33, 129), convolution_with_weights(32, 32, 5, 3),
                                   convolution_with_weights(34, 130, 4, 1)}) {
      for (int round = 0; round < 2; ++round) {
        StoredGroup group = group_with(model, WeightPrecision::Int4);
        GroupSchedule chosen = choose_schedule(group, target);
        if (round > 0) draw_knobs(random, chosen.strategy->space(group, target), chosen.point);
        CAPTURE(profile);
        CAPTURE(to_string(chosen.point));
        const bool fits = is_right_if_it_fits(group, chosen, target);
        CHECK((fits || round > 0));
      }
    }
  }
}

TEST_CASE("attention: one query goes through blocks of keys with its elements in vectors") {
  const Target target = target_of(load_hw_profile("pocl_cpu_avx512"));
  for (const auto& [keys, depth, elements] : {std::tuple{7, 32, 16}, {300, 5, 24}, {512, 48, 3}}) {
    CAPTURE(keys);
    OnnxModel model;
    model.input("q", {2, 1, depth}).input("k", {2, depth, keys}).input("v", {2, keys, elements});
    model.node("MatMul", {"q", "k"}, {"s"}).node("Softmax", {"s"}, {"w"});
    model.node("MatMul", {"w", "v"}, {"y"}).output("y");
    StoredGroup group = group_of(model, target);
    const GroupSchedule chosen = choose_schedule(group, target);
    CHECK(chosen.strategy->name == std::string("attention"));
    apply_schedule(group, chosen, target);
    check_result(group);
  }
}

TEST_CASE("attention: of any sizes, work-groups of many items and of few compute what is defined") {
  for (const std::int64_t most : {2, 7, 64, 256}) {
    const Target target = target_of(load_hw_profile("nvidia_h100"), most);
    for (const auto& [queries, keys, depth, elements] :
         {std::tuple{5, 7, 3, 1}, {17, 33, 8, 12}, {3, 2, 4, 70}, {33, 197, 16, 64}, {20, 900, 4, 6}}) {
      CAPTURE(most);
      CAPTURE(keys);
      OnnxModel model;
      model.input("q", {2, queries, depth}).input("k", {2, depth, keys}).input("v", {2, keys, elements});
      model.node("MatMul", {"q", "k"}, {"s"}).node("Softmax", {"s"}, {"w"});
      model.node("MatMul", {"w", "v"}, {"y"}).output("y");
      StoredGroup group = group_of(model, target);
      const GroupSchedule chosen = choose_schedule(group, target);
      CHECK(chosen.strategy->name == std::string("attention"));
      apply_schedule(group, chosen, target);
      check_result(group);
    }
  }
}

TEST_CASE(
    "row reduction: where work-groups have several items, they add up a row together however it lies in "
    "memory") {
  const Target target = target_of(load_hw_profile("mali_g76"));
  OnnxModel model(21);
  model.input("x", {1, 6, 16, 8}).floats("s", {6}, std::vector<float>(6, 1)).output("y");
  model.floats("b", {6}, std::vector<float>(6, 0));
  model.node("GroupNormalization", {"x", "s", "b"}, {"y"}, {attribute("num_groups", 2)});
  const DefinitionGraph graph = testing::definitions_of(model);
  StoredGroup group =
      define_group(graph, TensorFuncs(graph), groups_after<fuse>(graph).at(0), Precision::Float32);
  std::vector<Layout> layouts = choose_layouts(graph);
  for (Layout& layout : layouts) {
    if (layout.rank() == 4) layout = Layout::of({{.dim = 0}, {.dim = 2}, {.dim = 3}, {.dim = 1}});
  }
  group = with_layouts(std::move(group), layouts);
  const GroupSchedule chosen = choose_schedule(group, target);
  CHECK(chosen.strategy->name == std::string("row_reduction"));
  CHECK(chosen.point["parts"] == 64);
  apply_schedule(group, chosen, target);
  check_result(group);
}

TEST_CASE(
    "strategies: the point that is taken without a trial is one of the space, and replays from its text") {
  for (const char* profile : {"adreno640", "mali_g76", "nvidia_h100", "pocl_cpu_avx512"}) {
    const Target target = target_of(load_hw_profile(profile));
    for (const Case& one : cases()) {
      CAPTURE(one.name);
      const StoredGroup group = group_of(one);
      const GroupSchedule chosen = choose_schedule(group, target);
      CHECK(contains(chosen.strategy->space(group, target), chosen.point));
      CHECK(parse_point(to_string(chosen.point)) == chosen.point);
    }
  }
}

TEST_CASE("strategies: no group has more work-items than the device takes") {
  for (const std::int64_t most : {1, 2, 4, 8}) {
    const Target target = target_of(load_hw_profile("adreno640"), most);
    for (const Case& one : cases()) {
      StoredGroup group = group_of(one);
      const GroupSchedule chosen = choose_schedule(group, target);
      store_constants_as_wanted(group, chosen);
      apply_schedule(group, chosen, target);
      for (const KernelSource& kernel : Pipeline(group.outputs).compile().kernels) {
        const auto& size = kernel.launch.group_size;
        CHECK(size[0] * size[1] * size[2] <= most);
      }
    }
  }
}

// Every configuration is refused with a ScheduleError, or computes the definitions.
TEST_CASE("strategies: points drawn from their spaces compute what the definitions say") {
  std::mt19937 random(3);
  const int rounds = testing::by_tier(4, 12);
  int accepted = 0;
  for (const char* profile : {"mali_g76", "pocl_cpu_avx512"}) {
    const Target target = target_of(load_hw_profile(profile));
    for (const Case& one : cases()) {
      for (int round = 0; round < rounds; ++round) {
        StoredGroup group = group_of(one);
        GroupSchedule chosen = choose_schedule(group, target);
        if (round > 0) draw_knobs(random, chosen.strategy->space(group, target), chosen.point);
        CAPTURE(one.name);
        CAPTURE(to_string(chosen.point));
        const bool fits = is_right_if_it_fits(group, chosen, target);
        CHECK((fits || round > 0));
        accepted += fits ? 1 : 0;
      }
    }
  }
  CHECK(accepted > testing::by_tier(70, 200));
}

namespace {

/// A convolution that is computed by Winograd's algorithm.
StoredGroup winograd_group(const testing::SmallConvolution& convolution, const Target& target) {
  OnnxModel model;
  model.input("x", convolution.input_shape())
      .floats("b", {convolution.outputs, 1, 1},
              std::vector<float>(static_cast<std::size_t>(convolution.outputs), 1.5F));
  convolution.append(model, "x", "c", "w");
  model.node("Add", {"c", "b"}, {"d"}).node("Relu", {"d"}, {"y"}).output("y");
  DefinitionGraph graph = after<simplify_graph>(testing::definitions_of(model));
  std::vector<FusedGroup> groups = groups_after<fuse>(graph);
  REQUIRE(groups.size() == 1);
  TensorStorage storage = placed(graph, groups);
  REQUIRE(in_winograd_domain(graph, groups, storage, target, {}).size() == 1);
  StoredGroup group = define_group(graph, TensorFuncs(graph), groups[0], Precision::Float32);
  return merge_dimensions(with_layouts(std::move(group), storage.layouts));
}

}  // namespace

TEST_CASE("Winograd: points drawn from its space compute what the definitions say") {
  const Target target = target_of(load_hw_profile("pocl_cpu_avx512"));
  std::mt19937 random(7);
  for (const auto& [inputs, outputs, rows, columns, batch] :
       {std::tuple{16, 64, 20, 20, 1}, {32, 96, 21, 23, 1}, {48, 64, 14, 18, 2}}) {
    for (int round = 0; round < testing::by_tier(2, 3); ++round) {
      StoredGroup group = winograd_group(
          {.inputs = inputs, .outputs = outputs, .rows = rows, .columns = columns, .batch = batch}, target);
      GroupSchedule chosen = choose_schedule(group, target);
      REQUIRE(chosen.strategy->name == std::string("winograd"));
      const Space space = chosen.strategy->space(group, target);
      CHECK(contains(space, chosen.point));
      CHECK(parse_point(to_string(chosen.point)) == chosen.point);
      if (round > 0) draw_knobs(random, space, chosen.point);
      CAPTURE(rows);
      CAPTURE(to_string(chosen.point));
      store_constants_as_wanted(group, chosen);
      apply_schedule(group, chosen, target);
      check_result(group);
    }
  }
}

namespace {

/// A convolution and what slides over it: a depthwise convolution, or a maximum without weights.
struct Slid {
  testing::SmallConvolution first, second;
  bool is_pool = false;
  std::int64_t cache_bytes = 16000;  ///< which hold a window's rows four times, and not the tensor
};

std::vector<Slid> slid_cases() {
  std::vector<Slid> all(6);
  for (Slid& s : all) {
    s.first = {.inputs = 3, .outputs = 16, .rows = 25, .columns = 11, .kernel = {1, 1}, .pads = {0, 0, 0, 0}};
    s.second = {.inputs = 16, .outputs = 16, .groups = 16};
  }
  all[1].second.strides = {2, 2};
  all[2].second.dilations = {2, 2};
  all[2].second.pads = {2, 0, 1, 3};
  all[3].first.kernel = {3, 5};
  all[3].first.strides = {2, 1};
  all[3].first.pads = {1, 2, 1, 2};
  all[3].first.batch = 2;
  all[4].is_pool = true;
  all[4].second.strides = {2, 2};
  all[5].second.kernel = {5, 1};
  all[5].second.pads = {4, 0, 0, 0};
  all[5].cache_bytes = 50000;
  all[5].first.outputs = all[5].second.inputs = all[5].second.outputs = all[5].second.groups = 48;
  return all;
}

Target target_for(const Slid& slid) {
  Target target = target_of(load_hw_profile("pocl_cpu_avx512"));
  target.compute_units = 1;
  target.unit_cache_bytes = slid.cache_bytes;
  return target;
}

StoredGroup slid_group(const Slid& slid) {
  OnnxModel model;
  model.input("x", slid.first.input_shape());
  slid.first.append(model, "x", "c", "w");
  model.node("Clip", {"c", "low", "high"}, {"r"}).floats("low", {}, {-1.5F}).floats("high", {}, {6});
  if (slid.is_pool) {
    model.node("MaxPool", {"r"}, {"d"},
               {attribute("kernel_shape", slid.second.kernel), attribute("strides", slid.second.strides),
                attribute("pads", slid.second.pads)});
  } else {
    slid.second.append(model, "r", "d", "v");
  }
  model.node("Relu", {"d"}, {"y"}).output("y");
  const DefinitionGraph graph = after<simplify_graph>(testing::definitions_of(model));
  std::vector<FusedGroup> groups = groups_after<fuse>(graph);
  const TensorStorage storage = placed(graph, groups);
  groups = with_sliding_windows(graph, std::move(groups), storage, target_for(slid));
  REQUIRE(groups.size() == 1);
  StoredGroup group = define_group(graph, TensorFuncs(graph), groups[0], Precision::Float32);
  return merge_dimensions(with_layouts(std::move(group), storage.layouts));
}

}  // namespace

TEST_CASE("sliding sums: points drawn from its space compute what the definitions say") {
  std::mt19937 random(11);
  int accepted = 0;
  for (const Slid& slid : slid_cases()) {
    const Target target = target_for(slid);
    for (int round = 0; round < 8; ++round) {
      StoredGroup group = slid_group(slid);
      GroupSchedule chosen = choose_schedule(group, target);
      REQUIRE(chosen.strategy->name == std::string("sliding_sums"));
      const Space space = chosen.strategy->space(group, target);
      CHECK(contains(space, chosen.point));
      if (round > 0) draw_knobs(random, space, chosen.point);
      CAPTURE(to_string(chosen.point));
      const bool fits = is_right_if_it_fits(group, chosen, target);
      CHECK((fits || round > 0));
      accepted += fits ? 1 : 0;
    }
  }
  CHECK(accepted > 20);
}

TEST_CASE("sliding sums: as many rows are kept as a window has") {
  for (std::size_t i = 0; i < 2; ++i) {
    const Target target = target_for(slid_cases()[i]);
    StoredGroup group = slid_group(slid_cases()[i]);
    const GroupSchedule chosen = choose_schedule(group, target);
    store_constants_as_wanted(group, chosen);
    apply_schedule(group, chosen, target);
    // 3 rows of 11 columns of 16 channels
    CHECK(Pipeline(group.outputs).emit("cl").find("float clip[528]") != std::string::npos);
  }
}

namespace {

using NamedModels = std::vector<std::pair<const char*, OnnxModel>>;

/// A device whose work-groups share tiles in local memory.
Target sharing_target() { return target_of(load_hw_profile("nvidia_h100"), 1024); }

OnnxModel convolution_and_relu(const testing::SmallConvolution& of) {
  OnnxModel model;
  model.input("x", of.input_shape());
  of.append(model, "x", "c", "w");
  return model.node("Relu", {"c"}, {"y"}).output("y");
}

/// Products and convolutions of sizes that tiles divide, and of such that they do not.
NamedModels shared_products() {
  NamedModels all;
  const auto ramp = [](std::int64_t count) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = 0.01F * static_cast<float>(i * 37 % 101) - 0.5F;
    return values;
  };
  const auto product = [&](const char* name, std::int64_t rows, std::int64_t depth, std::int64_t columns) {
    OnnxModel model;
    model.input("x", {rows, depth}).floats("w", {depth, columns}, ramp(depth * columns));
    model.floats("b", {columns}, ramp(columns)).node("MatMul", {"x", "w"}, {"p"});
    all.emplace_back(name, model.node("Add", {"p", "b"}, {"s"}).node("Relu", {"s"}, {"y"}).output("y"));
  };
  product("a product", 17, 64, 40);
  product("a product of few rows", 3, 32, 48);
  product("a product of channels in whole tiles", 32, 96, 64);
  OnnxModel batched;
  batched.input("x", {3, 9, 32}).input("w", {3, 32, 20}).node("MatMul", {"x", "w"}, {"y"}).output("y");
  all.emplace_back("products of two tensors that are computed", batched);
  const auto convolution = [&](const char* name, const testing::SmallConvolution& of) {
    all.emplace_back(name, convolution_and_relu(of));
  };
  convolution("a convolution with a border", {.inputs = 16, .outputs = 24, .rows = 9, .columns = 7});
  convolution(
      "one of steps of two, without a border",
      {.inputs = 32, .outputs = 16, .rows = 11, .columns = 13, .strides = {2, 2}, .pads = {0, 0, 0, 0}});
  convolution("one of steps of three from row to row",
              {.inputs = 16, .outputs = 24, .rows = 20, .columns = 9, .strides = {3, 1}});
  convolution("one whose taps are apart, of a batch", {.inputs = 16,
                                                       .outputs = 40,
                                                       .rows = 7,
                                                       .columns = 9,
                                                       .dilations = {2, 1},
                                                       .pads = {2, 1, 0, 3},
                                                       .batch = 2});
  return all;
}

}  // namespace

namespace {

/// Checks, for each model, the default configuration, and configurations drawn from the space, which are
/// refused with a ScheduleError or compute the definitions. `few`: knobs that get small values. Returns how
/// many were not refused.
int check_points(const char* strategy, const NamedModels& models, const std::vector<const char*>& few) {
  const Target target = sharing_target();
  std::mt19937 random(13);
  const int rounds = testing::by_tier(12, 40);
  int accepted = 0;
  for (const auto& [name, model] : models) {
    CAPTURE(name);
    for (int round = 0; round < rounds; ++round) {
      StoredGroup group = group_of(model);
      GroupSchedule chosen = choose_schedule(group, target);
      REQUIRE(chosen.strategy->name == std::string(strategy));
      const Space space = chosen.strategy->space(group, target);
      CHECK(contains(space, chosen.point));
      if (round > 0) {
        draw_knobs(random, space, chosen.point);
        for (const char* knob : few) chosen.point.set(knob, 1 + static_cast<int>(random() % 4));
      }
      CAPTURE(to_string(chosen.point));
      const bool fits = is_right_if_it_fits(group, chosen, target);
      CHECK((fits || round > 0));
      accepted += fits ? 1 : 0;
    }
  }
  return accepted;
}

/// Over few channels.
NamedModels windows_of_few_channels() {
  NamedModels all;
  const auto convolution = [&](const char* name, const testing::SmallConvolution& of) {
    all.emplace_back(name, convolution_and_relu(of));
  };
  convolution("the first of a network",
              {.inputs = 3, .outputs = 32, .rows = 17, .columns = 19, .strides = {2, 2}});
  convolution("a border on all sides, odd sizes, a batch", {.inputs = 5,
                                                            .outputs = 20,
                                                            .rows = 7,
                                                            .columns = 11,
                                                            .kernel = {5, 3},
                                                            .pads = {2, 1, 0, 3},
                                                            .batch = 2});
  convolution("patches", {.inputs = 3,
                          .outputs = 24,
                          .rows = 12,
                          .columns = 20,
                          .kernel = {4, 4},
                          .strides = {4, 4},
                          .pads = {0, 0, 0, 0}});
  convolution("steps of three from row to row",
              {.inputs = 3, .outputs = 24, .rows = 20, .columns = 11, .strides = {3, 1}});
  convolution("and from column to column",
              {.inputs = 3, .outputs = 24, .rows = 9, .columns = 25, .strides = {1, 3}});
  convolution("one channel", {.inputs = 1, .outputs = 16, .rows = 9, .columns = 9, .kernel = {7, 7}});
  return all;
}

/// Products of one row, and a convolution with one pixel.
NamedModels products_of_one_row() {
  NamedModels all;
  for (const auto& [name, depth, columns] : {std::tuple{"sizes that vectors and slices divide", 256, 64},
                                             {"odd ones", 101, 33},
                                             {"few columns", 64, 5}}) {
    OnnxModel model;
    std::vector<float> weights(static_cast<std::size_t>(depth * columns));
    for (std::size_t i = 0; i < weights.size(); ++i)
      weights[i] = 0.01F * static_cast<float>(i * 37 % 101) - 0.5F;
    model.input("x", {1, depth}).floats("w", {columns, depth}, weights);
    model.floats("b", {columns}, std::vector<float>(static_cast<std::size_t>(columns), 0.5F));
    model.node("Gemm", {"x", "w", "b"}, {"g"}, {attribute("transB", 1)}).node("Sigmoid", {"g"}, {"y"});
    all.emplace_back(name, model.output("y"));
  }
  const testing::SmallConvolution one{
      .inputs = 96, .outputs = 24, .rows = 1, .columns = 1, .kernel = {1, 1}, .pads = {0, 0, 0, 0}};
  OnnxModel model;
  model.input("x", one.input_shape());
  one.append(model, "x", "c", "w");
  all.emplace_back("a convolution", model.node("Relu", {"c"}, {"y"}).output("y"));
  return all;
}

}  // namespace

TEST_CASE("staged tiles: a kernel takes no more local memory than what is said of its point") {
  const Target target = sharing_target();
  NamedModels models = shared_products();
  for (auto& model : windows_of_few_channels()) models.push_back(std::move(model));
  for (const auto& [name, model] : models) {
    CAPTURE(name);
    StoredGroup group = group_of(model);
    const GroupSchedule chosen = choose_schedule(group, target);
    const auto outline = chosen.strategy->outlines(group, target)(chosen.point);
    REQUIRE(outline);
    store_constants_as_wanted(group, chosen);
    apply_schedule(group, chosen, target);
    for (const KernelSource& kernel : Pipeline(group.outputs).compile().kernels) {
      CHECK(kernel.resources.local_bytes > 0);
      CHECK(kernel.resources.local_bytes <= outline->usage.local_bytes);
    }
  }
}

TEST_CASE("tiled reduction: no point repeats a step so often that drivers take minutes over the kernel") {
  for (const int steps : {255, 256, 257, 1024, 1600}) {
    CAPTURE(steps);
    OnnxModel model;
    model.input("x", {1, steps}).floats("w", {steps, 16}, std::vector<float>(16UL * steps, 0.5F));
    model.node("MatMul", {"x", "w"}, {"y"}).output("y");
    const Target target;
    const StoredGroup group = group_of(model);
    const schedules::Strategy* strategy = schedules::find_strategy("tiled_reduction");
    schedules::Point point = strategy->space(group, target).first;
    const auto outline = strategy->outlines(group, target);
    point.set("unrolled", 0);
    CHECK(outline(point));
    point.set("unrolled", 1);
    CHECK(outline(point).has_value() == (steps <= 256));
  }
}

TEST_CASE("staged windows: points drawn from its space compute what the definitions say") {
  CHECK(check_points("staged_windows", windows_of_few_channels(),
                     {"channel_threads", "pixel_threads", "row_threads"}) > testing::by_tier(20, 60));
}

TEST_CASE("staged product: points drawn from its space compute what the definitions say") {
  CHECK(check_points("staged_product", shared_products(),
                     {"channel_threads", "pixel_threads", "row_threads"}) > testing::by_tier(20, 60));
}

TEST_CASE("split product: points drawn from its space compute what the definitions say") {
  CHECK(check_points("split_product", products_of_one_row(), {}) > testing::by_tier(20, 60));
}

TEST_CASE("strategies: what a device refuses has a strategy that stands in for it, which computes the same") {
  const Target target = sharing_target();
  for (const NamedModels& models : {shared_products(), products_of_one_row()}) {
    for (const auto& [name, model] : models) {
      CAPTURE(name);
      StoredGroup group = group_of(model);
      const std::string_view first = choose_schedule(group, target).strategy->name;
      const GroupSchedule chosen = *choose_other_schedule(group, target, {{first, "too large"}});
      CHECK(chosen.strategy->name == std::string("tiled_reduction"));
      CHECK(chosen.strategy->applies(group, target));
      store_constants_as_wanted(group, chosen);
      apply_schedule(group, chosen, target);
      check_result(group);
    }
  }
  const StoredGroup attention = group_of(cases()[28].model);
  CHECK(choose_schedule(attention, target).strategy->name == std::string("attention"));
  const auto other = choose_other_schedule(attention, target, {{"attention", "too large"}});
  CHECK((!other || other->strategy->name != std::string("attention")));
}

TEST_CASE("strategies: once all that apply are refused there is none") {
  const StoredGroup group = group_of(cases()[0].model);
  Fallbacks::Strategies refused;
  while (const auto schedule = choose_other_schedule(group, Target(), refused)) {
    REQUIRE(!contains(refused, schedule->strategy->name));
    refused.push_back({schedule->strategy->name, "too large"});
  }
  CHECK(contains(refused, choose_schedule(group, Target()).strategy->name));
}

TEST_CASE("split product: a group has no more work-items than the device allows") {
  StoredGroup group = group_of(products_of_one_row()[0].second);
  Target target = sharing_target();
  target.compute_units = 1;
  for (const int most : {8, 32, 256}) {
    target.most_group_items = most;
    const GroupSchedule chosen = choose_schedule(group, target);
    REQUIRE(chosen.strategy->name == std::string("split_product"));
    CHECK(chosen.point["channel_threads"] * chosen.point["slices"] <= most);
  }
  target.most_group_items = 4;
  CHECK(choose_schedule(group, target).strategy->name == std::string("tiled_reduction"));
}

TEST_CASE("strategies: a product over nothing is not shared, and computed") {
  for (const int rows : {1, 17}) {
    CAPTURE(rows);
    OnnxModel model;
    model.input("x", {rows, 0}).input("w", {0, 40}).node("MatMul", {"x", "w"}, {"y"});
    StoredGroup group = group_of(model.output("y"));
    const GroupSchedule chosen = choose_schedule(group, sharing_target());
    CHECK(chosen.strategy->name != std::string("staged_product"));
    CHECK(chosen.strategy->name != std::string("split_product"));
    apply_schedule(group, chosen, sharing_target());
    check_result(group);
  }
}

TEST_CASE("staged product: where tiles are not shared, or nothing is left to share, it does not apply") {
  const OnnxModel product = shared_products()[0].second;
  Target target = sharing_target();
  CHECK(choose_schedule(group_of(product), target).strategy->name == std::string("staged_product"));
  target.has_local_memory = false;
  CHECK(choose_schedule(group_of(product), target).strategy->name == std::string("tiled_reduction"));
  CHECK(choose_schedule(group_of(cases()[0].model), sharing_target()).strategy->name ==
        std::string("tiled_reduction"));
}

namespace {

/// Replaces the buffers that the kernel reads in vectors of four by images; returns how many.
int store_in_images(StoredGroup& group, const GroupSchedule& chosen) {
  constexpr ImageLimits kLimits{256, 256, 16, 4096};
  int images = 0;
  const auto store = [&](StoredTensor& stored) {
    const auto layout = image_layout(stored, std::nullopt, kLimits);
    if (!layout) return;
    stored.layout = *layout;
    stored.image = image_of(*layout);
    ++images;
  };
  if (!chosen.strategy->reads_texels) return 0;
  std::vector<StoredTensor*> taken;
  for (std::size_t i = 0; i < group.operands.size(); ++i) {
    if (chosen.strategy->reads_texels(group, chosen.point, i)) taken.push_back(&group.operands[i].stored);
  }
  if (chosen.strategy->writes_texels(group, chosen.point)) taken.push_back(&group.stored[0]);
  for (StoredTensor* stored : taken) store(*stored);
  return images;
}

}  // namespace

TEST_CASE("strategies: points that take texels compute the same of images, in reads of whole texels") {
  std::mt19937 random(5);
  int images = 0;
  const Target target = target_of(load_hw_profile("adreno640"));
  for (const Case& one : cases()) {
    for (int round = 0; round < 8; ++round) {
      StoredGroup group = group_of(one);
      GroupSchedule chosen = choose_schedule(group, target);
      if (round > 0) draw_knobs(random, chosen.strategy->space(group, target), chosen.point);
      CAPTURE(one.name);
      CAPTURE(to_string(chosen.point));
      try {
        store_constants_as_wanted(group, chosen);
        images += store_in_images(group, chosen);
        apply_schedule(group, chosen, target);
        check_result(group);
        // An element that is chosen by its number is `e == 0 ? t.s0 : ..`.
        CHECK(Pipeline(group.outputs).emit("cl").find("== 0 ? t_") == std::string::npos);
      } catch (const ScheduleError&) {
        CHECK(round > 0);
      }
    }
  }
  CHECK(images > 20);
}
