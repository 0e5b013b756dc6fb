// The rules that make ONNX's operators of those that ONNX Runtime contributes, of the domain com.microsoft.
// They compute as ONNX Runtime's kernels for processors do.
#pragma once

#include "ops/normalize/normalization.h"

namespace tensordsl::ops::normalize::contributed {

/// QLinearAdd(A, a, a0, B, b, b0, c, c0)  ->  round((A - a0) * (a/c) + (B - b0) * (b/c) + c0)
std::vector<Node> qlinear_add(NodeContext& context, Node node);
/// QLinearMul(A, a, a0, B, b, b0, c, c0)  ->  round((A - a0) * (B - b0) * (a*b/c) + c0)
std::vector<Node> qlinear_mul(NodeContext& context, Node node);
/// QLinearSigmoid(X, x, x0, y, y0)  ->  QuantizeLinear(Sigmoid(DequantizeLinear(X, x, x0)), y, y0), and so
/// LeakyRelu.
std::vector<Node> qlinear_sigmoid(NodeContext& context, Node node);
std::vector<Node> qlinear_leaky_relu(NodeContext& context, Node node);
/// QLinearAveragePool(X, x, x0, y, y0)  ->  round(AveragePool(DequantizeLinear(X, x, x0)) / y + y0). The
/// dequantized tensor is in memory: within the sum a product would not be rounded, as ONNX Runtime's is.
std::vector<Node> qlinear_average_pool(NodeContext& context, Node node);
/// QLinearConv(X, ..) {channels_last}  ->  Transpose(QLinearConv(Transpose(X), ..))
std::vector<Node> qlinear_conv(NodeContext& context, Node node);
/// QLinearGlobalAveragePool(X, x, x0, y, y0)  ->  round(sum (X - x0) * (x / (y * elements))) + y0
std::vector<Node> qlinear_global_average_pool(NodeContext& context, Node node);
/// QLinearConcat(y, y0, A, a, a0, ..)  ->  QuantizeLinear(Concat(DequantizeLinear(A, a, a0), ..), y, y0)
std::vector<Node> qlinear_concat(NodeContext& context, Node node);
/// QLinearSoftmax(X, x, x0, y, y0)  ->  round(Softmax((X - x0) * x) * floor(1/y)) + y0. ONNX Runtime takes
/// the exponentials from a table, so its results may differ by one quantum.
std::vector<Node> qlinear_softmax(NodeContext& context, Node node);

/// DynamicQuantizeLSTM(x, W, R, ..)  ->  as LSTM, with products of integers, to which the inputs of all
/// steps, and the state before each, are rounded.
std::vector<Node> dynamic_quantize_lstm(NodeContext& context, Node node);

/// FusedMatMul(a, b) {transA, transBatchA, .., alpha}  ->  MatMul(Transpose(a), Transpose(b)) * alpha
std::vector<Node> fused_matmul(NodeContext& context, Node node);
/// FusedGemm(a, b, c) {activation}  ->  Relu(Gemm(a, b, c)), or another activation
std::vector<Node> fused_gemm(NodeContext& context, Node node);
/// FusedConv(x, w, b, z) {activation}  ->  Relu(Conv(x, w, b) + z), or another activation
std::vector<Node> fused_conv(NodeContext& context, Node node);
/// MatMulIntegerToFloat(A, B, a, b, a0, b0, bias)  ->  MatMulInteger(A, B, a0, b0) * (a*b) + bias
std::vector<Node> matmul_integer_to_float(NodeContext& context, Node node);
/// DynamicQuantizeMatMul(x, B, b, b0, bias)  ->  the same of A, a, a0 = DynamicQuantizeLinear(x)
std::vector<Node> dynamic_quantize_matmul(NodeContext& context, Node node);
/// QGemm(A, a, a0, B, b, b0, C, y, y0) {alpha}
///   ->  round((MatMulInteger(A, B, a0, b0) + C) * (alpha*a*b/y)) + y0; without y0 the float, not rounded
std::vector<Node> q_gemm(NodeContext& context, Node node);

/// Gelu(x), BiasGelu(x, bias)  ->  Gelu(x + bias)
std::vector<Node> gelu(NodeContext& context, Node node);
/// FastGelu(x, bias)  ->  Gelu(x + bias) {approximate = "tanh"}
std::vector<Node> fast_gelu(NodeContext& context, Node node);
/// QuickGelu(x) {alpha}  ->  Swish(x) {alpha}
std::vector<Node> quick_gelu(NodeContext& context, Node node);
/// BiasSplitGelu(x, bias)  ->  left * Gelu(right), the halves of x + bias along the last dimension
std::vector<Node> bias_split_gelu(NodeContext& context, Node node);

/// SkipLayerNormalization(x, skip, scale, shift, bias)  ->  LayerNormalization(x + skip + bias, scale, shift)
std::vector<Node> skip_layer_normalization(NodeContext& context, Node node);
/// SkipSimplifiedLayerNormalization(x, skip, scale, bias)  ->  RMSNormalization(x + skip + bias, scale)
std::vector<Node> skip_simplified_layer_normalization(NodeContext& context, Node node);
/// SimplifiedLayerNormalization(x, scale)  ->  RMSNormalization(x, scale), of ONNX's own domain although only
/// ONNX Runtime has it
std::vector<Node> simplified_layer_normalization(NodeContext& context, Node node);
/// EmbedLayerNormalization(ids, segment ids, words, positions, segments, scale, shift, mask, position ids)
///   ->  LayerNormalization of the sum of three Gathers; output 1 counts the ones of each row of the mask.
std::vector<Node> embed_layer_normalization(NodeContext& context, Node node);

/// Attention(x, weights, bias, mask, past, attention bias)
///   ->  Attention of ONNX, of the parts of x * weights + bias, with the mask and the bias as one tensor
std::vector<Node> attention(NodeContext& context, Node node);
/// MultiHeadAttention(query, key, value, bias, mask, attention bias, past key, past value)  ->  the same
std::vector<Node> multi_head_attention(NodeContext& context, Node node);

/// CDist(a, b)  ->  the sum of the squares of a - b for each pair of rows, or its root
std::vector<Node> c_dist(NodeContext& context, Node node);
/// ConvTransposeWithDynamicPads(x, w, pads, b)  ->  ConvTranspose(x, w, b) {pads}
std::vector<Node> conv_transpose_with_dynamic_pads(NodeContext& context, Node node);
/// NhwcMaxPool(x)  ->  Transpose(MaxPool(Transpose(x)))
std::vector<Node> nhwc_max_pool(NodeContext& context, Node node);
/// Pad(x, pads, value), where pads may have a dimension of 1 in front
std::vector<Node> pad(NodeContext& context, Node node);
/// Range(start, limit, delta), where a delta that is absent is 1
std::vector<Node> range(NodeContext& context, Node node);
/// Unique(x)  ->  Unique(x) {sorted = 0}, without the first positions
std::vector<Node> unique(NodeContext& context, Node node);
/// ONNX's of that name.
std::vector<Node> dequantize_linear(NodeContext& context, Node node);
std::vector<Node> grid_sample(NodeContext& context, Node node);
std::vector<Node> quantize_linear(NodeContext& context, Node node);
std::vector<Node> trilu(NodeContext& context, Node node);

}  // namespace tensordsl::ops::normalize::contributed
