// Tiles of products in local memory.
#include "schedules/product/choose_staged_tile.h"

#include <doctest/doctest.h>

using namespace tensordsl;
using namespace tensordsl::schedules;

namespace {

Target gpu() { return target_of(load_hw_profile("nvidia_h100"), 1024); }

}  // namespace

TEST_CASE("staged tiles: of any size they fit the device and the problem") {
  for (const std::int64_t channels : {16, 40, 96, 1000, 4096}) {
    for (const std::int64_t pixels : {2, 3, 7, 17, 197, 12544}) {
      for (const std::int64_t rows : {1, 5, 56}) {
        for (const std::int64_t depth : {8, 24, 64, 768}) {
          const StagedProblem problem{channels, pixels, rows, 1, depth, 9, 2};
          const auto tile = choose_staged_tile(problem, gpu());
          CAPTURE(channels);
          CAPTURE(pixels);
          CAPTURE(rows);
          CAPTURE(depth);
          if (!tile) {
            CHECK(channels * pixels * rows < 1024);  // too few results for a group
            continue;
          }
          CHECK(tile->channels() <= channels);
          CHECK(tile->columns() <= pixels);
          CHECK(tile->row_threads <= rows);
          CHECK(depth % tile->depth == 0);
          CHECK(tile->depth % (4 * tile->slices) == 0);
          CHECK(tile->items() <= gpu().most_group_items);
          CHECK(local_bytes(problem, *tile) <= gpu().local_bytes);
        }
      }
    }
  }
}

TEST_CASE("staged tiles: a product that fills the device has large ones, a small one slices its depth") {
  const StagedTile large = *choose_staged_tile({4096, 4096, 1, 1, 4096}, gpu());
  CHECK(large.slices == 1);
  CHECK(large.channels() * large.columns() >= 64 * 64);
  const StagedTile small = *choose_staged_tile({512, 49, 1, 1, 512, 9}, gpu());
  CHECK(small.slices > 1);
}

TEST_CASE("staged tiles: of few channels, few steps, or a depth in odd parts, there are none") {
  CHECK_FALSE(choose_staged_tile({8, 100, 1, 1, 64}, gpu()));
  CHECK_FALSE(choose_staged_tile({64, 100, 1, 1, 16}, gpu()));
  CHECK_FALSE(choose_staged_tile({64, 100, 1, 1, 27 * 4}, gpu()));
}
