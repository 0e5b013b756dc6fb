#include "tensordsl/conversion.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>

using namespace tensordsl;

namespace {

constexpr Type kTypes[] = {Float(16), Float(32), Float(64), Int(8),   Int(16),  Int(32),
                           Int(64),   UInt(8),   UInt(16),  UInt(32), UInt(64), Bool()};

bool holds(Type type, std::int64_t value) {
  if (type == Float(16)) return std::abs(value) <= 2048;
  if (type == Float(32)) return static_cast<std::int64_t>(static_cast<float>(value)) == value;
  if (type.is_float() || type == Int(64)) return true;
  const int bits = type.bits - (type.is_int() ? 1 : 0);
  const std::int64_t least = type.is_int() ? -(std::int64_t{1} << bits) : 0;
  return value >= least && (bits == 64 || value < (std::int64_t{1} << bits));
}

/// True if `to` holds the ends of an integer type of at most 32 bits, and the values next to them.
bool holds_ends(Type to, Type from) {
  const int bits = from.is_bool() ? 1 : from.bits - (from.is_int() ? 1 : 0);
  const std::int64_t largest = (std::int64_t{1} << bits) - 1, least = from.is_int() ? -largest - 1 : 0;
  return holds(to, largest) && holds(to, largest - 1) && holds(to, least) && holds(to, least + 1);
}

}  // namespace

TEST_CASE("conversion: integers convert exactly where their ends do") {
  for (const Type from : kTypes) {
    if (from.is_float() || from.bits == 64) continue;
    for (const Type to : kTypes) {
      if (to.is_bool() && !from.is_bool()) continue;
      CAPTURE(to_string(from));
      CAPTURE(to_string(to));
      CHECK(converts_exactly(from, to) == holds_ends(to, from));
    }
  }
}

TEST_CASE("conversion: integers of 64 bits fit no other type, and nothing but a bool is one") {
  for (const Type to : kTypes) {
    CHECK(converts_exactly(Int(64), to) == (to == Int(64)));
    CHECK(converts_exactly(UInt(64), to) == (to == UInt(64)));
    CHECK(converts_exactly(to, Bool()) == to.is_bool());
  }
}

TEST_CASE("conversion: floats convert exactly to wider ones alone") {
  for (const Type to : kTypes) {
    CHECK(converts_exactly(Float(16), to) == to.is_float());
    CHECK(converts_exactly(Float(32), to) == (to == Float(32) || to == Float(64)));
    CHECK(converts_exactly(Float(64), to) == (to == Float(64)));
  }
}

TEST_CASE("conversion: the remedy has NumPy's name of the type") {
  CHECK(conversion_remedy(Float(32)) == "; convert it with .astype(np.float32)");
  CHECK(conversion_remedy(UInt(8)) == "; convert it with .astype(np.uint8)");
  CHECK(conversion_remedy(Int(64)) == "; convert it with .astype(np.int64)");
  CHECK(conversion_remedy(Bool()) == "; convert it with .astype(np.bool_)");
}
