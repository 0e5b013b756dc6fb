#include "tensordsl/type.h"

#include <doctest/doctest.h>

using namespace tensordsl;

TEST_CASE("type: the printed name of every supported type parses back to it") {
  for (Type t : {Float(32), Float(16), Int(8), UInt(8), Int(32), Int(64), Bool()}) {
    CHECK(is_supported(t));
    CHECK(parse_type(to_string(t)) == t);
    CHECK(parse_type(to_string(t.with_lanes(16))) == t.with_lanes(16));
  }
}

TEST_CASE("type: names that mean no type are refused") {
  for (const char* text : {"", "f24", "f3", "i32x", "i32x1", "i32x-4", "i32x99999", "i32 ", "u1"}) {
    CHECK_FALSE(parse_type(text).has_value());
  }
}
