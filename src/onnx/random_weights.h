// Weights and inputs made from names alone, bit for bit as models/fill_weights.py makes them.
#pragma once

#include <string>

#include "ops/tensor_info.h"
#include "tensordsl/buffer.h"

namespace tensordsl {

/// The first place, in file order, where a tensor is used.
struct FirstUse {
  std::string op;        ///< "" if it is not used
  std::size_t slot = 0;  ///< which input
  bool trans_b = false;  ///< the node's attribute transB
};

/// f32 in [-1, 1), a pure function of `name`: splitmix64 of a counter, seeded with the FNV-1a hash of the
/// name.
Buffer uniform(const std::string& name, const Shape& shape);

/// f32 weights of a size that keeps activations near 1 through the whole network.
Buffer random_weight(const std::string& name, const Shape& shape, const FirstUse& use);

/// The value of a model's input that is not given: u = uniform("input:" + name) for f32 and f16, (u + 1) *
/// 500 truncated for i32 and i64, (u + 1) * 50 truncated for i8 and u8, u >= 0 for bool.
Buffer default_input(const TensorInfo& input);

}  // namespace tensordsl
