// Sizes of register tiles.
#include "schedules/window/choose_tile.h"

#include <doctest/doctest.h>

using namespace tensordsl;
using namespace tensordsl::schedules;

namespace {

/// f32x16, one work-item to a group.
Target cpu() { return target_of(load_hw_profile("pocl_cpu_avx512")); }

Tile tile_of(std::int64_t channels, std::int64_t pixels, const Target& target = cpu()) {
  return choose_tile({channels, pixels, 1, 512}, target);
}

}  // namespace

TEST_CASE("tiles: where channels fill vectors, several vectors and pixels are in registers") {
  for (const std::int64_t channels : {32, 64, 128, 888, 216}) {
    const Tile tile = tile_of(channels, 196);
    CAPTURE(channels);
    CHECK(channels % tile.channels() == 0);
    CHECK(tile.vectors > 1);
    CHECK(tile.vectors * tile.pixels <= cpu().accumulators);
  }
}

TEST_CASE("tiles: channels that leave one narrow vector are in wide ones, the last tile overlapping") {
  const Tile tile = tile_of(1000, 169);
  CHECK(tile.lanes == 16);
  CHECK(tile.vectors > 1);
  // No tile overlaps for one pixel, or where many channels would be recomputed.
  CHECK(tile_of(1000, 1).lanes == 8);
  CHECK(tile_of(8 * 5, 169).lanes == 8);
  Target gpu = cpu();
  gpu.group_items = 64;
  CHECK(tile_of(1000, 169, gpu).lanes == 8);
}
