// Operators along some dimensions of a tensor.
#pragma once

#include "ops/shapes/inferred_node.h"

namespace tensordsl::shapes {

/// ReduceSum, ReduceMean, ...: any number type; axes (all without them, or none with noop_with_empty_axes),
/// which keep an extent of 1 with keepdims.
InferredNode reduce(const OperatorCall& call);
/// ReduceMax, ReduceMin: also of bool.
InferredNode reduce_extremum(const OperatorCall& call);
/// ArgMax, ArgMin: any number type, axis, keepdims, select_last_index -> i64.
InferredNode argument(const OperatorCall& call);
/// CumSum: any number type, axis, exclusive, reverse. [..] -> [..]
InferredNode cum_sum(const OperatorCall& call);

}  // namespace tensordsl::shapes
