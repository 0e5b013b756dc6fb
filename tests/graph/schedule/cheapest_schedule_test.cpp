// Tests the choice of configurations by their price.
#include "graph/schedule/cheapest_schedule.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "graph/compile_graph.h"
#include "graph/schedule/choose_images.h"
#include "graph/schedule/choose_schedules.h"
#include "graph/schedule/schedule_group.h"
#include "schedules/support/target_of_profile.h"
#include "support/definitions.h"
#include "tensordsl/hw_profile.h"

using namespace tensordsl;
using namespace tensordsl::definitions;
using namespace tensordsl::graph;
using testing::attribute;
using testing::definitions_of;
using testing::Ints;
using testing::OnnxModel;

namespace {

/// A convolution of windows between images, twice, and one of pixels.
OnnxModel convolutions(std::int64_t channels, std::int64_t size) {
  const auto ones = [](std::int64_t count) {
    return std::vector<float>(static_cast<std::size_t>(count), 1.0F);
  };
  OnnxModel model;
  model.input("x", {1, channels, size, size});
  model.floats("w", {channels, channels, 3, 3}, ones(channels * channels * 9));
  model.floats("v", {channels, channels, 1, 1}, ones(channels * channels));
  std::string last = "x";
  for (const char* name : {"a", "b", "c"}) {
    model.node("Conv", {last, "w"}, {name}, {attribute("pads", Ints{1, 1, 1, 1})});
    last = name;
  }
  return model.node("Conv", {last, "v"}, {"y"}).output("y");
}

CompileOptions options_of(const std::string& profile, bool prices = true) {
  CompileOptions options;
  const HwProfile figures = load_hw_profile(profile);
  options.target = schedules::target_of(figures);
  if (prices) options.profile = figures;
  return options;
}

/// "tiled_reduction pixels=3 ..", a line for each group.
std::string schedules_of(const OnnxModel& model, const CompileOptions& options) {
  std::string all;
  for (const ScheduledGroup& group : compile_in_full(definitions_of(model), options).scheduled)
    all += fmt::format("{} {}\n", group.schedule.strategy->name, schedules::to_string(group.schedule.point));
  return all;
}

/// Prices the groups of a compiled graph, each with Funcs of its own.
class GroupPrices {
 public:
  GroupPrices(const graph::Graph& graph, const std::string& profile)
      : graph_(graph), funcs_(graph.definitions), device_(predict::figures_of(load_hw_profile(profile))) {}

  predict::DeviceFigures& device() { return device_; }
  std::int64_t most_local_bytes = 32 << 10;

  std::optional<double> of(std::size_t place, const GroupSchedule& schedule, int times = 1) const {
    StoredGroup group = group_at(place);
    SchedulePricer pricer = pricer_of(group, place);
    for (int i = 1; i < times; ++i) pricer.price_of(schedule);
    const std::optional<SchedulePrice> price = pricer.price_of(schedule);
    return price ? std::optional(price->us) : std::nullopt;
  }

  bool is_too_large(std::size_t place, const GroupSchedule& schedule) const {
    StoredGroup group = group_at(place);
    SchedulePricer pricer = pricer_of(group, place);
    pricer.price_of(schedule);
    return pricer.is_too_large();
  }

  StoredGroup group_at(std::size_t place) const {
    return prepared_group(graph_, funcs_, place, Precision::Float32, graph_.scheduled[place].target);
  }

 private:
  SchedulePricer pricer_of(StoredGroup& group, std::size_t place) const {
    return {group, graph_.scheduled[place].target, device_, most_local_bytes,
            [&](StoredGroup& own, const GroupSchedule& other) {
              store_constants_as_wanted(own, other);
              store_constants_in_images(graph_, own, other);
            }};
  }

  const graph::Graph& graph_;
  TensorFuncs funcs_;
  predict::DeviceFigures device_;
};

}  // namespace

TEST_CASE("cheapest schedule: a GPU's profile changes tiles, and a CPU's does not") {
  const OnnxModel model = convolutions(64, 56);
  CHECK(schedules_of(model, options_of("adreno640")) != schedules_of(model, options_of("adreno640", false)));
  CHECK(schedules_of(model, options_of("pocl_cpu_avx512")) ==
        schedules_of(model, options_of("pocl_cpu_avx512", false)));
}

