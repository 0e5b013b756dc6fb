// Tests the numbers of loops that directives make.
#include "outline/scheduled_loops.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

namespace tensordsl::outline {
namespace {

using predict::Runs;
using schedule::StageSchedule;

/// A stage over y of 10 and x of 24, with those directives.
StageSchedule stage_with(std::vector<schedule::Transform> transforms, std::vector<schedule::Axis> axes) {
  StageSchedule stage;
  stage.transforms = std::move(transforms);
  stage.axes = std::move(axes);
  return stage;
}

schedule::Transform split(const char* axis, const char* outer, const char* inner, int factor,
                          Tail tail = Tail::Guard) {
  schedule::Transform transform;
  transform.split = schedule::Split{axis, outer, inner, factor, tail};
  return transform;
}

schedule::Transform fuse(const char* outer, const char* inner, const char* fused) {
  schedule::Transform transform;
  transform.fuse = schedule::Fuse{outer, inner, fused};
  return transform;
}

/// "xo: v1 3*8, xi: v1 8*1": each loop with its variable, its iterations and its step.
std::string loops_of(const StageSchedule& stage) {
  const std::map<std::string, RootAxis> roots{{"y", {{0, Runs::Serial, 10, 1}}},
                                              {"x", {{1, Runs::Serial, 24, 1}}}};
  std::string text;
  for (const NamedLoop& loop : scheduled_loops(stage, roots)) {
    text += fmt::format("{}{}: v{} {}*{}", text.empty() ? "" : ", ", loop.axis, loop.loop.variable,
                        loop.loop.extent, loop.loop.step);
  }
  return text;
}

}  // namespace

TEST_CASE("scheduled loops: without directives a loop is an axis") {
  CHECK(loops_of(stage_with({}, {{"y"}, {"x"}})) == "y: v0 10*1, x: v1 24*1");
}

TEST_CASE("scheduled loops: a split rounds the iterations of its outer loop up") {
  CHECK(loops_of(stage_with({split("x", "xo", "xi", 8)}, {{"xo"}, {"xi"}})) == "xo: v1 3*8, xi: v1 8*1");
  CHECK(loops_of(stage_with({split("y", "yo", "yi", 4)}, {{"yo"}, {"yi"}})) == "yo: v0 3*4, yi: v0 4*1");
}

TEST_CASE("scheduled loops: work-items beyond the end of an axis are there, and skip it behind a guard") {
  const StageSchedule stage =
      stage_with({split("y", "yo", "yi", 16)}, {{"yo"}, {"yi", ir::LoopKind::Thread0}});
  const auto loops = scheduled_loops(stage, {{"y", {{0, Runs::Serial, 10, 1}}}});
  CHECK(loops.back().loop.extent == 16);
  CHECK(loops.back().loop.active == 10);
}

TEST_CASE("scheduled loops: copies are tested where a guarded split may reach past the end") {
  const auto tested = [](int factor, Tail tail, bool is_open) {
    const StageSchedule stage =
        stage_with({split("x", "xo", "xi", factor, tail)}, {{"xo"}, {"xi", ir::LoopKind::Unrolled}});
    predict::NestLoop x{1, Runs::Serial, 24, 1};
    x.is_open = is_open;
    return tested_copies(scheduled_loops(stage, {{"x", {x}}}));
  };
  CHECK(tested(5, Tail::Guard, false) == 5);
  CHECK(tested(4, Tail::Guard, false) == 1);
  CHECK(tested(4, Tail::Guard, true) == 4);
  CHECK(tested(5, Tail::ShiftInwards, false) == 1);
}

TEST_CASE("scheduled loops: a serial loop ends where the axis does") {
  const StageSchedule stage = stage_with({split("y", "yo", "yi", 16)}, {{"yo"}, {"yi"}});
  CHECK(scheduled_loops(stage, {{"y", {{0, Runs::Serial, 10, 1}}}}).back().loop.extent == 10);
}

TEST_CASE("scheduled loops: a fused axis has the loops of both, and a split of it cuts the inner one first") {
  CHECK(loops_of(stage_with({fuse("y", "x", "f")}, {{"f"}})) == "f: v0 10*1, f: v1 24*1");
  CHECK(loops_of(stage_with({fuse("y", "x", "f"), split("f", "fo", "fi", 8)}, {{"fo"}, {"fi"}})) ==
        "fo: v0 10*1, fo: v1 3*8, fi: v1 8*1");
  CHECK(loops_of(stage_with({fuse("y", "x", "f"), split("f", "fo", "fi", 48)}, {{"fo"}, {"fi"}})) ==
        "fo: v0 5*2, fi: v0 2*1, fi: v1 24*1");
}

TEST_CASE("scheduled loops: fused axes that a split does not divide keep their number of iterations") {
  const auto loops =
      scheduled_loops(stage_with({fuse("y", "x", "f"), split("f", "fo", "fi", 64)}, {{"fo"}, {"fi"}}),
                      {{"y", {{0, Runs::Serial, 10, 1}}}, {"x", {{1, Runs::Serial, 24, 1}}}});
  double outer = 1, inner = 1;
  for (const NamedLoop& loop : loops) (loop.axis == "fo" ? outer : inner) *= loop.loop.extent;
  CHECK(outer == doctest::Approx(4));  // 240 iterations, 64 at a time
  CHECK(inner == doctest::Approx(64));
}

}  // namespace tensordsl::outline
