#include "onnx/file/random_weights.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <cmath>

#include "runtime/buffer/uniform.h"
#include "tensordsl/error.h"

namespace tensordsl::onnx {
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

std::map<std::string, FirstUse> first_uses(const ::onnx::GraphProto& graph) {
  std::map<std::string, FirstUse> uses;
  for (const auto& node : graph.node()) {
    bool trans_b = false;
    for (const auto& attribute : node.attribute())
      trans_b = trans_b || (attribute.name() == "transB" && attribute.i() != 0);
    for (int slot = 0; slot < node.input_size(); ++slot)
      uses.emplace(node.input(slot), FirstUse{node.op_type(), static_cast<std::size_t>(slot), trans_b});
  }
  return uses;
}

Buffer random_weight(const ops::TensorInfo& info, const std::map<std::string, FirstUse>& uses) {
  if (info.type != Float(32)) {
    throw ModelError(fmt::format("tensor '{}': {} cannot be filled with random weights; supported: FLOAT",
                                 info.name, to_string(info)));
  }
  const auto use = uses.find(info.name);
  return random_weight(info.name, known(info.shape), use == uses.end() ? FirstUse{} : use->second);
}

Buffer random_weight(const std::string& name, const ops::Ints& shape, const FirstUse& use) {
  Buffer u = runtime::uniform(name, shape);
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

}  // namespace tensordsl::onnx
