// Strategies for stencils, which pipelines that users write have: every configuration computes the
// definitions.
#include <doctest/doctest.h>

#include <random>

#include "schedules/pointwise/tiled_producers.h"
#include "schedules/strategies.h"
#include "schedules/support/target_of_profile.h"
#include "schedules/window/stencil_rows.h"
#include "tensordsl/error.h"
#include "tensordsl/tensordsl.h"
#include "tune/pipeline/isolated_group.h"

namespace tensordsl::tune {
namespace {

using definitions::StoredGroup;

struct Size {
  int planes = 1, rows = 1, columns = 1;
};

/// Blurs each plane along its rows, then adds and subtracts neighboring rows; the last stage mixes planes.
Func stencil(const Size& size) {
  const Var c("c"), y("y"), x("x");
  const Input in("in", Float(32), {size.planes, size.rows + 2, size.columns + 2});
  Func across("across"), down("down"), out("out");
  across(c, y, x) = in(c, y, x) + 2.0F * in(c, y, x + 1) + in(c, y, x + 2);
  down(c, y, x) = across(c, y, x) + across(c, y + 1, x) - across(c, y + 2, x);
  out(c, y, x) = down(c, y, x) + down(size.planes - 1 - c, y, x) * 0.5F;
  out.bound({size.planes, size.rows, size.columns});
  return out;
}

Buffer picture(const Size& size) {
  Buffer data(Float(32), {size.planes, size.rows + 2, size.columns + 2});
  for (std::int64_t i = 0; i < data.elements(); ++i) data.set(i, static_cast<double>(i * 7 % 23) - 11);
  return data;
}

/// The output's group with all that it reads computed there.
StoredGroup group_of(const Size& size, Place place) {
  const PipelineCopy pipeline = copy_pipeline({stencil(size)});
  const std::map<std::string, std::vector<Expr>> extents{{"out", {size.planes, size.rows, size.columns}}};
  const Places places{{"across", place}, {"down", place}};
  return isolate(pipeline, boxes_of(pipeline, extents), places, pipeline.outputs[0]).group;
}

/// False for a configuration that the directives refuse.
bool is_right_if_it_fits(const Size& size, Place place, const schedules::Strategy& strategy,
                         const schedules::Point& point, const Target& target) {
  const StoredGroup group = group_of(size, place);
  Func out = group.outputs[0];
  out.bound({size.planes, size.rows, size.columns});
  try {
    strategy.apply(group, point, target);
    const Pipeline pipeline(group.outputs);
    const std::map<std::string, Buffer> inputs{{"in", picture(size)}};
    const Buffer found = pipeline.simulate(inputs)[0],
                 expected = Pipeline(stencil(size)).interpret(inputs)[0];
    REQUIRE(found.elements() == expected.elements());
    for (std::int64_t i = 0; i < found.elements(); ++i) REQUIRE(found.get(i) == expected.get(i));
    return true;
  } catch (const ScheduleError&) {
    return false;
  }
}

void check_points(const schedules::Strategy& strategy, Place place) {
  std::mt19937 random(5);
  int accepted = 0;
  for (const char* profile : {"pocl_cpu_avx512", "nvidia_h100", "adreno640"}) {
    const Target target = schedules::target_of(load_hw_profile(profile));
    for (const Size& size :
         {Size{3, 17, 23}, Size{1, 1, 40}, Size{2, 40, 1}, Size{5, 7, 64}, Size{3, 16, 32}}) {
      if (!strategy.applies(group_of(size, place), target)) continue;
      const schedules::Space space = strategy.space(group_of(size, place), target);
      for (int round = 0; round < 8; ++round) {
        schedules::Point point = space.first;
        for (const schedules::Knob& knob : space.knobs) {
          if (round > 0) point.set(knob.name, knob.values[random() % knob.values.size()]);
        }
        CAPTURE(std::string(profile));
        CAPTURE(size.rows);
        CAPTURE(size.columns);
        CAPTURE(to_string(point));
        const bool fits = is_right_if_it_fits(size, place, strategy, point, target);
        CHECK((fits || round > 0));
        accepted += fits ? 1 : 0;
      }
    }
  }
  CHECK(accepted > 40);
}

}  // namespace

TEST_CASE("stencil rows: any point computes what is defined, of any size") {
  check_points(schedules::stencil_rows(), Place::Inline);
}

TEST_CASE("tiled producers: any point computes what is defined, of any size") {
  check_points(schedules::tiled_producers(), Place::Tile);
}

TEST_CASE("tiled producers: where only some tiles need all planes, the first point is not refused") {
  const Target target = schedules::target_of(load_hw_profile("nvidia_h100"));
  const Var a("a"), b("b"), y("y"), x("x");
  const Input in("in", Float(32), {2, 5, 3, 2});
  const Func edges = BoundaryConditions::repeat_edge(in, {2, 5, 3, 2});
  Func near("near"), out("out");
  near(a, b, y, x) = edges(a, b - 1, y, x) + edges(a, b + 1, y, x);
  out(a, b, y, x) = near(a, b - 1, y, x) - near(a, b + 2, y, x);
  out.bound({2, 5, 3, 2});
  const PipelineCopy pipeline = copy_pipeline({out});
  Places places;
  for (const Func& func : pipeline.funcs) {
    if (!func.is_input() && func.name() != "out") places.emplace(func.name(), Place::Tile);
  }
  const StoredGroup group =
      isolate(pipeline, boxes_of(pipeline, {{"out", {2, 5, 3, 2}}}), places, pipeline.outputs[0]).group;
  const schedules::Strategy strategy = schedules::tiled_producers();
  Func scheduled = group.outputs[0];
  scheduled.bound({2, 5, 3, 2});
  strategy.apply(group, strategy.space(group, target).first, target);
  Buffer data(Float(32), {2, 5, 3, 2});
  for (std::int64_t i = 0; i < data.elements(); ++i) data.set(i, static_cast<double>(i * 7 % 23) - 11);
  const Buffer found = Pipeline(group.outputs).simulate({{"in", data}})[0],
               expected = Pipeline(out).interpret({{"in", data}})[0];
  for (std::int64_t i = 0; i < found.elements(); ++i) CHECK(found.get(i) == expected.get(i));
}

TEST_CASE(
    "stencil rows: applies where neighboring rows are read, be it in what is inlined, and not elsewhere") {
  const Target target = schedules::target_of(load_hw_profile("nvidia_h100"));
  const Var y("y"), x("x");
  const auto applies = [&](const Func& out) {
    const PipelineCopy pipeline = copy_pipeline({out});
    Places places;
    for (const Func& func : pipeline.funcs) {
      if (!func.is_input() && func.name() != "out") places.emplace(func.name(), Place::Inline);
    }
    const StoredGroup group =
        isolate(pipeline, boxes_of(pipeline, {{"out", {8, 8}}}), places, pipeline.outputs[0]).group;
    return schedules::stencil_rows().applies(group, target);
  };
  const Input in("in", Float(32), {9, 9});
  Func rows("out"), columns("out"), inner("inner"), outer("out"), pointwise("out"), halved("out");
  rows(y, x) = in(y, x) + in(y + 1, x);
  columns(y, x) = in(y, x) + in(y, x + 1);
  inner(y, x) = in(y, x) - in(y + 1, x);
  outer(y, x) = inner(y, x) + inner(y, x + 1);
  pointwise(y, x) = in(y, x) * in(y, x);
  halved(y, x) = in(y, x) + in(0, x);
  CHECK(applies(rows));
  CHECK(!applies(columns));
  CHECK(applies(outer));
  CHECK(!applies(pointwise));
  CHECK(!applies(halved));
}

}  // namespace tensordsl::tune
