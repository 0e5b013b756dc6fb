#include "onnx_data/compare.h"

#include <doctest/doctest.h>

#include <limits>

namespace tensordsl::conformance {
namespace {

Buffer floats(const std::vector<double>& values, Type type = Float(32)) {
  Buffer buffer(type, {static_cast<std::int64_t>(values.size())});
  for (std::size_t i = 0; i < values.size(); ++i) buffer.set(static_cast<std::int64_t>(i), values[i]);
  return buffer;
}

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("values within ONNX's tolerances are what is expected") {
  CHECK(difference(floats({1, 2}), floats({1, 2})) == std::nullopt);
  CHECK(difference(floats({1000.9, 0.00000005}), floats({1000, 0})) == std::nullopt);
  CHECK(difference(floats({kNaN, kInfinity}), floats({kNaN, kInfinity})) == std::nullopt);
  CHECK(difference(Buffer(Float(32), {0}), Buffer(Float(32), {0})) == std::nullopt);
}

TEST_CASE("other values are told, the worst of them first") {
  CHECK(difference(floats({1, 2, 5, 4}), floats({1, 2.5, 3, 4})) ==
        "2 of 4 elements differ; element 2 is 5, not 3");
  CHECK(difference(floats({0.000001}), floats({0})) == "1 of 1 elements differ; element 0 is 1e-06, not 0");
  CHECK(difference(floats({9, kNaN}), floats({1, 2})) == "2 of 2 elements differ; element 1 is nan, not 2");
  CHECK(difference(floats({1}), floats({kNaN})) == "1 of 1 elements differ; element 0 is 1, not nan");
  CHECK(difference(floats({-kInfinity}), floats({kInfinity})) ==
        "1 of 1 elements differ; element 0 is -inf, not inf");
}

TEST_CASE("integers are to be equal") {
  CHECK(difference(floats({10000}, Int(32)), floats({10000}, Int(32))) == std::nullopt);
  CHECK(difference(floats({10001}, Int(32)), floats({10000}, Int(32))) ==
        "1 of 1 elements differ; element 0 is 10001, not 10000");
}

TEST_CASE("another type or shape is told") {
  CHECK(difference(floats({1}), floats({1}, Float(64))) == "it is f32[1], not f64[1]");
  CHECK(difference(floats({1}), Buffer(Float(32), {})) == "it is f32[1], not f32[]");
}

}  // namespace tensordsl::conformance
