// ONNX Runtime's operators, which its quantizer and its optimizer write. Most are put together of ONNX's.
#include <algorithm>
#include <initializer_list>

#include "ops/definitions/operator_definitions.h"
#include "ops/normalize/contributed/contributed_rules.h"
#include "ops/shapes/shape_rules.h"
#include "ops/tables/tables.h"

namespace tensordsl::ops::tables {
namespace {

namespace rules = normalize::contributed;

constexpr std::uint32_t optional(std::initializer_list<unsigned> inputs) {
  std::uint32_t bits = 0;
  for (const unsigned i : inputs) bits |= 1U << i;
  return bits;
}

/// The domain has one version.
constexpr OperatorSpec contributed(std::string_view key, InputCount inputs, NormalizeNode rule,
                                   std::array<std::string_view, 12> attributes = {},
                                   std::size_t outputs = 1) {
  return {key, {1, 1}, inputs, rule, nullptr, nullptr, attributes, outputs};
}

constexpr std::array kContributedOperators{
    contributed("com.microsoft.Attention", {2, 6}, rules::attention,
                {"do_rotary", "mask_filter_value", "num_heads", "past_present_share_buffer",
                 "qkv_hidden_sizes", "rotary_embedding_dim", "scale", "unidirectional"},
                2),
    contributed("com.microsoft.BiasGelu", {2, 2}, rules::gelu),
    contributed("com.microsoft.BiasSplitGelu", {2, 2}, rules::bias_split_gelu),
    contributed("com.microsoft.CDist", {2, 2}, rules::c_dist, {"metric"}),
    contributed("com.microsoft.ConvTransposeWithDynamicPads", {2, 4}, rules::conv_transpose_with_dynamic_pads,
                {"auto_pad", "dilations", "group", "kernel_shape", "output_padding", "strides"}),
    contributed("com.microsoft.DequantizeLinear", {2, 3}, rules::dequantize_linear, {"axis"}),
    contributed("com.microsoft.DynamicQuantizeLSTM", {12, 12, optional({3, 4, 5, 6, 7})},
                rules::dynamic_quantize_lstm,
                {"activation_alpha", "activation_beta", "activations", "clip", "direction", "hidden_size",
                 "input_forget"},
                3),
    contributed("com.microsoft.DynamicQuantizeMatMul", {3, 5}, rules::dynamic_quantize_matmul),
    contributed("com.microsoft.EmbedLayerNormalization", {7, 9, optional({1, 4})},
                rules::embed_layer_normalization, {"epsilon", "mask_index_type"}, 3),
    contributed("com.microsoft.FastGelu", {1, 2}, rules::fast_gelu),
    contributed("com.microsoft.FusedConv", {2, 4}, rules::fused_conv,
                {"activation", "activation_params", "auto_pad", "dilations", "group", "kernel_shape", "pads",
                 "strides"}),
    contributed("com.microsoft.FusedGemm", {2, 3}, rules::fused_gemm,
                {"activation", "activation_alpha", "activation_beta", "activation_gamma", "alpha", "beta",
                 "transA", "transB"}),
    contributed("com.microsoft.FusedMatMul", {2, 2}, rules::fused_matmul,
                {"alpha", "transA", "transB", "transBatchA", "transBatchB"}),
    contributed("com.microsoft.Gelu", {1, 1}, rules::gelu),
    contributed("com.microsoft.GridSample", {2, 2}, rules::grid_sample,
                {"align_corners", "mode", "padding_mode"}),
    OperatorSpec{"com.microsoft.Inverse", {1, 1}, {1, 1}, nullptr, shapes::inverse, definitions::inverse},
    contributed("com.microsoft.MatMulIntegerToFloat", {4, 7}, rules::matmul_integer_to_float),
    contributed("com.microsoft.MultiHeadAttention", {1, 8}, rules::multi_head_attention,
                {"mask_filter_value", "num_heads", "scale", "unidirectional"}, 3),
    contributed("com.microsoft.NhwcMaxPool", {1, 1}, rules::nhwc_max_pool,
                {"auto_pad", "ceil_mode", "dilations", "kernel_shape", "pads", "strides"}),
    contributed("com.microsoft.Pad", {2, 3}, rules::pad, {"mode"}),
    contributed("com.microsoft.QGemm", {6, 9, optional({2, 5})}, rules::q_gemm,
                {"alpha", "transA", "transB"}),
    contributed("com.microsoft.QLinearAdd", {7, 8, optional({2, 5})}, rules::qlinear_add),
    contributed(
        "com.microsoft.QLinearAveragePool", {4, 5, optional({2})}, rules::qlinear_average_pool,
        {"auto_pad", "ceil_mode", "channels_last", "count_include_pad", "kernel_shape", "pads", "strides"}),
    contributed("com.microsoft.QLinearConcat", {5, kAny}, rules::qlinear_concat, {"axis"}),
    contributed("com.microsoft.QLinearConv", {8, 9}, rules::qlinear_conv,
                {"auto_pad", "channels_last", "dilations", "group", "kernel_shape", "pads", "strides"}),
    contributed("com.microsoft.QLinearGlobalAveragePool", {4, 5, optional({2})},
                rules::qlinear_global_average_pool, {"channels_last"}),
    contributed("com.microsoft.QLinearLeakyRelu", {4, 5, optional({2})}, rules::qlinear_leaky_relu,
                {"alpha"}),
    contributed("com.microsoft.QLinearMul", {7, 8, optional({2, 5})}, rules::qlinear_mul),
    contributed("com.microsoft.QLinearSigmoid", {4, 5, optional({2})}, rules::qlinear_sigmoid),
    contributed("com.microsoft.QLinearSoftmax", {4, 5, optional({2})}, rules::qlinear_softmax,
                {"axis", "opset"}),
    contributed("com.microsoft.QuantizeLinear", {2, 3}, rules::quantize_linear, {"axis"}),
    contributed("com.microsoft.QuickGelu", {1, 1}, rules::quick_gelu, {"alpha"}),
    contributed("com.microsoft.Range", {2, 3}, rules::range),
    contributed("com.microsoft.SkipLayerNormalization", {3, 5}, rules::skip_layer_normalization, {"epsilon"},
                4),
    contributed("com.microsoft.SkipSimplifiedLayerNormalization", {3, 4},
                rules::skip_simplified_layer_normalization, {"epsilon"}, 4),
    contributed("com.microsoft.Trilu", {1, 2}, rules::trilu, {"upper"}),
    contributed("com.microsoft.Unique", {1, 1}, rules::unique, {}, 3),
};
static_assert(std::ranges::is_sorted(kContributedOperators, {}, &OperatorSpec::name));

}  // namespace

std::span<const OperatorSpec> contributed() { return kContributedOperators; }

}  // namespace tensordsl::ops::tables
