// Matrix products.
#pragma once

#include "ops/shapes/shape_rule.h"

namespace tensordsl::shapes {

/// alpha * A' * B' + beta * C: a [M,K], b [K,N] (transA, transB: transposed), c broadcast to [M,N] or absent
/// -> [M,N].
InferredNode gemm(const OperatorCall& call);
/// NumPy's matmul: [..,M,K] x [..,K,N] -> [..,M,N] with broadcast batch dimensions; a vector stands for [1,K]
/// or [K,1], and its dimension of 1 is dropped from the result.
InferredNode matmul(const OperatorCall& call);

/// Det: [.., n, n] -> [..], f16, f32 or f64.
InferredNode det(const OperatorCall& call);
/// Einsum: sums of products by the attribute equation.
InferredNode einsum(const OperatorCall& call);

}  // namespace tensordsl::shapes
