#include "onnx/random_weights.h"

#include <cmath>

#include "runtime/default_input.h"

namespace tensordsl {
namespace {

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

Buffer random_weight(const std::string& name, const Ints& shape, const FirstUse& use) {
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

}  // namespace tensordsl
