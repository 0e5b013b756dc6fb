#include <algorithm>

#include "ops/definitions/operator_definitions.h"
#include "ops/normalize/normalize_rules.h"
#include "ops/shapes/shape_rules.h"
#include "ops/tables/tables.h"

namespace tensordsl::ops::tables {
namespace {

constexpr std::array kAttentionOperators{
    OperatorSpec{"Attention",
                 {23, kLatest},
                 {3, 7},
                 normalize::attention,
                 nullptr,
                 nullptr,
                 {"is_causal", "kv_num_heads", "left_window_size", "q_num_heads", "qk_matmul_output_mode",
                  "right_window_size", "scale", "softcap", "softmax_precision"},
                 4},
    OperatorSpec{"CausalConvWithState",
                 {27, kLatest},
                 {2, 4},
                 normalize::causal_conv_with_state,
                 nullptr,
                 nullptr,
                 {"activation"},
                 2},
    OperatorSpec{"LinearAttention",
                 {27, kLatest},
                 {3, 6},
                 normalize::linear_attention,
                 nullptr,
                 nullptr,
                 {"chunk_size", "kv_num_heads", "q_num_heads", "scale", "update_rule"},
                 2},
    OperatorSpec{"RotaryEmbedding",
                 {23, kLatest},
                 {3, 4},
                 nullptr,
                 shapes::rotary_embedding,
                 definitions::rotary_embedding,
                 {"interleaved", "num_heads", "rotary_embedding_dim"}},
};
static_assert(std::ranges::is_sorted(kAttentionOperators, {}, &OperatorSpec::name));

}  // namespace

std::span<const OperatorSpec> attention() { return kAttentionOperators; }

}  // namespace tensordsl::ops::tables
