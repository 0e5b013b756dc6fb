// Casts of floats to integers on the host's processor, at the edges of every type.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tensordsl/tensordsl.h"

using namespace tensordsl;

namespace {

constexpr int kLanes = 16;
const Type kIntegers[] = {Int(8), UInt(8), Int(16), UInt(16), Int(32), UInt(32), Int(64), UInt(64)};

/// Numbers around 0 and around each power of two that ends an integer type, and values that are not numbers.
std::vector<double> edges() {
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> values{std::nan(""), -std::nan(""), infinity, 0.0,     0x1p-1074, 0x1p-149,
                             0x1p-24,      0.5,           0.999,    1.0,     1.5,       2.5,
                             100.75,       65504.0,       0x1p100,  0x1p1000};
  for (const int bits : {7, 8, 15, 16, 31, 32, 63, 64}) {
    const double end = std::ldexp(1.0, bits);
    for (const double value :
         {end, std::nextafter(end, 0.0), std::nextafter(end, infinity), end - 1.0, end - 0.5, end + 0.5,
          end + 1.0, end + 1.5, static_cast<double>(std::nextafterf(static_cast<float>(end), 0.0F)),
          static_cast<double>(std::nextafterf(static_cast<float>(end), INFINITY))})
      values.push_back(value);
  }
  for (std::size_t i = 0, count = values.size(); i < count; ++i) values.push_back(-values[i]);
  while (values.size() % kLanes != 0) values.push_back(0.25);
  return values;
}

/// The edges as an input of `from`, cast to `to`.
void check_cast(Type from, Type to, bool in_vectors, Device& device) {
  const std::vector<double> values = edges();
  const auto size = static_cast<std::int64_t>(values.size());
  Input a("a", from, {Expr(static_cast<int>(size))});
  const Var x("x");
  Func f("f");
  f(x) = cast(to, a(x));
  f.bound({static_cast<int>(size)});
  if (in_vectors) f.vectorize(x, kLanes);
  Buffer data(from, {size});
  for (std::int64_t i = 0; i < size; ++i) data.set(i, values[static_cast<std::size_t>(i)]);
  const Pipeline pipeline(f);
  const Buffer found = pipeline.realize({{"a", data}}, device),
               expected = pipeline.interpret({{"a", data}}).front();
  for (std::int64_t i = 0; i < size; ++i) {
    CAPTURE(data.get(i));
    CHECK(found.get_int(i) == expected.get_int(i));
  }
}

}  // namespace

TEST_CASE("host: every float becomes the interpreter's integer, beyond its limits and where it is a NaN") {
  const auto device = Device::open("host");
  for (const Type from : {Float(16), Float(32), Float(64)}) {
    for (const Type to : kIntegers) {
      CAPTURE(to_string(from));
      CAPTURE(to_string(to));
      for (const bool in_vectors : {false, true}) check_cast(from, to, in_vectors, *device);
    }
  }
}

TEST_CASE("host: what the edges become is what the language says") {
  const auto device = Device::open("host");
  Input a("a", Float(32), {kLanes});
  const Var x("x");
  Func f("f");
  f(x) = cast(Int(8), a(x));
  f.bound({kLanes}).vectorize(x, kLanes);
  const double infinity = std::numeric_limits<double>::infinity();
  const double values[kLanes] = {std::nan(""), infinity, -infinity, 127.9, 128, -128.9, -129, -0.0,
                                 0.9,          -0.9,     1e30,      -1e30, 3.7, -3.7,   126,  -127};
  const int expected[kLanes] = {0, 127, -128, 127, 127, -128, -128, 0, 0, 0, 127, -128, 3, -3, 126, -127};
  Buffer data(Float(32), {kLanes});
  for (int i = 0; i < kLanes; ++i) data.set(i, values[i]);
  const Buffer found = Pipeline(f).realize({{"a", data}}, *device);
  for (int i = 0; i < kLanes; ++i) CHECK(found.get_int(i) == expected[i]);
}
