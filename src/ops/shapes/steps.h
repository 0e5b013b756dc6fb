// Steps that rules of ops/normalize make of operators. What the operator's own shape rule has checked, they
// take for granted.
#pragma once

#include "ops/shapes/shape_rule.h"

namespace tensordsl::shapes {

/// Frames: [batch, length, parts] to [batch, frames, frame_length, parts].
InferredNode frames(const OperatorCall& call);
/// SamplePlaces: a grid [N, S.., rank] to i32 places and weights [N, 1, 2^rank, S..] in planes of `extents`.
InferredNode sample_places(const OperatorCall& call);
/// WindowPlaces: offsets [N, G * taps * rank, S..] to i32 places and weights [N, G * taps, 2^rank, S..].
InferredNode window_places(const OperatorCall& call);
/// Samples: [N, C, E], places and weights [N, groups * taps, corners, S] to [N, C, taps, S].
InferredNode samples(const OperatorCall& call);

}  // namespace tensordsl::shapes
