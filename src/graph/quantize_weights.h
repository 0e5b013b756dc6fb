// sum(m, n) += x(m, k)*w(k, n)    ->    sum(m, n) += x(m, k)*f32(q(k, n))
// y(m, n) = f(sum(m, n))                scaled(m, n) = sum(m, n)*s(n)
//                                       y(m, n) = f(scaled(m, n))
// Needs: constants as they are read in the end.  Gives: the same with a constant s for each such w.
#pragma once

#include "definitions/definition_graph.h"
#include "graph/pass_log.h"
#include "tensordsl/precision.h"

namespace tensordsl {

/// Weights as integers of one byte: q = round(w/s), s = max |w|/127 of what the sums of one output read. Of
/// f32 constants that only sums of products read, 16 or more for each s, and 4096 in all. Sums are f32 as
/// before.
DefinitionGraph quantize_weights(DefinitionGraph graph, WeightPrecision precision,
                                 PassNotes* notes = nullptr);

}  // namespace tensordsl
