// Weights computed only from names, bit for bit as models/fill_weights.py computes them.
#pragma once

#include <map>
#include <string>

#include "ops/tensor_info.h"
#include "tensordsl/buffer.h"

namespace onnx {
class GraphProto;
}

namespace tensordsl::onnx {

/// The first use of a tensor, in file order.
struct FirstUse {
  std::string op;        ///< "" if it is not used
  std::size_t slot = 0;  ///< index of the input
  bool trans_b = false;  ///< the node's attribute transB
};

/// Returns the first use of every tensor that a node of the graph reads.
std::map<std::string, FirstUse> first_uses(const ::onnx::GraphProto& graph);

/// f32 weights of a size that keeps activations near 1 through the whole network.
Buffer random_weight(const std::string& name, const ops::Ints& shape, const FirstUse& use);
/// Makes weights for an initializer, like the function above. Throws ModelError if it is not f32.
Buffer random_weight(const ops::TensorInfo& info, const std::map<std::string, FirstUse>& uses);

}  // namespace tensordsl::onnx
