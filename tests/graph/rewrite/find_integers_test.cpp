// Tests which weights are found to be integers times scales, and that these give the same weights.
#include "graph/rewrite/find_integers.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "support/onnx_model.h"

using namespace tensordsl;
using namespace tensordsl::graph;
using testing::Ints;

namespace {

/// The numbers that the form stands for, each rounded as a kernel rounds them.
std::vector<float> numbers_of(const IntegerForm& form) {
  const Ints& shape = form.integers.shape();
  std::vector<float> numbers;
  for (std::int64_t i = 0; i < form.integers.elements(); ++i) {
    std::int64_t scale = 0, stride = 1, rest = i;
    for (std::size_t d = shape.size(); d-- > 0;) {
      const std::int64_t at = rest % shape[d];
      rest /= shape[d];
      if (form.runs[d] == 0) continue;
      scale += at / form.runs[d] * stride;
      stride *= (shape[d] + form.runs[d] - 1) / form.runs[d];
    }
    numbers.push_back(static_cast<float>(form.integers.get(i) + form.offset) *
                      static_cast<float>(form.scales.get(scale)));
  }
  return numbers;
}

/// Rows of 64 integers from `least` to `most`, each row times `scale(row)`, less `zero(row)` before.
template <typename Scale, typename Zero>
Buffer rows(std::int64_t count, int least, int most, Scale scale, Zero zero) {
  std::mt19937 random(7);
  Buffer result(Float(32), {count, 64});
  for (std::int64_t i = 0; i < result.elements(); ++i) {
    const int q = static_cast<int>(random() % static_cast<unsigned>(most - least + 1)) + least;
    result.as<float>()[static_cast<std::size_t>(i)] =
        static_cast<float>(q - zero(i / 64)) * static_cast<float>(scale(i / 64));
  }
  return result;
}

float odd_scale(std::int64_t row) { return std::exp(std::sin(static_cast<float>(row)) * 9) * 0.013F; }

void check_exact(const Buffer& weights, const Ints& runs, Type type, int offset) {
  const auto form = integers_of(weights, runs);
  REQUIRE(form);
  CHECK(form->stored_as == type);
  CHECK(form->offset == offset);
  const auto from = weights.as<float>();
  CHECK(numbers_of(*form) == std::vector<float>(from.begin(), from.end()));
}

}  // namespace

TEST_CASE("integers: rows of bytes times scales of their own are these bytes, whatever the scales") {
  const Buffer weights = rows(500, -127, 127, odd_scale, [](std::int64_t) { return 0; });
  check_exact(weights, {1, 0}, Int(8), 0);
  CHECK_FALSE(integers_of(weights, {0, 0}));
  CHECK_FALSE(integers_of(weights, {0, 1}));
  const auto form = integers_of(weights, {1, 0});
  CHECK(form->scales.shape() == Ints{500});
}

TEST_CASE("integers: one scale for all is one element; few integers of a large scale are told from many") {
  const auto one = [](std::int64_t) { return 0.0123F; };
  const auto no_zero = [](std::int64_t) { return 0; };
  const Buffer weights = rows(100, -128, 127, one, no_zero);
  check_exact(weights, {0, 0}, Int(8), 0);
  CHECK(integers_of(weights, {0, 0})->scales.shape() == Ints{1});
  CHECK(integers_of(weights, {0, 0})->scales.get(0) == 0.0123F);
  check_exact(rows(100, -8, 7, one, no_zero), {0, 0}, Int(8), 0);
}

TEST_CASE("integers: a zero point is an offset of bytes without a sign; several may need 16 bits") {
  const auto zero = [](std::int64_t) { return 61; };
  check_exact(rows(300, 0, 255, odd_scale, zero), {1, 0}, UInt(8), -61);
  check_exact(rows(300, 0, 255, odd_scale, [](std::int64_t) { return 0; }), {1, 0}, UInt(8), 0);
  check_exact(rows(300, 0, 255, odd_scale, [](std::int64_t row) { return row % 2 == 0 ? 3 : 251; }), {1, 0},
              Int(16), 0);
}

TEST_CASE("integers: neighbors may share scales in blocks, of which the last one may be shorter") {
  Buffer weights = rows(
      100, -127, 127, [](std::int64_t row) { return odd_scale(row / 32); }, [](std::int64_t) { return 0; });
  check_exact(weights, {32, 1}, Int(8), 0);
  CHECK(integers_of(weights, {32, 1})->scales.shape() == Ints{4, 64});
  CHECK_FALSE(integers_of(weights, {64, 1}));
}

TEST_CASE("integers: zeros have the scale 1, and are nothing to any other scale") {
  Buffer weights = rows(20, -127, 127, odd_scale, [](std::int64_t) { return 0; });
  for (std::size_t i = 0; i < 64 * 3; ++i) weights.as<float>()[i] = i < 128 ? 0.0F : -0.0F;
  check_exact(weights, {1, 0}, Int(8), 0);
  CHECK(integers_of(weights, {1, 0})->scales.get(2) == 1);
}

TEST_CASE("integers: random numbers, one number that is off by its last bit, and 9 bits are none") {
  std::mt19937 random(3);
  Buffer numbers(Float(32), {64, 64});
  for (float& number : numbers.as<float>()) number = static_cast<float>(random()) * 1e-9F - 2;
  for (const Ints& runs : {Ints{0, 0}, Ints{1, 0}, Ints{0, 1}, Ints{16, 1}, Ints{1, 16}})
    CHECK_FALSE(integers_of(numbers, runs));
  const auto no_zero = [](std::int64_t) { return 0; };
  Buffer weights = rows(20, -127, 127, odd_scale, no_zero);
  float& last = weights.as<float>().back();
  last = std::nextafter(100 * odd_scale(19), 0.0F);
  CHECK_FALSE(integers_of(weights, {1, 0}));
  CHECK_FALSE(integers_of(rows(20, -300, 300, odd_scale, no_zero), {1, 0}));
  for (const float odd : {INFINITY, NAN}) {
    for (const std::size_t place : {0U, 1279U}) {
      Buffer infinite = rows(20, -127, 127, odd_scale, no_zero);
      infinite.as<float>()[place] = odd;
      CHECK_FALSE(integers_of(infinite, {1, 0}));
    }
  }
}

TEST_CASE("integers: a scale that is smaller than a normal number is none") {
  CHECK_FALSE(
      integers_of(rows(
                      4, -127, 127, [](std::int64_t) { return 1e-39F; }, [](std::int64_t) { return 0; }),
                  {1, 0}));
}
