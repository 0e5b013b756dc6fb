// Tiles of Winograd's algorithm, and of sums that windows slide over.
#include "schedules/winograd/choose_winograd_tile.h"

#include <doctest/doctest.h>

#include "schedules/support/target_of_profile.h"
#include "schedules/window/choose_sliding_tile.h"

using namespace tensordsl;
using namespace tensordsl::schedules;

namespace {

/// f32x16, one work-item to a group.
Target cpu() { return target_of(load_hw_profile("pocl_cpu_avx512")); }

/// Returns the tile for a convolution of that size; nullopt if the direct way is chosen.
std::optional<definitions::WinogradTile> tile_of(const WinogradProblem& problem, const Target& target) {
  const std::vector<WinogradChoice> choices = winograd_choices(problem, target);
  if (choices.empty()) return std::nullopt;
  return choices.front().tile;
}

}  // namespace

TEST_CASE("winograd tiles: large ones for large pictures, none for few channels or small pictures") {
  CHECK(tile_of({56, 56, 64, 64}, cpu())->size == 4);
  CHECK(tile_of({14, 14, 256, 256}, cpu())->size == 2);
  CHECK_FALSE(tile_of({7, 7, 512, 512}, cpu()));
  CHECK_FALSE(tile_of({224, 224, 3, 64}, cpu()));
}

TEST_CASE("winograd tiles: the slower the caches are, the less is saved, and then nothing") {
  for (const WinogradProblem& problem :
       {WinogradProblem{56, 56, 64, 64}, WinogradProblem{112, 112, 128, 128}}) {
    Target slow = cpu();
    slow.unit.cache_bytes /= 3;
    slow.unit.shared_bytes /= 3;
    const auto before = winograd_choices(problem, cpu()), after = winograd_choices(problem, slow);
    REQUIRE(!before.empty());
    REQUIRE(!after.empty());
    CHECK(after.front().saved < before.front().saved);
    // So slow that the transforms take longer than what they save.
    slow.unit.cache_bytes /= 10;
    slow.unit.shared_bytes /= 10;
    CHECK_FALSE(tile_of(problem, slow));
  }
}

TEST_CASE("sliding tiles: two kernels become one where memory is slow against the multiply-adds") {
  // mobilenet_v2's first expansion, of 3x3 and of 7x7.
  definitions::SlidingProblem problem{.channels = 96,
                                      .rows = 112,
                                      .columns = 112,
                                      .source_rows = 112,
                                      .source_columns = 112,
                                      .steps = 16,
                                      .window_steps = 9,
                                      .window_rows = 3,
                                      .has_weights = true};
  CHECK(choose_sliding_tile(problem, cpu()));
  Target fast = cpu();
  fast.unit.shared_bytes *= 8;
  CHECK_FALSE(choose_sliding_tile(problem, fast));
  problem.window_steps = 49;
  problem.window_rows = 7;
  CHECK_FALSE(choose_sliding_tile(problem, cpu()));
  Target slow = cpu();
  slow.unit.shared_bytes /= 8;
  CHECK(choose_sliding_tile(problem, slow));
}
