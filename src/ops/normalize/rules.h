// The rules that bring a node of any operator set to the form that ops/operator_table.h describes.
#pragma once

#include "ops/normalize/normalization.h"

namespace tensordsl::normalize {

/// Drops attributes of training that say inference. Throws ModelError on those that do not.
std::vector<Node> batch_normalization(NodeContext& context, Node node);

/// Clip(x, min, max)  ->  Clip(x) {min, max}; with bounds that are computed  ->  Min(Max(x, min), max)
std::vector<Node> clip(NodeContext& context, Node node);

/// `saturate` says something of 8-bit floats alone, and goes.
std::vector<Node> cast(NodeContext& context, Node node);

/// Concat(x0, .., x99)  ->  Concat(Concat(x0, ..), Concat(..), ..), each of few inputs: a kernel can have few
/// arguments.
std::vector<Node> concat(NodeContext& context, Node node);

/// At inference Dropout gives back its input: its ratio and mode go.
std::vector<Node> dropout(NodeContext& context, Node node);

/// Pad(x, pads, value, axes)  ->  Pad(x) {pads, value}; with a value that is computed  ->  Pad(x, value) {pads}.
/// Before opset 11 they are attributes already.
std::vector<Node> pad(NodeContext& context, Node node);

/// The exponent of Pow may be of another type than the base (opset 12); a constant one is converted.
std::vector<Node> pow(NodeContext& context, Node node);

/// Reshape(x, shape)  ->  Reshape(x) {shape}
std::vector<Node> reshape(NodeContext& context, Node node);

/// Before opset 13: y = Softmax(x) {axis} normalizes over all dimensions from axis on
///   ->  y = Reshape(Softmax(Reshape(x) {shape = [before, from axis]}) {axis = 1}) {shape of x}
std::vector<Node> softmax(NodeContext& context, Node node);

/// Squeeze(x, axes), Unsqueeze(x, axes)  ->  the same {axes}. Before opset 13 axes is an attribute already.
std::vector<Node> axes_operand(NodeContext& context, Node node);

/// Sum(a, b, c)  ->  Add(Add(a, b), c);  Sum(a)  ->  Identity(a)
std::vector<Node> sum(NodeContext& context, Node node);

/// Min(a, b, c)  ->  Min(Min(a, b), c);  Min(a)  ->  Identity(a)
std::vector<Node> variadic(NodeContext& context, Node node);

/// CenterCropPad(x, shape) {axes}  ->  Pad(x) {pads}, half of what is missing or too much at the begin
std::vector<Node> center_crop_pad(NodeContext& context, Node node);

/// Col2Im(x, image_shape, block_shape)  ->  Col2Im(x) {image_shape, block_shape}
std::vector<Node> col2im(NodeContext& context, Node node);

/// Compress(x, condition) {axis}  ->  Gather(x, indices) {axis}; without axis of the elements in a row. The
/// condition must be a constant.
std::vector<Node> compress(NodeContext& context, Node node);

/// ConstantOfShape(shape)  ->  ConstantOfShape() {shape, value}
std::vector<Node> constant_of_shape(NodeContext& context, Node node);

/// DepthToSpace(x), SpaceToDepth(x)  ->  Reshape(Transpose(Reshape(x)))
std::vector<Node> depth_to_space(NodeContext& context, Node node);
std::vector<Node> space_to_depth(NodeContext& context, Node node);

/// Expand(x, shape)  ->  Expand(x) {shape}
std::vector<Node> expand(NodeContext& context, Node node);

/// EyeLike(x)  ->  EyeLike() {shape, dtype}: nothing reads x.
std::vector<Node> eye_like(NodeContext& context, Node node);

/// Gather(x, 3)  ->  Squeeze(Slice(x)): a place that is known is no index into data.
std::vector<Node> gather(NodeContext& context, Node node);

/// Throws ModelError: the extent of the output depends on the data.
std::vector<Node> non_max_suppression(NodeContext& context, Node node);

/// NonZero, Unique of a constant  ->  Identity of what they give
std::vector<Node> non_zero(NodeContext& context, Node node);
std::vector<Node> unique(NodeContext& context, Node node);

/// OneHot(indices, depth, values)  ->  OneHot(indices, values) {depth}
std::vector<Node> one_hot(NodeContext& context, Node node);

/// Range(start, limit, delta)  ->  Range() {start, delta, count, dtype}
std::vector<Node> range(NodeContext& context, Node node);

/// Resize(x, roi, scales, sizes) {axes, keep_aspect_ratio_policy}  ->  Resize(x) {roi, scales, sizes} of all
/// dimensions. One of opset 10 that takes the nearest element becomes one that enlarges and one that shrinks.
std::vector<Node> resize(NodeContext& context, Node node);

/// Scatter  ->  ScatterElements
std::vector<Node> scatter(NodeContext& context, Node node);

/// Shape(x) {start, end}, Size(x)  ->  Shape() {sizes}, Size() {sizes}: nothing reads x.
std::vector<Node> shape(NodeContext& context, Node node);
std::vector<Node> size(NodeContext& context, Node node);

/// Slice(x, starts, ends, axes, steps)  ->  Slice(x) {starts, ends, axes, steps}
std::vector<Node> slice(NodeContext& context, Node node);

/// Split(x, split)  ->  Split(x) {split}
std::vector<Node> split(NodeContext& context, Node node);

/// Tile(x, repeats)  ->  Tile(x) {repeats}
std::vector<Node> tile(NodeContext& context, Node node);

/// TopK(x, k)  ->  TopK(x) {k}
std::vector<Node> top_k(NodeContext& context, Node node);

/// Trilu(x, k)  ->  Trilu(x) {k}
std::vector<Node> trilu(NodeContext& context, Node node);

/// Upsample(x, scales)  ->  Resize(x) {scales}
std::vector<Node> upsample(NodeContext& context, Node node);

}  // namespace tensordsl::normalize
