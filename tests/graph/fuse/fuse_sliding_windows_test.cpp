// Tests which sums are fused with the windows that slide over them.
#include "graph/fuse/fuse_sliding_windows.h"

#include <doctest/doctest.h>

#include "graph/planned_model.h"
#include "graph/winograd/use_winograd.h"
#include "schedules/support/target_of_profile.h"
#include "support/after_pass.h"
#include "support/convolutions.h"

using namespace tensordsl;
using namespace tensordsl::definitions;
using namespace tensordsl::graph;
using tensordsl::testing::in_winograd_domain;
using tensordsl::testing::with_sliding_windows;
using testing::attribute;
using testing::Ints;
using testing::OnnxModel;
using testing::PlannedModel;
using testing::SmallConvolution;

namespace {

/// A target with a thread for each group, and caches of that many bytes.
Target cpu(std::int64_t cache_bytes = 16 << 10) {
  Target target = schedules::target_of(load_hw_profile("pocl_cpu_avx512"));
  target.compute_units = 1;
  target.unit_cache_bytes = cache_bytes;
  return target;
}

std::string labels(const std::vector<FusedGroup>& groups) {
  std::string all;
  for (const FusedGroup& group : groups) all += (all.empty() ? "" : "; ") + group.label;
  return all;
}

/// "Conv+Relu+Conv", the groups.
std::string slid(const OnnxModel& model, const Target& target = cpu(), const Fallbacks& fallbacks = {}) {
  const PlannedModel plan(model, /*for_cpu=*/true);
  return labels(with_sliding_windows(plan.graph, plan.groups, plan.storage, target, fallbacks));
}

const SmallConvolution kPointwise{
    .inputs = 8, .outputs = 16, .rows = 20, .columns = 20, .kernel = {1, 1}, .pads = {0, 0, 0, 0}};
const SmallConvolution kDepthwise{.inputs = 16, .outputs = 16, .rows = 20, .columns = 20, .groups = 16};

/// d(relu(c(x)))
OnnxModel two_convolutions(const SmallConvolution& c = kPointwise, const SmallConvolution& d = kDepthwise) {
  OnnxModel model;
  model.input("x", c.input_shape());
  c.append(model, "x", "c", "wc");
  model.node("Relu", {"c"}, {"r"});
  d.append(model, "r", "d", "wd");
  return model.output("d");
}

OnnxModel pooled(const char* pool) {
  OnnxModel model;
  model.input("x", kPointwise.input_shape());
  kPointwise.append(model, "x", "c", "wc");
  model.node("Relu", {"c"}, {"r"});
  model.node(pool, {"r"}, {"d"},
             {attribute("kernel_shape", Ints{3, 3}), attribute("strides", Ints{2, 2}),
              attribute("pads", Ints{1, 1, 1, 1})});
  return model.output("d");
}

}  // namespace

TEST_CASE("sliding windows: a convolution and the depthwise convolution or pool behind it are one group") {
  CHECK(slid(two_convolutions()) == "Conv+Relu+Conv");
  CHECK(slid(pooled("MaxPool")) == "Conv+Relu+MaxPool");
  CHECK(slid(pooled("AveragePool")) == "Conv+Relu+AveragePool");
  SmallConvolution tall = kPointwise;
  tall.kernel = {3, 1};
  tall.pads = {1, 0, 1, 0};
  CHECK(slid(two_convolutions(tall)) == "Conv+Relu+Conv");
}

TEST_CASE("sliding windows: the group has both sums, and what is between them is not stored") {
  const OnnxModel model = two_convolutions();
  const PlannedModel plan(model, /*for_cpu=*/true);
  const std::vector<FusedGroup> groups = with_sliding_windows(plan.graph, plan.groups, plan.storage, cpu());
  REQUIRE(groups.size() == 1);
  CHECK(groups[0].anchors.size() == 2);
  CHECK(groups[0].stored_tensors == std::vector<std::size_t>{plan.tensor("d").value()});
  CHECK(groups[0].tensors.size() == 3);
}

