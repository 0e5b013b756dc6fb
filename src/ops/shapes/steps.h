// Steps that rules of ops/normalize make of operators. What the operator's own shape rule has checked, they
// take for granted.
#pragma once

#include "ops/shapes/inferred_node.h"

namespace tensordsl::shapes {

/// CastToNarrow: any tensor to the type that holds the values of `to`.
InferredNode cast_to_narrow(const OperatorCall& call);
/// Frames: [batch, length, parts] to [batch, frames, frame_length, parts].
InferredNode frames(const OperatorCall& call);
/// ResizeWeights: the weights [out, taps] of a Resize along `axis` from `extent` to `sizes`, in `type`.
InferredNode resize_weights(const OperatorCall& call);
/// ResizeAlong: a tensor and such weights to the tensor that has `out` elements along `axis`.
InferredNode resize_along(const OperatorCall& call);
/// SortKeys: to i64 of elements of 64 bits, else to i32, of the same shape.
InferredNode sort_keys(const OperatorCall& call);
/// KeyThreshold: keys [rows, n], the values [4] that two bits may add, and what is known of the threshold so
/// far, [rows], to the threshold with these bits.
InferredNode key_threshold(const OperatorCall& call);
/// KeyCounts: keys [rows, n] and thresholds [rows] to i32[rows, pieces of n], two counts in each.
InferredNode key_counts(const OperatorCall& call);
/// KeySums: such counts to two tensors of that shape.
InferredNode key_sums(const OperatorCall& call);
/// KeyPlaces: keys, thresholds and the sums of both counts up to each piece to i32[rows, k].
InferredNode key_places(const OperatorCall& call);
/// KeyRanks, KeyChanges, MergePlaces: keys [rows, n] to i32 of that shape.
InferredNode of_keys(const OperatorCall& call);
/// RowExtremes: any tensor to [.., 2], where the dimensions from `axis` on are a row.
InferredNode row_extremes(const OperatorCall& call);
/// QuantizationParameters: any tensor to [2].
InferredNode quantization_parameters(const OperatorCall& call);
/// SamplePlaces: a grid [N, S.., rank] to i32 places and weights [N, 1, 2^rank, S..] in planes of `extents`.
InferredNode sample_places(const OperatorCall& call);
/// WindowPlaces: offsets [N, G * taps * rank, S..] to i32 places and weights [N, G * taps, 2^rank, S..].
InferredNode window_places(const OperatorCall& call);
/// Samples: [N, C, E], places and weights [N, groups * taps, corners, S] to [N, C, taps, S].
InferredNode samples(const OperatorCall& call);

}  // namespace tensordsl::shapes
