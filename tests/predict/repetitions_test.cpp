// Tests the memory that repeated accesses touch.
#include "predict/repetitions.h"

#include <doctest/doctest.h>

#include <random>
#include <set>

namespace tensordsl::predict {
namespace {

using Steps = std::vector<Repetition>;

/// Counts the bytes of accesses of four bytes at all sums of the repetitions' steps.
double counted_bytes(const Steps& steps) {
  std::set<std::int64_t> bytes, addresses{0};
  for (const Repetition& step : steps) {
    std::set<std::int64_t> more;
    for (const std::int64_t address : addresses) {
      for (int i = 0; i < step.times; ++i) more.insert(address + i * static_cast<std::int64_t>(step.bytes));
    }
    addresses = std::move(more);
  }
  for (const std::int64_t address : addresses) {
    for (int byte = 0; byte < 4; ++byte) bytes.insert(address + byte);
  }
  return static_cast<double>(bytes.size());
}

}  // namespace

TEST_CASE("repetitions: offsets are runs, one inside the other") {
  CHECK(repetitions_of({0, 4, 8, 12}) == Steps{{4, 4}});
  CHECK(repetitions_of({0, 4, 100, 104, 200, 204}) == Steps{{2, 4}, {3, 100}});
  CHECK(repetitions_of({7, 7, 7}).empty());
  CHECK(repetitions_of({0, 4, 100}) == Steps{{3, 50}});
}

TEST_CASE("repetitions: windows of neighbors overlap") {
  CHECK(joined({{8, 32}, {3, 16}}) == Steps{{17, 16}});
  CHECK(joined({{8, 64}, {3, 16}}) == Steps{{3, 16}, {8, 64}});
  CHECK(joined({{1, 16}, {5, 0}}).empty());
  CHECK(addresses_of(joined({{8, 32}, {3, 16}})) == 17);
}

TEST_CASE("repetitions: pieces grow, lie one after the other, or between each other") {
  CHECK(bytes_touched(4, {{8, 4}}, 4) == 32);
  CHECK(bytes_touched(4, {{8, 4}, {2, 1000}}, 4) == 64);
  CHECK(bytes_touched(16, {{4, 2048}, {32, 16}}, 16) == 4 * 32 * 16);
  CHECK(bytes_touched(4, {{2, 1000}}, 64) == 128);
}

TEST_CASE("repetitions: steps that are multiples of nearer ones touch as many bytes as are counted") {
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    Steps steps;
    double step = 4;
    for (int level = 0; level < 3; ++level) {
      const double times = 1 + random() % 5;
      steps.push_back({times, step});
      step *= times * (1 + random() % 3);
    }
    std::shuffle(steps.begin(), steps.end(), random);
    CAPTURE(i);
    CHECK(bytes_touched(4, steps, 4) == counted_bytes(steps));
  }
}

}  // namespace tensordsl::predict
