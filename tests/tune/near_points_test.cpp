#include "tune/rank/near_points.h"

#include <doctest/doctest.h>

#include <set>

namespace tensordsl::tune {
namespace {

const schedules::Space kSpace{{{"a", {1, 2, 4, 8}}, {"b", {0, 1}}}, {{"a", 2}, {"b", 0}}};

}  // namespace

TEST_CASE("near points: the first, then one knob, then two, the nearest values before those further away") {
  std::string text;
  for (const schedules::Point& point : near_points(kSpace, 100)) text += to_string(point) + "\n";
  CHECK(text == "a=2 b=0\na=1 b=0\na=4 b=0\na=2 b=1\na=8 b=0\na=1 b=1\na=4 b=1\na=8 b=1\n");
}

TEST_CASE("near points: no more than asked for, and the first in any case") {
  CHECK(near_points(kSpace, 3).size() == 3);
  CHECK(near_points(kSpace, 0).size() == 1);
}

TEST_CASE("points: each of a space once, as many as are counted") {
  std::set<std::string> seen;
  schedules::for_each_point(kSpace, [&](const schedules::Point& point) {
    CHECK(contains(kSpace, point));
    seen.insert(to_string(point));
  });
  CHECK(static_cast<std::int64_t>(seen.size()) == number_of_points(kSpace));
  CHECK(number_of_points(kSpace) == 8);
  schedules::for_each_point({{{"a", {}}}, {}},
                            [](const schedules::Point&) { FAIL("a knob without values"); });
}

}  // namespace tensordsl::tune
