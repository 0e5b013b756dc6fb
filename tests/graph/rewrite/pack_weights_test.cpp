// Weights in four bits and a scale.
#include "graph/rewrite/pack_weights.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "tensordsl/half.h"

using namespace tensordsl;
using namespace tensordsl::graph;

namespace {

Buffer random_weights(const std::vector<std::int64_t>& shape, float size) {
  Buffer weights(Float(32), shape);
  std::mt19937 random(7);
  std::normal_distribution<float> draw(0, size);
  for (float& weight : weights.as<float>()) weight = draw(random);
  return weights;
}

/// Unpacks the weight at [a, b, c] of a tensor [.., .., ..] that is packed along b.
double unpacked(const PackedWeights& packed, std::int64_t a, std::int64_t b, std::int64_t c) {
  const auto& pairs = packed.pairs.shape();
  const auto& scales = packed.scales.shape();
  const auto pair = static_cast<int>(packed.pairs.get((a * pairs[1] + b / 2) * pairs[2] + c));
  return ((pair >> (b % 2 * 4) & 15) - 8) * packed.scales.get((a * scales[1] + b / 32) * scales[2] + c);
}

}  // namespace

TEST_CASE("packed weights: each is within half of its step, or is an end that is cut by one step at most") {
  for (const float size : {1.0F, 1e-3F, 1e-6F, 1e4F}) {
    for (const std::int64_t extent : {1, 2, 17, 31, 32, 33, 64, 100}) {
      CAPTURE(size);
      CAPTURE(extent);
      const Buffer weights = random_weights({2, extent, 3}, size);
      const PackedWeights packed = packed_weights(weights, 1);
      REQUIRE(packed.pairs.shape() == std::vector<std::int64_t>{2, (extent + 1) / 2, 3});
      REQUIRE(packed.scales.shape() == std::vector<std::int64_t>{2, (extent + 31) / 32, 3});
      for (std::int64_t i = 0; i < packed.scales.elements(); ++i) {
        const auto scale = static_cast<float>(packed.scales.get(i));
        CHECK(half_to_float(float_to_half(scale)) == scale);
      }
      for (std::int64_t i = 0; i < weights.elements(); ++i) {
        const std::int64_t a = i / (extent * 3), b = i / 3 % extent, c = i % 3;
        const double step = std::abs(packed.scales.get((a * ((extent + 31) / 32) + b / 32) * 3 + c));
        CHECK(std::abs(unpacked(packed, a, b, c) - weights.get(i)) <= 1.51 * step);
      }
    }
  }
}

TEST_CASE("packed weights: of normal numbers the error is less than a tenth of them") {
  const Buffer weights = random_weights({64, 512, 1}, 0.05F);
  const PackedWeights packed = packed_weights(weights, 1);
  double error = 0, all = 0;
  for (std::int64_t i = 0; i < weights.elements(); ++i) {
    const double off = unpacked(packed, i / 512, i % 512, 0) - weights.get(i);
    error += off * off;
    all += weights.get(i) * weights.get(i);
  }
  CHECK(std::sqrt(error / all) < 0.1);
}

TEST_CASE("packed weights: zeros, and numbers too small for a scale, are 0") {
  Buffer weights(Float(32), {32, 2});
  for (std::int64_t i = 0; i < 32; ++i) weights.set(i * 2 + 1, 1e-12);
  const PackedWeights packed = packed_weights(weights, 0);
  for (std::int64_t i = 0; i < packed.pairs.elements(); ++i) CHECK(packed.pairs.get(i) == 0x88);
  CHECK(packed.scales.get(0) == 1);
}

TEST_CASE("packed weights: sixteen numbers that are multiples of one are kept") {
  Buffer weights(Float(32), {16});
  for (std::int64_t i = 0; i < 16; ++i) weights.set(i, static_cast<double>(i - 8) * 0.25);
  const PackedWeights packed = packed_weights(weights, 0);
  CHECK(packed.scales.get(0) == 0.25);
  for (std::int64_t i = 0; i < 8; ++i) CHECK(packed.pairs.get(i) == 2 * i + (2 * i + 1) * 16);
}
