// Divisions of integers on the host's processor, where vectors of them are divided as floats.
#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "tensordsl/tensordsl.h"

using namespace tensordsl;

namespace {

constexpr int kLanes = 16;

/// The values of 8 bits, else those at the ends of the type, around 0, and around products of others.
std::vector<std::int64_t> values_of(Type type) {
  const int bits = static_cast<int>(type.bits);
  const std::int64_t least = type.is_uint() ? 0 : -(std::int64_t{1} << (bits - 1)),
                     most = least + (std::int64_t{1} << bits) - 1;
  std::vector<std::int64_t> values;
  const auto add = [&](std::int64_t value) {
    if (value >= least && value <= most) values.push_back(value);
  };
  if (bits == 8) {
    for (std::int64_t value = least; value <= most; ++value) add(value);
    return values;
  }
  for (std::int64_t i = 0; i < 16; ++i) add(i), add(-i), add(least + i), add(most - i);
  for (const std::int64_t factor : {3, 7, 181, 255, 641, 46341, 65521, 6700417}) {
    for (const std::int64_t other : {1, 2, 3, 46341, 65537, 641}) {
      for (const std::int64_t rest : {-1, 0, 1}) add(factor * other + rest), add(-factor * other + rest);
    }
  }
  return values;
}

/// Every value by every other.
void check_type(Type type, Device& device) {
  const std::vector<std::int64_t> values = values_of(type);
  const auto count = static_cast<std::int64_t>(values.size()),
             columns = (count + kLanes - 1) / kLanes * kLanes;
  Input a("a", type, {static_cast<int>(count)}), b("b", type, {static_cast<int>(columns)});
  const Var x("x"), y("y");
  Buffer dividends(type, {count}), divisors(type, {columns});
  for (std::int64_t i = 0; i < count; ++i) dividends.set_int(i, values[static_cast<std::size_t>(i)]);
  for (std::int64_t i = 0; i < columns; ++i) divisors.set_int(i, values[static_cast<std::size_t>(i % count)]);
  for (const bool is_division : {true, false}) {
    Func f("f");
    f(y, x) = is_division ? a(y) / b(x) : a(y) % b(x);
    f.bound({static_cast<int>(count), static_cast<int>(columns)}).vectorize(x, kLanes);
    const Pipeline pipeline(f);
    REQUIRE(pipeline.emit("cl", device.info()).find("fdiv <16 x") != std::string::npos);
    const std::map<std::string, Buffer> inputs{{"a", dividends}, {"b", divisors}};
    CAPTURE(to_string(type));
    CAPTURE(is_division);
    CHECK(pipeline.realize(inputs, device) == pipeline.interpret(inputs).front());
  }
}

}  // namespace

TEST_CASE("host: vectors of integers are divided as the interpreter does, by 0, by -1 and near multiples") {
  const auto device = Device::open("host");
  for (const Type type : {Int(8), UInt(8), Int(16), UInt(16), Int(32), UInt(32)}) check_type(type, *device);
}
