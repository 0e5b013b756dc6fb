// sum(m, n) += x(m, k)*w(k, n)   ->   w: the axis n of the sum indexes the dimension 1
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "classify/classify.h"
#include "tensordsl/buffer.h"

namespace tensordsl::graph {

/// The way in which a sum of products reads its constant factor.
struct WeightUse {
  std::vector<std::size_t> dims;  ///< dimensions of the weights that dimensions of the sum index
  std::vector<std::string> axes;  ///< axes of the sum that index them
};

/// Returns nothing if a dimension of the weights is indexed by more than an axis of the sum. Scales along
/// `dims` may be applied to the sum.
std::optional<WeightUse> weight_use(const classify::Access& access, const ir::Function& sum);

/// Returns the roles of an f32 sum of products, from 0, of two reads; nullopt if it is not such a sum.
std::optional<classify::Contraction> product_roles(const ir::Function& sum);

/// Returns the shape as extents of a tensor.
std::vector<Expr> extents_of(const Buffer& constant);

}  // namespace tensordsl::graph
