// Weights that are not constants: where a kernel copies them, and that sums of copies are right.
#include "schedules/product/copied_weights.h"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "graph/fuse/fuse.h"
#include "graph/rewrite/simplify_graph.h"
#include "graph/schedule/choose_schedules.h"
#include "graph/schedule/define_group.h"
#include "graph/schedule/merge_dimensions.h"
#include "graph/views/choose_layouts.h"
#include "graph/views/fold_views.h"
#include "runtime/buffer/uniform.h"
#include "schedules/strategies.h"
#include "support/after_pass.h"
#include "support/definitions.h"
#include "tensordsl/pipeline.h"

using namespace tensordsl;
using namespace tensordsl::definitions;
using namespace tensordsl::graph;
using tensordsl::testing::after;
using tensordsl::testing::groups_after;
using namespace tensordsl::schedules;
using testing::attribute;
using testing::Ints;
using testing::OnnxModel;

namespace {

Target cpu() { return target_of(load_hw_profile("pocl_cpu_avx512")); }
Target sharing_gpu() { return target_of(load_hw_profile("nvidia_h100"), 1024); }
Target mobile() { return target_of(load_hw_profile("mali_g76")); }

StoredGroup group_of(const OnnxModel& model) {
  const DefinitionGraph graph = after<fold_views>(after<simplify_graph>(testing::definitions_of(model)));
  const auto groups = groups_after<fuse>(graph);
  REQUIRE(groups.size() == 1);
  StoredGroup group = define_group(graph, TensorFuncs(graph), groups[0], Precision::Float32);
  return merge_dimensions(with_layouts(std::move(group), choose_layouts(graph)));
}

OnnxModel convolution(const Ints& x, const Ints& w, int groups = 1) {
  OnnxModel model;
  model.input("x", x).input("w", w);
  return model
      .node("Conv", {"x", "w"}, {"y"}, {attribute("pads", Ints{1, 1, 1, 1}), attribute("group", groups)})
      .output("y");
}

/// Returns a product with a matrix whose rows are the columns of the other factor.
OnnxModel product(std::int64_t rows, std::int64_t depth, std::int64_t columns) {
  OnnxModel model;
  model.input("x", {rows, depth}).input("w", {columns, depth});
  return model.node("Gemm", {"x", "w"}, {"y"}, {attribute("transB", 1)}).output("y");
}

OnnxModel product_with_itself(std::int64_t rows, std::int64_t depth) {
  OnnxModel model;
  model.input("x", {rows, depth});
  return model.node("Gemm", {"x", "x"}, {"y"}, {attribute("transB", 1)}).output("y");
}

/// Each batch has such a product.
OnnxModel batched_product(std::int64_t batches, std::int64_t rows, std::int64_t depth, std::int64_t columns) {
  OnnxModel model;
  model.input("x", {batches, rows, depth}).input("w", {batches, columns, depth});
  return model.node("Einsum", {"x", "w"}, {"y"}, {attribute("equation", "bik,bjk->bij")}).output("y");
}

OnnxModel transposed_convolution() {
  OnnxModel model;
  model.input("x", {1, 6, 5, 7}).input("w", {6, 9, 3, 3});
  return model.node("ConvTranspose", {"x", "w"}, {"y"}, {attribute("strides", Ints{2, 2})}).output("y");
}

/// Returns the kernels of the group with the default configuration.
std::string loops(const OnnxModel& model, const Target& target) {
  StoredGroup group = group_of(model);
  const GroupSchedule chosen = choose_schedule(group, target);
  store_constants_as_wanted(group, chosen);
  apply_schedule(group, chosen, target);
  return Pipeline(group.outputs).print_loop_nest();
}

bool has_copy(const OnnxModel& model, const Target& target) {
  return loops(model, target).find("kernel x1_in_") != std::string::npos;
}

void check_values(const StoredGroup& group) {
  std::map<std::string, Buffer> inputs;
  for (const GroupOperand& operand : group.operands)
    inputs.emplace(operand.input.name(), runtime::uniform(operand.input.name(), operand.stored.shape()));
  const Pipeline pipeline(group.outputs);
  const Buffer expected = pipeline.interpret(inputs).at(0), found = pipeline.simulate(inputs).at(0);
  for (std::int64_t i = 0; i < expected.elements(); ++i)
    CHECK(found.get(i) == doctest::Approx(expected.get(i)).epsilon(1e-4));
}

}  // namespace

TEST_CASE("copied weights: rows of them become vectors of channels, in a kernel before the sum's") {
  StoredGroup group = group_of(convolution({1, 64, 32, 32}, {64, 64, 3, 3}));
  const GroupSchedule chosen = choose_schedule(group, cpu());
  CHECK(chosen.strategy->name == std::string("tiled_reduction"));
  CHECK(copies_weights(chosen.point));
  apply_schedule(group, chosen, cpu());
  const Pipeline pipeline(group.outputs);
  CHECK(
      pipeline.print_loop_nest().starts_with("kernel x1_in_conv_sum\n"
                                             "  block 0: item in [0, 2304)\n"
                                             "    vectorized lane in [0, 16)\n"
                                             "      x1_in_conv_sum(...) = ... x1(...)\n"
                                             "kernel conv\n"));
}

