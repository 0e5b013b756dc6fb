// sum(m, n) += x(m, k)*w(k, n)    ->    sum(m, n) += x(m, k)*f32(q(k, n))
// y(m, n) = f(sum(m, n))                scaled(m, n) = sum(m, n)*s(n)
//                                       y(m, n) = f(scaled(m, n))
// t(i, d) = w(place(i), d)           ->    t(i, d) = f32(q(place(i), d))*s(place(i))
// Needs: the final readers of constants.  Gives: the same with a constant s for each such w.
#pragma once

#include <cstddef>
#include <vector>

#include "graph/stages/graph.h"
#include "tensordsl/precision.h"

namespace tensordsl::graph {

/// w = q*s but for rounding.
struct QuantizedWeights {
  Buffer integers;  ///< q, as f32: from -127 to 127
  Buffer exact;     ///< w/s
  Buffer scales;    ///< s, f32
};

/// Quantizes with a scale for each index along the dimensions `dims`, in order: the largest |q| there is 127.
/// The scale of zeros is 1.
QuantizedWeights quantized_weights(const Buffer& weights, const std::vector<std::size_t>& dims);

/// Stores weights as integers of one byte: q = round(w/s), s = max |w|/127 over the weights of one output, or
/// of a row of a table whose rows data choose. Applies to f32 constants of finite numbers that only such sums
/// and readers read, with 16 or more for each s, and 4096 in all. Sums are f32 as before.
void quantize_weights(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
