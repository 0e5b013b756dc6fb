// Weights made from names alone, bit for bit as models/fill_weights.py makes them.
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

/// f32 weights of a size that keeps activations near 1 through the whole network.
Buffer random_weight(const std::string& name, const Ints& shape, const FirstUse& use);

}  // namespace tensordsl
