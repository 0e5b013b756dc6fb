// Wrong results are seen, whichever element is wrong.
#include "measure/check_outputs.h"

#include <doctest/doctest.h>

#include <limits>

namespace tensordsl::measure {
namespace {

constexpr std::int64_t kElements = 64;

/// 2*k for each k.
Buffer right() {
  Buffer values(Float(32), {kElements});
  for (std::int64_t k = 0; k < kElements; ++k) values.set(k, 2.0 * static_cast<double>(k));
  return values;
}

const ExpectedOutputs kExpected{{{0, 0, 0}, {0, 63, 126}, {0, 20, 40}}, 1e-4};

}  // namespace

TEST_CASE("check: what is expected is right") { CHECK(OutputCheck(kExpected).check({right()}) == ""); }

TEST_CASE("check: a wrong element is told, and NaN is wrong") {
  OutputCheck check(kExpected);
  Buffer wrong = right();
  wrong.set(63, 125);
  CHECK(check.check({wrong}) == "element 63 of output 0 is 125, but should be 126");
  wrong.set(63, std::numeric_limits<double>::quiet_NaN());
  CHECK(check.check({wrong}) != "");
}

TEST_CASE("check: once one was right, every element of the others is compared with it") {
  OutputCheck check(kExpected);
  REQUIRE(check.check({right()}) == "");
  for (std::int64_t k = 0; k < kElements; ++k) {
    Buffer wrong = right();
    wrong.set(k, -7);
    CAPTURE(k);
    CHECK(check.check({wrong}) != "");
  }
}

TEST_CASE("check: expected elements that the outputs do not have are told") {
  CHECK(OutputCheck({{{1, 0, 0}}, 1e-4}).check({right()}) == "element 0 of output 1 is out of range");
  CHECK(OutputCheck({{{0, 64, 0}}, 1e-4}).check({right()}) == "element 64 of output 0 is out of range");
}

}  // namespace tensordsl::measure
