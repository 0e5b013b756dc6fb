#include "base/text/counted.h"

#include <doctest/doctest.h>

#include <cstdint>

using namespace tensordsl;

TEST_CASE("counted: one is singular, every other count is plural") {
  CHECK(counted(1, "launch", "launches") == "1 launch");
  CHECK(counted(0, "launch", "launches") == "0 launches");
  CHECK(counted(2, "launch", "launches") == "2 launches");
  CHECK(counted(std::size_t{1}, "index", "indices") == "1 index");
  CHECK(counted(std::int64_t{-1}, "record", "records") == "-1 records");
}
