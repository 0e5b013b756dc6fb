// Exponentials of vectors on the host's processor, where they are 0, infinite, or no normal number.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "backends/llvm/emit/limit_exponentials.h"
#include "lower/pass_text.h"
#include "tensordsl/tensordsl.h"

using namespace tensordsl;
using llvm_ir::limit_exponentials;
using lower::check_pass;
using lower::check_unchanged;

namespace {

constexpr int kLanes = 16;

/// Numbers around each of `places`, and infinities and NaN.
std::vector<double> numbers_around(const std::vector<double>& places, Type type) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<double> values{std::nan(""), kInfinity, -kInfinity, 0, -0.0, 1, -1, 1e30, -1e30};
  for (const double place : places) {
    for (int step = -20; step <= 20; ++step) {
      const double near = place + step * (type.bits == 64 ? 1e-13 : 1e-5) * std::abs(place);
      values.push_back(type.bits == 64 ? near : static_cast<double>(static_cast<float>(near)));
    }
  }
  while (values.size() % kLanes != 0) values.push_back(0.25);
  return values;
}

/// Compares the function of the language, in vectors, with the C library's in f64.
template <typename Function, typename Reference>
void check_function(const Function& function, const Reference& reference, Type type,
                    const std::vector<double>& places, Device& device) {
  const std::vector<double> values = numbers_around(places, type);
  const auto size = static_cast<std::int64_t>(values.size());
  Input a("a", type, {Expr(static_cast<int>(size))});
  const Var x("x");
  Func f("f");
  f(x) = function(a(x));
  f.bound({static_cast<int>(size)}).vectorize(x, kLanes);
  Buffer data(type, {size});
  for (std::int64_t i = 0; i < size; ++i) data.set(i, values[static_cast<std::size_t>(i)]);
  const Buffer found = Pipeline(f).realize({{"a", data}}, device);
  const double least = type.bits == 64 ? 0x1p-1074 : 0x1p-149;
  for (std::int64_t i = 0; i < size; ++i) {
    CAPTURE(to_string(type));
    CAPTURE(data.get(i));
    const double exact = reference(data.get(i));
    const double expected = type.bits == 64 ? exact : static_cast<double>(static_cast<float>(exact));
    if (std::isnan(expected)) {
      CHECK(std::isnan(found.get(i)));
    } else if (std::isinf(expected) || expected == 0) {
      CHECK(found.get(i) == expected);
    } else {
      CHECK(std::abs(found.get(i) - expected) <=
            std::max(4 * least, expected * (type.bits == 64 ? 1e-14 : 1e-6)));
    }
  }
}

}  // namespace

TEST_CASE("exponentials: what is 0 or infinite is no call for its lane") {
  check_pass(limit_exponentials, "store o[ramp(0, 1, 4)] = exp(x:f32x4)",
             "store o[ramp(0, 1, 4)] = select(x:f32x4 < broadcast(-104.0, 4), broadcast(0.0, 4), "
             "select(broadcast(89.0, 4) < x:f32x4, broadcast(inf, 4), exp(x:f32x4)))");
  check_pass(limit_exponentials, "store o[ramp(0, 1, 4)] = y:f32x4 + erfc(x:f32x4)",
             "store o[ramp(0, 1, 4)] = y:f32x4 + select(broadcast(10.1, 4) < x:f32x4, broadcast(0.0, 4), "
             "erfc(x:f32x4))");
}

TEST_CASE("exponentials: a test that decides more is the only one") {
  const char* tested = "store o[ramp(0, 1, 4)] = select(x:f32x4 < broadcast({}, 4), broadcast(0.0, 4), {})";
  const auto text = [&](const char* bound, const std::string& value) {
    return fmt::format(fmt::runtime(tested), bound, value);
  };
  const char* infinite = "select(broadcast(89.0, 4) < x:f32x4, broadcast(inf, 4), exp(x:f32x4))";
  check_pass(limit_exponentials, text("-87.0", "exp(x:f32x4)"), text("-87.0", infinite));
  const std::string both =
      fmt::format("select(x:f32x4 < broadcast(-104.0, 4), broadcast(0.0, 4), {})", infinite);
  check_pass(limit_exponentials, text("-200.0", "exp(x:f32x4)"), text("-200.0", both));
}

TEST_CASE("exponentials: scalars and other functions stay") {
  check_unchanged(limit_exponentials, "store o[0] = exp(x:f32)");
  check_unchanged(limit_exponentials, "store o[ramp(0, 1, 4)] = log(x:f32x4)");
}

TEST_CASE("host: exponentials of vectors are 0, infinite and NaN where the C library's are") {
  const auto device = Device::open("host");
  const auto exponential = [](const Expr& x) { return exp(x); };
  const auto power_of_two = [](const Expr& x) { return exp2(x); };
  const auto complement = [](const Expr& x) { return erfc(x); };
  for (const Type type : {Float(32), Float(64)}) {
    const bool is_double = type.bits == 64;
    using Places = std::vector<double>;
    check_function(
        exponential, [](double x) { return std::exp(x); }, type,
        is_double ? Places{-746, -745.1, -708.4, 709.8, 710} : Places{-104, -103.97, -87.3, 88.72, 89},
        *device);
    check_function(
        power_of_two, [](double x) { return std::exp2(x); }, type,
        is_double ? Places{-1076, -1075, -1022, 1024} : Places{-151, -150, -126, 128}, *device);
    check_function(
        complement, [](double x) { return std::erfc(x); }, type,
        is_double ? Places{26.5, 27.2, 27.3, -6} : Places{9.2, 10.05, 10.1, -4}, *device);
  }
}
