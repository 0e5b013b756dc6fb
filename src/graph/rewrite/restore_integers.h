// w(k, n) = (q(k, n) - 7)*s(n), computed once; sum(m, n) += x(m, k)*w(k, n)
//   ->   sum(m, n) += x(m, k)*(q(k, n) - 7); y(m, n) = sum(m, n)*s(n), where q is stored as a byte
// Needs: the final readers of constants.  Gives: the same weights to the last bit, in a quarter of the
// memory.
#pragma once

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// Stores constants of f32 that are integers times scales as integers, whichever operators of the file made
/// them: DequantizeLinear, Cast and Mul, Sub. Their readers multiply by the scales: a sum of products after
/// the sum, if there is one scale for each of its elements, else each weight at its read.
///
/// A constant stays f32 if its integers and scales take more than a quarter of the memory and 4 bytes for 16
/// elements, if it has fewer than 4096 elements, which is less than its kernel's text takes, or if the host
/// or something else than sums of products and pure definitions reads it.
void restore_integers(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