TEST_CASE("sliding windows: what others read, or the host, is stored") {
  OnnxModel output = two_convolutions();
  CHECK(slid(output.output("r")) == "Conv+Relu; Conv");
  OnnxModel shared = two_convolutions();
  CHECK(slid(shared.node("Neg", {"r"}, {"n"}).output("n")) == "Conv+Relu; Conv; Neg");
  OnnxModel beside = two_convolutions();
  CHECK(slid(beside.node("Add", {"d", "r"}, {"s"}).output("s")) == "Conv+Relu; Conv; Add");
}

TEST_CASE("sliding windows: what a core's caches hold is stored, and rows that bands share are few") {
  CHECK(slid(two_convolutions(), cpu(1 << 20)) == "Conv+Relu; Conv");
  Target many = cpu();
  many.compute_units = 5;  // 20 bands of one row
  CHECK(slid(two_convolutions(), many) == "Conv+Relu+Conv");
  SmallConvolution costly = kPointwise;
  costly.inputs = 16;
  CHECK(slid(two_convolutions(costly), many) == "Conv+Relu; Conv");
  CHECK(slid(two_convolutions(), cpu(100)) == "Conv+Relu; Conv");  // three rows are too much
}

TEST_CASE("sliding windows: work-items that share a kernel, open sizes and other windows stay apart") {
  Target gpu = cpu();
  gpu.group_items = 64;
  CHECK(slid(two_convolutions(), gpu) == "Conv+Relu; Conv");
  OnnxModel open = two_convolutions();
  CHECK(slid(open.name_dim(0, 2, "rows")) == "Conv+Relu; Conv");
  SmallConvolution full = kDepthwise;
  full.groups = 1;
  CHECK(slid(two_convolutions(kPointwise, full)) == "Conv+Relu; Conv");
  for (const Refusal kind : {Refusal::Together, Refusal::Sliding}) {
    Fallbacks fallbacks;
    fallbacks.refuse(kind, {"r"});
    CHECK(slid(two_convolutions(), cpu(), fallbacks) == "Conv+Relu; Conv");
  }
}

TEST_CASE("sliding windows: a Winograd convolution stays so") {
  const SmallConvolution wide{.inputs = 32, .outputs = 64, .rows = 20, .columns = 20, .batch = 4};
  const SmallConvolution depthwise{.inputs = 64, .outputs = 64, .rows = 20, .columns = 20, .groups = 64};
  PlannedModel plan(two_convolutions(wide, depthwise), /*for_cpu=*/true);
  const auto changed = in_winograd_domain(plan.graph, plan.groups, plan.storage, cpu(1 << 20), {});
  REQUIRE(changed.size() == 1);
  CHECK(labels(with_sliding_windows(plan.graph, plan.groups, plan.storage, cpu(64 << 10))) ==
        "Conv+Relu; Conv");
  CHECK(slid(two_convolutions(wide, depthwise), cpu(64 << 10)) == "Conv+Relu+Conv");
}

TEST_CASE(
    "sliding windows: what else moves between the two keeps them apart, if windows do not run forward with "
    "it") {
  const auto between = [](const char* op, const std::vector<::onnx::AttributeProto>& attributes) {
    OnnxModel model;
    model.input("x", kPointwise.input_shape());
    kPointwise.append(model, "x", "c", "wc");
    model.node(op, {"c"}, {"r"}, attributes);
    kDepthwise.append(model, "r", "d", "wd");
    return model.output("d");
  };
  CHECK(slid(between("Transpose", {attribute("perm", Ints{0, 1, 3, 2})})).find("Conv+") == std::string::npos);
  OnnxModel flipped;
  flipped.input("x", kPointwise.input_shape());
  kPointwise.append(flipped, "x", "c", "wc");
  flipped.ints("from", {1}, {-1}).ints("to", {1}, {-1000}).ints("axis", {1}, {2}).ints("step", {1}, {-1});
  flipped.node("Slice", {"c", "from", "to", "axis", "step"}, {"r"});
  kDepthwise.append(flipped, "r", "d", "wd");
  CHECK(slid(flipped.output("d")).find("Conv+Slice+Conv") == std::string::npos);
}
