// Configurations print, parse and know their space.
#include "schedules/support/point.h"

#include <doctest/doctest.h>

#include "support/error_text.h"

using namespace tensordsl;
using namespace tensordsl::schedules;

TEST_CASE("point: it is printed in alphabetical order and read back") {
  const Point point{{"vectors", 2}, {"lanes", 16}, {"offset", -3}};
  CHECK(to_string(point) == "lanes=16 offset=-3 vectors=2");
  CHECK(parse_point("lanes=16 offset=-3 vectors=2") == point);
  CHECK(parse_point("  vectors=2 lanes=16   offset=-3 ") == point);
  CHECK(parse_point("") == Point());
  CHECK(point["lanes"] == 16);
}

TEST_CASE("point: what is no point, and a knob that it lacks, are refused") {
  for (const char* text : {"lanes", "lanes=", "=3", "lanes=3x", "lanes=99999999999", "lanes==3"})
    CHECK(error_of([&] { parse_point(text); }).find("a point must have the form") == 0);
  CHECK(error_of([] { parse_point("a=1 a=2"); }) == "the point \"a=1 a=2\" gives \"a\" twice");
  CHECK(error_of([] { Point{{"a", 1}}["b"]; }) == "the point \"a=1\" has no value for \"b\"");
}

TEST_CASE("point: a space has the points whose knobs all have one of their values") {
  const Space space{{{"a", {1, 2}}, {"b", {5}}}, {{"a", 1}, {"b", 5}}};
  CHECK(contains(space, space.first));
  CHECK(contains(space, {{"a", 2}, {"b", 5}}));
  CHECK_FALSE(contains(space, {{"a", 3}, {"b", 5}}));
  CHECK_FALSE(contains(space, {{"a", 1}}));
  CHECK_FALSE(contains(space, {{"a", 1}, {"b", 5}, {"c", 1}}));
}

TEST_CASE("point: larger values need no less where the knob says so, and others must be equal") {
  using Needs = Knob::Needs;
  const std::vector<Knob> knobs{
      {"size", {1, 2, 4}, true, Needs::NoLess}, {"items", {1, 2, 4}, true, Needs::AsMuch}, {"form", {0, 1}}};
  CHECK(needs_no_less(knobs, {2, 2, 1}, {2, 2, 1}));
  CHECK(needs_no_less(knobs, {4, 1, 1}, {2, 2, 1}));
  CHECK_FALSE(needs_no_less(knobs, {1, 2, 1}, {2, 2, 1}));
  CHECK_FALSE(needs_no_less(knobs, {4, 2, 0}, {2, 2, 1}));
  CHECK_FALSE(needs_no_less(knobs, {4, 2, 1}, {2, 2, 0}));
}
