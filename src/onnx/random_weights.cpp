#include "onnx/random_weights.h"

#include <cmath>
#include <cstdint>
#include <string_view>

namespace tensordsl {
namespace {

std::uint64_t fnv1a64(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return hash;
}

/// 24 bits of the `counter`-th number of the splitmix64 sequence that starts at `seed`.
std::uint64_t splitmix_bits(std::uint64_t seed, std::uint64_t counter) {
  std::uint64_t z = counter * 0x9E3779B97F4A7C15U + seed;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  z ^= z >> 31;
  return z >> 40;
}

Buffer scaled(Buffer u, float factor) {
  for (float& value : u.as<float>()) value *= factor;
  return u;
}

/// 1 + u / 10. This file is compiled without contraction to fused multiply-adds, which would round
/// differently.
Buffer near_one(Buffer u) {
  for (float& value : u.as<float>()) value = 1.0F + value * 0.1F;
  return u;
}

float root(double numerator, std::int64_t denominator) {
  return static_cast<float>(std::sqrt(numerator / static_cast<double>(denominator)));
}

bool is_normalization(const std::string& op) {
  return op == "LayerNormalization" || op == "BatchNormalization" || op == "InstanceNormalization";
}

}  // namespace

Buffer uniform(const std::string& name, const Shape& shape) {
  Buffer buffer(Float(32), shape);
  const std::uint64_t seed = fnv1a64(name);
  std::uint64_t counter = 0;
  for (float& value : buffer.as<float>()) {
    value = static_cast<float>(splitmix_bits(seed, ++counter)) / 8388608.0F - 1.0F;
  }
  return buffer;
}

Buffer random_weight(const std::string& name, const Shape& shape, const FirstUse& use) {
  Buffer u = uniform(name, shape);
  const std::size_t rank = shape.size();
  if ((use.op == "Conv" || use.op == "ConvTranspose") && use.slot == 1 && rank >= 1) {
    std::int64_t fan_in = 1;
    for (std::size_t d = 1; d < rank; ++d) fan_in *= shape[d];
    return scaled(std::move(u), root(6.0, fan_in));
  }
  if (use.op == "Gemm" && use.slot == 1 && rank == 2) {
    return scaled(std::move(u), root(3.0, shape[use.trans_b ? 1 : 0]));
  }
  if (use.op == "MatMul" && rank >= 2) return scaled(std::move(u), root(3.0, shape[rank - 2]));
  if (is_normalization(use.op) && use.slot == 1) return near_one(std::move(u));
  if (use.op == "BatchNormalization" && use.slot == 4) return near_one(std::move(u));
  if (use.op == "Mul") return near_one(std::move(u));
  return scaled(std::move(u), 0.05F);
}

Buffer default_input(const TensorInfo& input) {
  Buffer u = uniform("input:" + input.name, input.shape);
  if (input.type.is_float()) return u.converted(input.type);
  Buffer result(input.type, input.shape);
  const float range = input.type.bits == 8 ? 50.0F : 500.0F;
  const auto values = u.as<const float>();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::int64_t value =
        input.type.is_bool() ? values[i] >= 0.0F : static_cast<std::int64_t>((values[i] + 1.0F) * range);
    result.set_int(static_cast<std::int64_t>(i), value);
  }
  return result;
}

}  // namespace tensordsl