TEST_CASE("cheapest schedule: the same with one thread and with four") {
  const OnnxModel model = convolutions(32, 14);
  CompileOptions one = options_of("mali_g76"), four = one;
  one.threads = 1;
  four.threads = 4;
  CHECK(schedules_of(model, one) == schedules_of(model, four));
}

TEST_CASE("cheapest schedule: never dearer than the default, on any device and at odd sizes") {
  for (const char* profile : {"adreno630", "adreno640", "mali_g76", "mali_t860", "nvidia_h100"}) {
    for (const std::int64_t size : {1, 3, 7, 17, 56}) {
      CAPTURE(profile);
      CAPTURE(size);
      const OnnxModel model = convolutions(16, size);
      const graph::Graph priced = compile_in_full(definitions_of(model), options_of(profile));
      const graph::Graph plain = compile_in_full(definitions_of(model), options_of(profile, false));
      const GroupPrices prices(priced, profile);
      REQUIRE(priced.scheduled.size() == plain.scheduled.size());
      for (std::size_t i = 0; i < priced.scheduled.size(); ++i) {
        const auto of_default = prices.of(i, plain.scheduled[i].schedule);
        const auto price = prices.of(i, priced.scheduled[i].schedule);
        if (of_default) CHECK(price.value_or(INFINITY) <= *of_default);
      }
    }
  }
}

TEST_CASE("cheapest schedule: no step of one knob is cheaper by more than two percent") {
  for (const char* profile : {"adreno640", "mali_g76", "nvidia_h100"}) {
    const graph::Graph graph = compile_in_full(definitions_of(convolutions(16, 17)), options_of(profile));
    const GroupPrices prices(graph, profile);
    for (std::size_t i = 0; i < graph.scheduled.size(); ++i) {
      const auto& [strategy, point] = graph.scheduled[i].schedule;
      const StoredGroup group = prices.group_at(i);
      const Target& target = graph.scheduled[i].target;
      const std::optional<double> price = prices.of(i, {strategy, point});
      REQUIRE(price);
      REQUIRE((strategy->outlines != nullptr));
      const schedules::PointOutlines outlines = strategy->outlines(group, target);
      for (const schedules::Knob& knob : strategy->space(group, target).knobs) {
        for (const int value : knob.values) {
          schedules::Point other = point;
          other.set(knob.name, value);
          CAPTURE(schedules::to_string(other));
          if (outlines(other)) CHECK(prices.of(i, {strategy, other}).value_or(INFINITY) * 1.02 >= *price);
        }
      }
    }
  }
}

TEST_CASE("price: it leaves the group as it was, so a second one is the same") {
  const graph::Graph compiled =
      compile_in_full(definitions_of(convolutions(32, 28)), options_of("adreno640"));
  const GroupPrices prices(compiled, "adreno640");
  for (std::size_t i = 0; i < compiled.scheduled.size(); ++i) {
    const auto once = prices.of(i, compiled.scheduled[i].schedule);
    REQUIRE(once);
    CHECK(once == prices.of(i, compiled.scheduled[i].schedule, 3));
  }
}

TEST_CASE("price: none for a schedule that needs more registers than a work-item has") {
  const graph::Graph compiled =
      compile_in_full(definitions_of(convolutions(32, 28)), options_of("adreno640"));
  GroupPrices prices(compiled, "adreno640");
  prices.device().registers_per_item = 8;
  CHECK(!prices.of(0, compiled.scheduled[0].schedule));
}

TEST_CASE("price: none for what needs no less than a configuration that is too large") {
  std::mt19937 random(1);
  for (const char* profile : {"adreno640", "mali_g76"}) {
    const graph::Graph compiled = compile_in_full(definitions_of(convolutions(32, 28)), options_of(profile));
    const GroupPrices prices(compiled, profile);
    int refused = 0;
    for (std::size_t place = 0; place < compiled.scheduled.size(); ++place) {
      const GroupSchedule& chosen = compiled.scheduled[place].schedule;
      const StoredGroup group = prices.group_at(place);
      const schedules::Space space = chosen.strategy->space(group, compiled.scheduled[place].target);
      std::vector<std::vector<int>> too_large;
      for (int i = 0; i < 60; ++i) {
        GroupSchedule schedule = chosen;
        std::vector<int> values;
        for (const schedules::Knob& knob : space.knobs) {
          if (knob.needs != schedules::Knob::Needs::Any)
            schedule.point.set(knob.name, knob.values[random() % knob.values.size()]);
          values.push_back(schedule.point[knob.name]);
        }
        const bool needs_no_less = std::ranges::any_of(too_large, [&](const std::vector<int>& others) {
          return schedules::needs_no_less(space.knobs, values, others);
        });
        CAPTURE(schedules::to_string(schedule.point));
        if (needs_no_less) CHECK(!prices.of(place, schedule));
        refused += needs_no_less ? 1 : 0;
        if (prices.is_too_large(place, schedule)) too_large.push_back(values);
      }
    }
    CHECK(refused > 20);
  }
}

