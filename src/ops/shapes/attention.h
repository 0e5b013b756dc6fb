// What models of language are made of.
#pragma once

#include "ops/shapes/inferred_node.h"

namespace tensordsl::shapes {

/// RotaryEmbedding: x [B,H,S,D] or [B,S,H*D], cos and sin [B,S,R/2], or [P,R/2] and position_ids i64 [B,S]
/// -> as x. R is rotary_embedding_dim, or D; there may be more than R/2 angles.
InferredNode rotary_embedding(const OperatorCall& call);

}  // namespace tensordsl::shapes