TEST_CASE("copied weights: the kernel that copies them stores vectors, and the sum's reads vectors") {
  StoredGroup group = group_of(convolution({1, 8, 64, 64}, {8, 8, 3, 3}));
  Target target = cpu();
  target.vector_width = 4;
  target.compute_units = target.parallel_items = 1;
  apply_schedule(group, choose_schedule(group, target), target);
  const auto kernels = Pipeline(group.outputs).compile().kernels;
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].text ==
        "__kernel __attribute__((reqd_work_group_size(1, 1, 1)))\n"
        "void x1_in_conv_sum_kernel(__global const float* restrict x1, "
        "__global float* restrict x1_in_conv_sum) {\n"
        "  const int block0 = get_group_id(0);\n"
        "  const int a_0 = block0 % 3;\n"
        "  const int a_1 = block0 / 72;\n"
        "  const int a_2 = (block0 / 9) & 7;\n"
        "  const int a_3 = block0 / 3 % 3;\n"
        "  const int a_4 = a_1 * 288 + a_2 * 9 + a_3 * 3 + a_0;\n"
        "  *(__global float4*)(x1_in_conv_sum + (a_3 * 192 + a_0 * 64 + a_2 * 8 + a_1 * 4)) = "
        "(float4)(x1[a_4], x1[a_4 + 72], x1[a_4 + 144], x1[a_4 + 216]);\n"
        "}\n");
  CHECK(kernels[1].text.find("*(__global const float4*)(x1_in_conv_sum + ") != std::string::npos);
}

TEST_CASE(
    "copied weights: not where vectors are read of them as they lie, each is read once, or they are both "
    "factors") {
  OnnxModel along;
  along.input("x", {64, 256}).input("w", {256, 64}).node("MatMul", {"x", "w"}, {"y"}).output("y");
  OnnxModel constant;
  constant.input("x", {64, 256}).floats("w", {64, 256}, std::vector<float>(16384, 0.5F));
  constant.node("Gemm", {"x", "w"}, {"y"}, {attribute("transB", 1)}).output("y");
  for (const Target& target : {cpu(), sharing_gpu(), mobile()}) {
    CHECK_FALSE(has_copy(along, target));
    CHECK_FALSE(has_copy(constant, target));
    CHECK_FALSE(has_copy(product(1, 64, 64), target));
    CHECK_FALSE(has_copy(product_with_itself(256, 256), target));
  }
}

TEST_CASE("copied weights: where what is saved is more than the copy and its launch take") {
  const StridedWeights weights{1, 0, 1024, 1};
  Target target = cpu();
  target.work_per_group = 1000;
  target.parallel_items = 2;
  // 64 vectors of 16: 960 operations for each read that is saved, 1,088 for the copy, 2,000 for the launch.
  CHECK_FALSE(does_copy_pay(weights, 3, 16, target));
  CHECK(does_copy_pay(weights, 4, 16, target));
  CHECK_FALSE(does_copy_pay(weights, 1000, 1, target));  // no vectors
}

TEST_CASE("copied weights: each batch has its own, and reads no other's") {
  CHECK(has_copy(batched_product(8, 128, 64, 128), cpu()));
  // 64 batches of 4 rows are 64 times as many products, and read each of the weights no more often.
  CHECK_FALSE(has_copy(batched_product(1, 4, 64, 128), cpu()));
  CHECK_FALSE(has_copy(batched_product(64, 4, 64, 128), cpu()));
}

TEST_CASE("copied weights: on every kind of device") {
  const OnnxModel large = convolution({1, 64, 64, 64}, {64, 64, 3, 3});
  for (const Target& target : {cpu(), sharing_gpu(), mobile()}) CHECK(has_copy(large, target));
  CHECK(choose_schedule(group_of(large), sharing_gpu()).strategy->name == std::string("staged_product"));
}

TEST_CASE("copied weights: at any point, of sizes that no tile divides, a sum is what its definition says") {
  std::vector<std::pair<const char*, OnnxModel>> models;
  models.emplace_back("a convolution", convolution({2, 5, 7, 9}, {19, 5, 3, 3}));
  models.emplace_back("a convolution of whole tiles", convolution({1, 8, 6, 8}, {32, 8, 3, 3}));
  models.emplace_back("a convolution in groups", convolution({1, 8, 5, 7}, {16, 4, 3, 3}, 2));
  models.emplace_back("a depthwise convolution", convolution({1, 18, 5, 7}, {18, 1, 3, 3}, 18));
  models.emplace_back("a transposed convolution", transposed_convolution());
  models.emplace_back("a product", product(9, 13, 35));
  models.emplace_back("a product of whole tiles", product(16, 32, 64));
  models.emplace_back("products of batches", batched_product(3, 9, 13, 35));
  models.emplace_back("products of batches, of whole tiles", batched_product(2, 16, 32, 64));
  models.emplace_back("a product of a matrix with itself", product_with_itself(36, 16));
  std::mt19937 random(7);
  for (Target target : {cpu(), sharing_gpu(), mobile()}) {
    target.work_per_group = 0;
    for (const auto& [name, model] : models) {
      CAPTURE(name);
      for (int round = 0; round < 4; ++round) {
        StoredGroup group = group_of(model);
        GroupSchedule chosen = choose_schedule(group, target);
        for (const Knob& knob : chosen.strategy->space(group, target).knobs) {
          if (round > 0 && random() % 3 == 0)
            chosen.point.set(knob.name, knob.values[random() % knob.values.size()]);
        }
        CAPTURE(to_string(chosen.point));
        try {
          apply_schedule(group, chosen, target);
          check_values(group);
        } catch (const ScheduleError&) {
          CHECK(round > 0);
        }
      }
    }
  }
}