TEST_CASE("price: none for a schedule that needs more local memory than the device has") {
  // A mean of 40 channels: its work-items exchange their sums.
  OnnxModel model;
  model.input("x", {1, 40, 32, 32}).node("GlobalAveragePool", {"x"}, {"y"}).output("y");
  const graph::Graph compiled = compile_in_full(definitions_of(model), options_of("nvidia_h100"));
  GroupPrices prices(compiled, "nvidia_h100");
  const GroupSchedule& schedule = compiled.scheduled[0].schedule;
  REQUIRE(schedule.strategy->name == "row_reduction");
  CHECK(prices.of(0, schedule));
  prices.most_local_bytes = 4;
  CHECK(!prices.of(0, schedule));
}

TEST_CASE("cheapest schedule: switches that pay only together are found") {
  // On Mali a texture unit reads texel by texel: weights go to buffers, and neighbors read the same ones.
  const std::string chosen = schedules_of(convolutions(64, 56), options_of("mali_g76"));
  CAPTURE(chosen);
  CHECK(chosen.find("weights=0") != std::string::npos);
  CHECK(chosen.find("pixels_fastest=1") != std::string::npos);
}

TEST_CASE("cheapest schedule: a tile that rates of the unit chose stays") {
  OnnxModel model;
  model.input("x", {128, 256}).floats("w", {256, 512}, std::vector<float>(256 * 512, 1.0F));
  model.node("MatMul", {"x", "w"}, {"y"}).output("y");
  const std::string chosen = schedules_of(model, options_of("nvidia_h100"));
  CHECK(chosen.starts_with("staged_product "));
  CHECK(chosen == schedules_of(model, options_of("nvidia_h100", false)));
}

TEST_CASE("cheapest schedule: attention keeps its tile, though another has a lower price") {
  OnnxModel model;
  model.input("q", {12, 197, 64}).input("k", {12, 64, 197}).input("v", {12, 197, 64});
  model.node("MatMul", {"q", "k"}, {"s"}).node("Softmax", {"s"}, {"w"}).node("MatMul", {"w", "v"}, {"y"});
  model.output("y");
  const std::string chosen = schedules_of(model, options_of("nvidia_h100"));
  CHECK(chosen.starts_with("attention "));
  CHECK(chosen == schedules_of(model, options_of("nvidia_h100", false)));
  const graph::Graph graph = compile_in_full(definitions_of(model), options_of("nvidia_h100"));
  const GroupPrices prices(graph, "nvidia_h100");
  GroupSchedule wider = graph.scheduled[0].schedule;
  wider.point.set("tile", 16);
  CHECK(prices.of(0, wider).value() * 1.02 < prices.of(0, graph.scheduled[0].schedule).value());
}

TEST_CASE("cheapest schedule: no more kernels than the default makes, where launches are not measured") {
  // Attention of few queries is dear in one kernel, whose work-groups leave most units idle.
  OnnxModel model;
  model.input("q", {2, 2, 6}).input("k", {2, 6, 3001}).input("v", {2, 3001, 24});
  model.node("MatMul", {"q", "k"}, {"s"}).node("Softmax", {"s"}, {"w"}).node("MatMul", {"w", "v"}, {"y"});
  model.output("y");
  const auto kernels = [&](std::optional<Measurement> launch) {
    CompileOptions options = options_of("adreno640");
    options.profile->launch_us = launch;
    return compile_in_full(definitions_of(model), options).program.kernels.size();
  };
  CHECK(kernels({}) == 1);
  CHECK(kernels(Measurement{1e-3}) > 1);
}
