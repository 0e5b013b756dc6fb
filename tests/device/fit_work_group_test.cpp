#include "backends/opencl/device/fit_work_group.h"

#include <doctest/doctest.h>

using tensordsl::opencl::fit_work_group;
using Group = std::array<int, 3>;

TEST_CASE("work-group: one that fits stays, and of another the largest dimension is halved until it fits") {
  CHECK(fit_work_group({16, 2, 1}, 32) == Group{16, 2, 1});
  CHECK(fit_work_group({16, 16, 1}, 32) == Group{8, 4, 1});
  CHECK(fit_work_group({256, 1, 1}, 32) == Group{32, 1, 1});
  CHECK(fit_work_group({2, 4096, 1}, 4096) == Group{2, 2048, 1});
  CHECK(fit_work_group({3, 5, 7}, 1) == Group{1, 1, 1});
  CHECK(fit_work_group({8, 8, 8}, 0) == Group{1, 1, 1});
}

TEST_CASE(
    "work-group: what is offered fits, is no larger in any dimension, and is more than half of what is "
    "allowed") {
  for (int x = 1; x <= 64; x *= 2) {
    for (int y = 1; y <= 64; y *= 2) {
      for (int z = 1; z <= 64; z *= 2) {
        for (std::int64_t allowed = 1; allowed <= 1024; allowed += 31) {
          const Group fit = fit_work_group({x, y, z}, allowed);
          const std::int64_t items = std::int64_t{fit[0]} * fit[1] * fit[2];
          REQUIRE(items >= 1);
          REQUIRE(items <= allowed);
          REQUIRE((fit[0] <= x && fit[1] <= y && fit[2] <= z));
          REQUIRE((2 * items > allowed || items == std::int64_t{x} * y * z));
        }
      }
    }
  }
}
