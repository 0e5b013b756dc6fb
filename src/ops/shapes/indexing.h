// Operators that read or write at places that a tensor says, and those that choose or order elements.
#pragma once

#include "ops/shapes/inferred_node.h"

namespace tensordsl::shapes {

/// Gather: x [before.., n, after..], indices [q..] -> [before.., q.., after..].
InferredNode gather(const OperatorCall& call);
/// GatherElements: x and indices of one rank -> the shape of indices.
InferredNode gather_elements(const OperatorCall& call);
/// GatherND: x, indices [b.., q.., k] -> [b.., q.., what is left of x behind the first batch_dims + k].
InferredNode gather_nd(const OperatorCall& call);
/// ScatterElements: x, indices and updates of one rank, the last two of one shape -> the shape of x.
InferredNode scatter_elements(const OperatorCall& call);
/// ScatterND: x, indices [q.., k], updates [q.., what is left of x behind the first k] -> the shape of x.
InferredNode scatter_nd(const OperatorCall& call);
/// TensorScatter: a cache [B,..,M,..], an update [B,..,S,..] with S up to M, and a place [B] for each batch.
InferredNode tensor_scatter(const OperatorCall& call);
/// OneHot: indices [q..], values [off, on] -> [q.., depth], the new dimension at axis.
InferredNode one_hot(const OperatorCall& call);
/// Trilu: keeps the upper or lower triangle of the last two dimensions, from diagonal k on.
InferredNode trilu(const OperatorCall& call);
/// TopK: the k largest or smallest along axis, in that order, and their places as i64.
InferredNode top_k(const OperatorCall& call);
/// ReverseSequence: the first lengths[b] elements along time_axis are reversed.
InferredNode reverse_sequence(const OperatorCall& call);

/// NonZero: how many are not 0 up to each element, [n] -> [rank of shape, count] of i64.
InferredNode non_zero(const OperatorCall& call);
/// NonMaxSuppression: boxes [b, n, 4], scores [b, c, n], the most of a class, both thresholds -> [b, c, most]
/// of i32.
InferredNode non_max_suppression(const OperatorCall& call);
/// Unique: slices [n, m] -> [n] of i64.
InferredNode unique(const OperatorCall& call);

}  // namespace tensordsl::shapes
