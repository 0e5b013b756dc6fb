// Tiles of products in local memory.
#include "schedules/product/choose_staged_tile.h"

#include <doctest/doctest.h>

#include "schedules/product/choose_matrix_tile.h"

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

TEST_CASE("staged tiles: a device with longer waits chooses tiles that hide more of them") {
  // A chunk of more products waits once for all of them.
  const auto products_of_wait = [](const StagedProblem& problem, const Target& target) {
    const StagedTile tile = *choose_staged_tile(problem, target);
    return static_cast<std::int64_t>(tile.depth) * tile.channels() * tile.columns() * tile.row_threads;
  };
  for (const StagedProblem& problem :
       {StagedProblem{768, 128, 1, 1, 768}, StagedProblem{3072, 197, 1, 1, 768},
        StagedProblem{512, 49, 1, 1, 512}, StagedProblem{128, 784, 1, 1, 128},
        StagedProblem{64, 56, 56, 1, 64, 9}}) {
    Target slow = gpu();
    slow.unit.memory_wait *= 4;
    const std::int64_t before = products_of_wait(problem, gpu()), after = products_of_wait(problem, slow);
    CAPTURE(problem.channels);
    CHECK(after >= before);
    if (problem.channels == 3072) CHECK(after > before);
  }
}

TEST_CASE("staged tiles: with slow local memory, work-items read fewer vectors for a multiply-add") {
  const auto reads_of_multiply = [](const Target& target) {
    const StagedTile tile = *choose_staged_tile({1024, 1024, 1, 1, 1024}, target);
    return (tile.pixels + 4.0 * tile.vectors) / (16.0 * tile.pixels * tile.vectors);
  };
  Target slow = gpu();
  slow.unit.local_bytes /= 8;
  CHECK(reads_of_multiply(slow) < reads_of_multiply(gpu()));
}

TEST_CASE("matrix tiles: they fit, and hide longer waits by deeper chunks or a second tile") {
  const StagedProblem problem{768, 512, 1, 1, 768};
  const auto tile = choose_matrix_tile(problem, gpu());
  REQUIRE(tile);
  CHECK(fits(problem, *tile, gpu()));
  // Where reads take long, a chunk is deeper or the next one is read early.
  Target slow = gpu();
  slow.unit.memory_wait *= 4;
  const auto hiding = choose_matrix_tile(problem, slow);
  CHECK(hiding->depth * hiding->buffers >= tile->depth * tile->buffers);
}
