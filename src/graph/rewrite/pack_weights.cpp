#include "graph/rewrite/pack_weights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "base/run_in_parallel.h"
#include "tensordsl/half.h"

namespace tensordsl::graph {
namespace {

constexpr float kZero = 8, kMost = 15;
constexpr float kSmallestHalf = 1.0F / (1 << 24);

float level_of(float weight, float scale) {
  return std::clamp(std::round(weight / scale) + kZero, 0.0F, kMost);
}

/// Returns the best scale among those that map the largest weight to -7 .. -9: there is one level more below
/// 0 than above, and clipping a few weights may be better than a coarse step for all.
float best_scale(const std::vector<float>& weights) {
  const float largest = *std::ranges::max_element(weights, {}, [](float weight) { return std::abs(weight); });
  if (largest == 0) return 1;
  float best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (const float levels : {8.0F, 7.0F, 7.5F, 8.5F, 9.0F}) {
    float scale = half_to_float(float_to_half(-largest / levels));
    if (scale == 0) scale = std::copysign(kSmallestHalf, -largest);
    double error = 0;
    for (const float weight : weights) {
      const double off = weight - (level_of(weight, scale) - kZero) * scale;
      error += off * off;
    }
    if (error < least) {
      least = error;
      best = scale;
    }
  }
  return best;
}

}  // namespace

PackedWeights packed_weights(const Buffer& weights, std::size_t dim) {
  std::vector<std::int64_t> shape = weights.shape();
  const std::int64_t steps = shape[dim], pairs = (steps + 1) / 2;
  const std::int64_t scales = (steps + kPackedGroup - 1) / kPackedGroup;
  std::int64_t outer = 1, inner = 1;
  for (std::size_t d = 0; d < shape.size(); ++d) (d < dim ? outer : inner) *= d == dim ? 1 : shape[d];
  shape[dim] = pairs;
  PackedWeights result{Buffer(UInt(8), shape), Buffer()};
  shape[dim] = scales;
  result.scales = Buffer(Float(32), shape);
  const std::span<const float> from = weights.as<float>();
  const std::span<std::uint8_t> to = result.pairs.as<std::uint8_t>();
  const std::span<float> scale = result.scales.as<float>();
  const auto pack = [&](std::int64_t block, std::int64_t group, std::int64_t column) {
    const std::int64_t first = group * kPackedGroup, end = std::min(steps, first + kPackedGroup);
    std::vector<float> some;
    for (std::int64_t k = first; k < end; ++k)
      some.push_back(from[static_cast<std::size_t>((block * steps + k) * inner + column)]);
    const float best = best_scale(some);
    scale[static_cast<std::size_t>((block * scales + group) * inner + column)] = best;
    for (std::int64_t k = first; k < end; ++k) {
      const auto level = static_cast<int>(level_of(some[static_cast<std::size_t>(k - first)], best));
      std::uint8_t& pair = to[static_cast<std::size_t>((block * pairs + k / 2) * inner + column)];
      pair = static_cast<std::uint8_t>(pair | level << (k % 2 * 4));
    }
  };
  run_in_parallel(static_cast<int>(outer * scales), [&](int job) {
    for (std::int64_t column = 0; column < inner; ++column) pack(job / scales, job % scales, column);
  });
  return result;
}

}  // namespace tensordsl::graph
