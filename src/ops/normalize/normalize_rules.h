// The rules that bring a node of any operator set to the form that ops/operator_spec.h describes.
#pragma once

#include "ops/normalize/normalization.h"

namespace tensordsl::ops::normalize {

/// Before opset 7: y = Add(a, b) {broadcast, axis}, where b has the dimensions of a from axis on, or its last
///   ->  y = Add(a, Reshape(b) {as many dimensions of 1 after its own as a has after them})
std::vector<Node> binary(NodeContext& context, Node node);

/// Drops attributes of training that say inference. Throws ModelError on those that do not.
std::vector<Node> batch_normalization(NodeContext& context, Node node);

/// Clip(x, min, max)  ->  Clip(x) {min, max}, infinite bounds left out; with bounds that are computed
///   ->  Min(Max(x, min), max)
std::vector<Node> clip(NodeContext& context, Node node);

/// BitCast(x), of which types that the language does not have are refused
std::vector<Node> bit_cast(NodeContext& context, Node node);
/// Cast(x) {to, saturate, round_mode}  ->  Cast(x) {to}, or CastToNarrow(x) to a type that the language does
/// not have
std::vector<Node> cast(NodeContext& context, Node node);

/// CastLike(x, like)  ->  the same to the type of like
std::vector<Node> cast_like(NodeContext& context, Node node);

/// Attributes name the types that the language lacks: output_dtype, and x_dtype of floats. DequantizeLinear
/// to such a type  ->  CastToNarrow of one to the type that holds it.
std::vector<Node> quantize_linear(NodeContext& context, Node node);
std::vector<Node> dequantize_linear(NodeContext& context, Node node);

/// DynamicQuantizeLinear(x)  ->  p = QuantizationParameters(x), or of RowExtremes(x) where there are rows,
/// s = p[0], z = Cast(p[1]), QuantizeLinear(x, s, z)
std::vector<Node> dynamic_quantize_linear(NodeContext& context, Node node);

/// Concat(x0, .., x99)  ->  Concat(Concat(x0, ..), Concat(..), ..), each of few inputs: a kernel can have few
/// arguments.
std::vector<Node> concat(NodeContext& context, Node node);

/// Attention(Q, K, V, ..)  ->  MatMul(Softmax(MatMul(Q * scale, K'), masked), V), with what it has of the
/// past before K and V. Heads of Q that share one of K are rows of one matrix. The rules are those
/// that ONNX 1.23 states, which mended earlier ones: heads are split from the last dimension, neighbors share
/// keys, softcap comes before the mask, and a row that is masked entirely gives 0.
std::vector<Node> attention(NodeContext& context, Node node);

/// LinearAttention over T steps  ->  for each step products of its query with a state, to which the product
/// of its key and value is added. T must be known.
std::vector<Node> linear_attention(NodeContext& context, Node node);

/// CausalConvWithState(x, w, bias, past)  ->  Conv(Concat(past, x)) by channels, and the end of its input
std::vector<Node> causal_conv_with_state(NodeContext& context, Node node);

/// The levels of concat, whose inputs all have elements.
std::vector<Node> concat_in_levels(NodeContext& context, Node node);

/// CumSum(x, axis)  ->  CumSum(x) {axis}
std::vector<Node> cum_sum(NodeContext& context, Node node);

/// Removes Dropout's ratio and mode: at inference it returns its input. A mask of another type than bool, as
/// before opset 10, is a Cast of it.
std::vector<Node> dropout(NodeContext& context, Node node);

/// Pad(x, pads, value, axes)  ->  Pad(x) {pads, value}; with a value that is computed  ->  Pad(x, value)
/// {pads}. Before opset 11 they are attributes already.
std::vector<Node> pad(NodeContext& context, Node node);

/// Mean(a, b, .., z)  ->  Div(Sum(a, b, .., z), 26), if they are more than the arguments of a kernel
std::vector<Node> mean(NodeContext& context, Node node);

/// Before opset 7 a slope of one dimension has a value for each channel: it gets dimensions of 1 after it.
std::vector<Node> prelu(NodeContext& context, Node node);

/// Broadcasts like the other binary operators. The exponent may be of another type than the base (opset 12);
/// a constant one is converted if that is exact.
std::vector<Node> pow(NodeContext& context, Node node);

/// AffineGrid(theta, size)  ->  AffineGrid(theta) {size}
std::vector<Node> affine_grid(NodeContext& context, Node node);

/// MaxUnpool(x, indices, output_shape)  ->  MaxUnpool(x, indices) {output_shape}
std::vector<Node> max_unpool(NodeContext& context, Node node);

/// Before opset 16 the samples are off by half a pixel: coordinate_transformation_mode = "output_half_pixel".
std::vector<Node> roi_align(NodeContext& context, Node node);

/// RNN(x, w, r, ..) over T steps  ->  T nodes RNN of one step each, as ops/shapes/shape_rules.h has it, and
/// before each the product of the state with r; before all the product of x with w. GRU and LSTM likewise.
/// Where T is open or large  ->  that product, and a node RNNStates of all steps.
/// The parts of states and outputs in two directions, and those after the end of a sequence, are put where
/// they belong.
std::vector<Node> rnn(NodeContext& context, Node node);
std::vector<Node> gru(NodeContext& context, Node node);
std::vector<Node> lstm(NodeContext& context, Node node);

/// Reshape(x, shape)  ->  Reshape(x) {shape}, and so Expand
std::vector<Node> shape_operand(NodeContext& context, Node node);

/// Softmax, LogSoftmax, Hardmax.
/// Before opset 13: y = Softmax(x) {axis} normalizes over all dimensions from axis on
///   ->  y = Reshape(Softmax(Reshape(x) {shape = [before, from axis]}) {axis = 1}) {shape of x}
std::vector<Node> softmax(NodeContext& context, Node node);

/// Squeeze(x, axes), ReduceSum(x, axes)  ->  the same {axes}. In older opsets axes is an attribute already.
std::vector<Node> axes_operand(NodeContext& context, Node node);

/// Sum(a, b, c)  ->  Add(Add(a, b), c);  Sum(a)  ->  Identity(a)
std::vector<Node> sum(NodeContext& context, Node node);

/// Min(a, b, c)  ->  Min(Min(a, b), c);  Min(a)  ->  Identity(a)
std::vector<Node> variadic(NodeContext& context, Node node);

/// CenterCropPad(x, shape) {axes}  ->  Pad(x) {pads}, half of the difference at the begin
std::vector<Node> center_crop_pad(NodeContext& context, Node node);

/// Col2Im(x, image_shape, block_shape)  ->  Col2Im(x) {image_shape, block_shape}
std::vector<Node> col2im(NodeContext& context, Node node);

/// Compress(x, condition) {axis}  ->  Gather(x, NonZero(condition)) {axis}; without axis of the elements in a
/// row.
std::vector<Node> compress(NodeContext& context, Node node);
std::vector<Node> counted_compress(NodeContext& context, const Node& node);

/// ConstantOfShape(shape)  ->  ConstantOfShape() {shape, value}
std::vector<Node> constant_of_shape(NodeContext& context, Node node);

/// DepthToSpace(x), SpaceToDepth(x)  ->  Reshape(Transpose(Reshape(x)))
std::vector<Node> depth_to_space(NodeContext& context, Node node);
std::vector<Node> space_to_depth(NodeContext& context, Node node);

/// Einsum(a, b, c) {"ij,jk,kl->il"}  ->  Einsum(Einsum(a, b) {"ij,jk->ik"}, c) {"ik,kl->il"}, so that each
/// product has two operands. Labels that only one operand has are summed before it is multiplied.
std::vector<Node> einsum(NodeContext& context, Node node);

/// EyeLike(x)  ->  EyeLike() {shape, dtype}: nothing reads x.
std::vector<Node> eye_like(NodeContext& context, Node node);

/// Gather(x, 3)  ->  Squeeze(Slice(x)): an index that is known needs no gather.
std::vector<Node> gather(NodeContext& context, Node node);

/// NonMaxSuppression(boxes, scores, limit, thresholds)  ->  c = NonMaxSuppression(..) {most}, which has for
/// each class the chosen boxes in a row of `most`; then the positions in c that are not 0, and their
/// elements.
std::vector<Node> non_max_suppression(NodeContext& context, Node node);

/// NonZero(x)  ->  sums = CumSum(x != 0), n = ReduceSum(x != 0), a count, NonZero(sums) {shape, count = n};
/// for a constant  ->  Identity of the result
std::vector<Node> non_zero(NodeContext& context, Node node);
std::vector<Node> counted_non_zero(NodeContext& context, const Node& node);

/// Unique(x) {axis}  ->  r = Unique(slices of x), which has for each slice the number of its equals in the
/// output; for many elements, by sorting their keys; n = ReduceMax(r) + 1, a count, and the outputs from r; a
/// constant is handled as by NonZero
std::vector<Node> unique(NodeContext& context, Node node);
std::vector<Node> counted_unique(NodeContext& context, const Node& node);

/// OneHot(indices, depth, values)  ->  OneHot(indices, values) {depth}
std::vector<Node> one_hot(NodeContext& context, Node node);

/// GridSample(x, grid) between elements, of several channels  ->  places, weights = SamplePlaces(grid), then
/// Samples(x, places, weights)
std::vector<Node> grid_sample(NodeContext& context, Node node);

/// DeformConv(x, w, offset, bias, mask) of several channels or filters  ->  places, weights =
/// WindowPlaces(offset, mask), then MatMul(w, Samples(x, places, weights)) + bias
std::vector<Node> deform_conv(NodeContext& context, Node node);

/// Range(start, limit, delta)  ->  Range() {start, delta, count, dtype}
std::vector<Node> range(NodeContext& context, Node node);

/// Resize(x, roi, scales, sizes) {axes, keep_aspect_ratio_policy}  ->  Resize(x) {roi, scales, sizes} of all
/// dimensions. One of opset 10 that takes the nearest element becomes one that enlarges and one that shrinks.
std::vector<Node> resize(NodeContext& context, Node node);
/// Resize(x) that is antialiased  ->  ResizeAlong(x, ResizeWeights()) of each dimension that shrinks, or may,
/// and a Resize of the others: enlarging needs no filter.
std::vector<Node> antialiased_resize(NodeContext& context, Node node);

/// Scatter  ->  ScatterElements
std::vector<Node> scatter(NodeContext& context, Node node);

/// Shape(x) {start, end}, Size(x)  ->  Shape() {sizes}, Size() {sizes}: nothing reads x.
std::vector<Node> shape(NodeContext& context, Node node);
std::vector<Node> size(NodeContext& context, Node node);

/// HannWindow(size)  ->  HannWindow() {size}, and so HammingWindow and BlackmanWindow
std::vector<Node> window_function(NodeContext& context, Node node);

/// DFT(x, dft_length, axis)  ->  DFT(x) {dft_length, axis}. Before opset 20 axis is an attribute already.
/// Where the length is known, as products with constant matrices, one for each factor of the length; where a
/// prime of it is large, as a convolution by such transforms.
std::vector<Node> dft(NodeContext& context, Node node);
std::vector<Node> dft_by_factors(NodeContext& context, Node node);

/// STFT(signal, frame_step, window, frame_length)  ->  STFT(signal, window) {frame_step, frame_length}
/// Such as dft computes by factors  ->  Frames(signal, window), and such products
std::vector<Node> stft(NodeContext& context, Node node);
/// `signal` is input 0.
std::vector<Node> stft_by_factors(NodeContext& context, Node node, const TensorInfo& signal);

/// MelWeightMatrix(num_mel_bins, dft_length, sample_rate, lower_edge_hertz, upper_edge_hertz)
///   ->  MelWeightMatrix(bins) {spectrogram_bins}, where bins has the left end of each mel bin among the
/// frequencies; the next one is its center, and the one after that its right end.
std::vector<Node> mel_weight_matrix(NodeContext& context, Node node);

/// Slice(x, starts, ends, axes, steps)  ->  Slice(x) {starts, ends, axes, steps}
std::vector<Node> slice(NodeContext& context, Node node);

/// Split(x, split)  ->  Split(x) {split}
std::vector<Node> split(NodeContext& context, Node node);

/// Tile(x, repeats)  ->  Tile(x) {repeats}
std::vector<Node> tile(NodeContext& context, Node node);

/// TopK(x, k)  ->  TopK(x) {k}. Of long rows whose length is known
///   ->  keys = SortKeys(x), threshold = the k-th largest by KeyThreshold, two bits at a time, places =
/// KeyPlaces of the keys from it on, in the order of KeyRanks and MergePlaces, and the existing elements
std::vector<Node> top_k(NodeContext& context, Node node);
std::vector<Node> top_k_by_keys(NodeContext& context, Node node);

/// Trilu(x, k)  ->  Trilu(x) {k}
std::vector<Node> trilu(NodeContext& context, Node node);

/// Upsample(x, scales)  ->  Resize(x) {scales}
std::vector<Node> upsample(NodeContext& context, Node node);

}  // namespace tensordsl::ops::normalize
