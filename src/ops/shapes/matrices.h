// Matrix products.
#pragma once

#include "ops/shapes/inferred_node.h"

namespace tensordsl::shapes {

/// alpha * A' * B' + beta * C: a [M,K], b [K,N] (transA, transB: transposed), c broadcast to [M,N] or absent
/// -> [M,N].
InferredNode gemm(const OperatorCall& call);
/// NumPy's matmul: [..,M,K] x [..,K,N] -> [..,M,N] with broadcast batch dimensions; a vector stands for [1,K]
/// or [K,1], and its dimension of 1 is dropped from the result.
InferredNode matmul(const OperatorCall& call);
/// MatMulInteger: the same of i8 or u8 less their zero points -> i32. A zero point is one number, or one for
/// each row of the first and each column of the second.
InferredNode matmul_integer(const OperatorCall& call);
/// QLinearMatMul: each of the inputs and the output with a scale and a zero point.
InferredNode qlinear_matmul(const OperatorCall& call);

/// Det: [.., n, n] -> [..], f16, f32 or f64.
InferredNode det(const OperatorCall& call);
InferredNode inverse(const OperatorCall& call);
/// Einsum: sums of products by the attribute equation.
InferredNode einsum(const OperatorCall& call);

}  // namespace tensordsl::shapes
