// The shape rule of every operator: types and shapes of its outputs, and its attributes with every default
// written out (ops/shapes/inferred_node.h). A rule is in the file of its section's name.
#pragma once

#include "ops/shapes/inferred_node.h"

namespace tensordsl::ops::shapes {

// elementwise.cpp: Operators whose output elements depend on the input elements of the same (broadcast)
// position.

/// Identity: any type. [..] -> [..]
InferredNode same(const OperatorCall& call);
/// Cast: any type, to the one that ONNX's number `to` is. [..] -> [..]
InferredNode cast(const OperatorCall& call);
/// BitCast: any type, to another of the same width. [..] -> [..]
InferredNode bit_cast(const OperatorCall& call);
/// CastLike: any type, to the type of input 1. [..] -> [..]
InferredNode cast_like(const OperatorCall& call);
/// Dropout: any type. [..] -> [..], and a mask bool [..] if the node lists it.
InferredNode dropout(const OperatorCall& call);
/// Relu, Neg, Abs, Clip: any number type; Clip keeps its bounds min and max. [..] -> [..]
InferredNode numeric(const OperatorCall& call);
/// Exp, Sqrt, Sigmoid, ...: any float type. [..] -> [..]
InferredNode floating(const OperatorCall& call);
/// BitwiseNot: integers. [..] -> [..]
InferredNode integer(const OperatorCall& call);
/// Not: bool. [..] -> [..]
InferredNode logical(const OperatorCall& call);
/// IsNaN, IsInf with its two flags: floats -> bool. [..] -> [..]
InferredNode is_nan(const OperatorCall& call);
InferredNode is_inf(const OperatorCall& call);

/// Floats with their attributes. [..] -> [..]
/// Celu, Elu, ThresholdedRelu: alpha, by default 1.
InferredNode elu(const OperatorCall& call);
/// Gelu: approximate, "none" or "tanh".
InferredNode gelu(const OperatorCall& call);
/// HardSigmoid: alpha, beta.
InferredNode hard_sigmoid(const OperatorCall& call);
/// LeakyRelu: alpha.
InferredNode leaky_relu(const OperatorCall& call);
/// Selu: alpha, gamma.
InferredNode selu(const OperatorCall& call);
/// Shrink: any number type; bias, lambd.
InferredNode shrink(const OperatorCall& call);
/// Swish: alpha.
InferredNode swish(const OperatorCall& call);
/// SwiGLU: A and B of one shape.
InferredNode swi_glu(const OperatorCall& call);
/// Softmax, LogSoftmax, Hardmax, MaskedSoftmax: along axis.
InferredNode softmax(const OperatorCall& call);

/// Two inputs, broadcast against each other.
/// Add, Mul, Min, ...: of one number type.
InferredNode binary(const OperatorCall& call);
/// BitShift: unsigned integers; direction.
InferredNode bit_shift(const OperatorCall& call);
/// BitwiseAnd, ...: of one integer type.
InferredNode binary_integer(const OperatorCall& call);
/// And, Or, Xor: bool.
InferredNode binary_logical(const OperatorCall& call);
/// Less, Greater, ...: of one number type -> bool.
InferredNode comparison(const OperatorCall& call);
/// Equal: of one type -> bool.
InferredNode equal(const OperatorCall& call);
/// Mod: of one number type; fmod, which floats need.
InferredNode mod(const OperatorCall& call);
/// Pow: two number types -> the first.
InferredNode pow(const OperatorCall& call);
/// PRelu: of one number type, the second broadcast to the first.
InferredNode prelu(const OperatorCall& call);

/// Mean: inputs of one float type, broadcast against each other.
InferredNode mean(const OperatorCall& call);
/// Where: bool, and two of one type, broadcast against each other.
InferredNode where(const OperatorCall& call);

// reductions.cpp: Operators along some dimensions of a tensor.

/// ReduceSum, ReduceMean, ...: any number type; axes (all without them, or none with noop_with_empty_axes),
/// which keep an extent of 1 with keepdims.
InferredNode reduce(const OperatorCall& call);
/// ReduceMax, ReduceMin: also of bool.
InferredNode reduce_extremum(const OperatorCall& call);
/// ArgMax, ArgMin: any number type, axis, keepdims, select_last_index -> i64.
InferredNode argument(const OperatorCall& call);
/// CumSum: any number type, axis, exclusive, reverse. [..] -> [..]
InferredNode cum_sum(const OperatorCall& call);

// normalization.cpp: Operators that shift and scale elements by statistics of a group of them. Any float
// type.

/// BatchNormalization at inference: x [N,C,..], scale, bias, mean, variance [C] -> [N,C,..]; epsilon.
InferredNode batch_normalization(const OperatorCall& call);
/// GroupNormalization: x [N,C,..], scale and bias [num_groups] or [C] -> [N,C,..]; epsilon.
InferredNode group_normalization(const OperatorCall& call);
/// InstanceNormalization: x [N,C,..], scale and bias [C] -> [N,C,..]; epsilon.
InferredNode instance_normalization(const OperatorCall& call);
/// LayerNormalization: x [..], scale and bias broadcast to it -> [..], and mean and 1 / deviation as f32 with
/// 1 from axis on; epsilon.
InferredNode layer_normalization(const OperatorCall& call);
/// LpNormalization: axis, p. [..] -> [..]
InferredNode lp_normalization(const OperatorCall& call);
/// LRN: alpha, beta, bias, size. [N,C,..] -> [N,C,..]
InferredNode lrn(const OperatorCall& call);
/// MeanVarianceNormalization: axes. [..] -> [..]
InferredNode mean_variance_normalization(const OperatorCall& call);
/// RMSNormalization: x [..], scale broadcast to it -> [..] of the scale's type; axis, epsilon.
InferredNode rms_normalization(const OperatorCall& call);

// matrices.cpp: Matrix products.

/// alpha * A' * B' + beta * C: a [M,K], b [K,N] (transA, transB: transposed), c broadcast to [M,N] or absent
/// -> [M,N].
InferredNode gemm(const OperatorCall& call);
/// NumPy's matmul: [..,M,K] x [..,K,N] -> [..,M,N] with broadcast batch dimensions; a vector stands for [1,K]
/// or [K,1], and its dimension of 1 is dropped from the result.
InferredNode matmul(const OperatorCall& call);
/// MatMulInteger: the same of i8 or u8 less their zero points -> i32. A zero point is one number, or one for
/// each row of the first and each column of the second.
InferredNode matmul_integer(const OperatorCall& call);
/// QLinearMatMul: each of the inputs and the output with a scale and a zero point.
InferredNode qlinear_matmul(const OperatorCall& call);

/// Det: [.., n, n] -> [..], f16, f32 or f64.
InferredNode det(const OperatorCall& call);
InferredNode inverse(const OperatorCall& call);
/// Einsum: sums of products by the attribute equation.
InferredNode einsum(const OperatorCall& call);

// windows.cpp: Operators that slide a window over the spatial dimensions (all but the first two, N and C).

/// Convolution: x [N,Ci,..], w [Co,Ci/group,k..], bias [Co] or absent -> [N,Co,..]; any float type.
/// Per dimension out = floor((in + pads - ((k-1)*dilation+1)) / stride) + 1.
InferredNode conv(const OperatorCall& call);
/// ConvInteger: x and w of i8 or u8, and their zero points, of w one or [Co] -> i32.
InferredNode conv_integer(const OperatorCall& call);
/// QLinearConv: each of x, w and the output with a scale and a zero point, and a bias of i32.
InferredNode qlinear_conv(const OperatorCall& call);
/// ConvTranspose: x [N,Ci,..], w [Ci,Co/group,k..], bias [Co] or absent -> [N,Co,..]; any float type.
/// Per dimension out = (in - 1) * stride + output_padding + (k-1)*dilation+1 - pads; output_shape and
/// auto_pad become output_padding and pads.
InferredNode conv_transpose(const OperatorCall& call);
/// DeformConv: x, w as Conv's, offset [N,offset_group*k*rank,out..], bias [Co] and mask
/// [N,offset_group*k,out..] or absent, k being the product of the kernel -> as Conv.
InferredNode deform_conv(const OperatorCall& call);
/// MaxPool: [N,C,..] -> [N,C,..]; any float type, i8 or u8. With ceil_mode = 1 the division rounds up, but no
/// window starts past the input and its leading padding (PyTorch's rule, which ONNX adopted). The second
/// output is where the values are, i64 of the same shape.
InferredNode max_pool(const OperatorCall& call);
/// AveragePool, WholeAveragePool: as MaxPool, float types, and count_include_pad.
InferredNode average_pool(const OperatorCall& call);
/// LpPool: as MaxPool, float types, and p.
InferredNode lp_pool(const OperatorCall& call);
/// GlobalAveragePool, GlobalMaxPool: [N,C,..] -> [N,C,1..].
InferredNode global_pool(const OperatorCall& call);
/// GlobalLpPool, with attribute p: [N,C,..] -> [N,C,1..].
InferredNode global_lp_pool(const OperatorCall& call);
/// MaxUnpool: x and where its elements were i64, both [N,C,..] -> [N,C,..]: what MaxPool had, or output_shape
/// if that is larger.
InferredNode max_unpool(const OperatorCall& call);

/// Col2Im: [N,C*taps,windows] -> [N,C,image_shape..]; taps are the elements of a block, windows its
/// positions.
InferredNode col2im(const OperatorCall& call);

// resampling.cpp: Operators that take elements between the elements of their input.

/// Resize: to the extents sizes, or to the input's extents times scales. With both, scales say where elements
/// are.
InferredNode resize(const OperatorCall& call);

// sampling.cpp: Operators that read an image at positions that other tensors give.

/// AffineGrid: theta [N,2,3] or [N,3,4], size (of the image to sample, [N,C,(D,)H,W]), align_corners
/// -> [N,(D,)H,W,2 or 3].
InferredNode affine_grid(const OperatorCall& call);
/// GridSample: x [N,C,in..] with n spatial dimensions, grid [N,out..,n] of a float type -> [N,C,out..]. mode
/// is "linear", "nearest" (of any type) or "cubic"; padding_mode "zeros", "border" or "reflection".
InferredNode grid_sample(const OperatorCall& call);
/// MaxRoiPool: x [N,C,H,W], rois [R,5] -> [R,C,pooled_shape].
InferredNode max_roi_pool(const OperatorCall& call);
/// RoiAlign: x [N,C,H,W], rois [R,4], batch_indices i64 [R] -> [R,C,output_height,output_width].
InferredNode roi_align(const OperatorCall& call);

// movement.cpp: Operators that only move elements.

/// Concat: n inputs of one type that agree in all extents except along axis.
InferredNode concat(const OperatorCall& call);
/// Flatten: [..] -> [product of the extents before axis, product of the others].
InferredNode flatten(const OperatorCall& call);
/// Reshape: shape; 0 keeps the input's extent (unless allowzero), one -1 takes the rest.
InferredNode reshape(const OperatorCall& call);
/// Squeeze: drops the dimensions axes, each of extent 1; without axes, all of extent 1.
InferredNode squeeze(const OperatorCall& call);
/// Unsqueeze: inserts dimensions of extent 1 so that they are the axes of the output.
InferredNode unsqueeze(const OperatorCall& call);
/// Transpose: output dimension i is input dimension perm[i]; without perm, reversed.
InferredNode transpose(const OperatorCall& call);
/// Expand: [..] -> its shape broadcast with the attribute shape.
InferredNode expand(const OperatorCall& call);
/// Tile: repeats[d] copies one after the other along each dimension.
InferredNode tile(const OperatorCall& call);
/// Pad: pads (the begins, then the ends; negative ones crop) with the constant value, which may be an input,
/// or by mode with elements of the tensor. Cropping comes before padding.
InferredNode pad(const OperatorCall& call);

// slices.cpp: Operators that take parts of a tensor.

/// Slice: along each of axes from starts to ends in steps, as ONNX clamps them. Positions that cannot be
/// compared with the extent are assumed to be inside. Written out: all axes, starts inside, and equivalent
/// ends.
InferredNode slice(const OperatorCall& call);
/// Split: parts of the extents split along axis, or num_outputs of as much, the last one less, or as many
/// equal parts as there are outputs. Written out: split.
InferredNode split(const OperatorCall& call);

// indexing.cpp: Operators that read or write at indices that a tensor gives, and those that choose or order
// elements.

/// Gather: x [before.., n, after..], indices [q..] -> [before.., q.., after..].
InferredNode gather(const OperatorCall& call);
/// GatherElements: x and indices of one rank -> the shape of indices.
InferredNode gather_elements(const OperatorCall& call);
/// GatherND: x, indices [b.., q.., k] -> [b.., q.., the dimensions of x after the first batch_dims + k].
InferredNode gather_nd(const OperatorCall& call);
/// ScatterElements: x, indices and updates of one rank, the last two of one shape -> the shape of x.
InferredNode scatter_elements(const OperatorCall& call);
/// ScatterND: x, indices [q.., k], updates [q.., the dimensions of x after the first k] -> the shape of x.
InferredNode scatter_nd(const OperatorCall& call);
/// TensorScatter: a cache [B,..,M,..], an update [B,..,S,..] with S up to M, and a position [B] for each
/// batch.
InferredNode tensor_scatter(const OperatorCall& call);
/// OneHot: indices [q..], values [off, on] -> [q.., depth], the new dimension at axis.
InferredNode one_hot(const OperatorCall& call);
/// Trilu: keeps the upper or lower triangle of the last two dimensions, from diagonal k on.
InferredNode trilu(const OperatorCall& call);
/// TopK: the k largest or smallest along axis, in that order, and their positions as i64.
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

// sizes.cpp: Operators whose outputs follow only from sizes and attributes: they have no inputs.

/// Shape: i64, one element for each of the attribute sizes.
InferredNode shape(const OperatorCall& call);
/// Size: an i64 scalar, the one element of the attribute sizes.
InferredNode size(const OperatorCall& call);
/// ConstantOfShape: the one element of the attribute value, in a tensor of the attribute shape.
InferredNode constant_of_shape(const OperatorCall& call);
/// Range: count elements of type dtype, from start on, delta apart.
InferredNode range(const OperatorCall& call);
/// EyeLike: a matrix of the attribute shape and of type dtype, 1 on diagonal k and 0 elsewhere.
InferredNode eye_like(const OperatorCall& call);

// signals.cpp: Spectra, windows over signals, and the matrix between spectra and mel bins.

/// HannWindow, HammingWindow, BlackmanWindow: [size] of type output_datatype.
InferredNode window_function(const OperatorCall& call);
/// DFT: [.., length, .., 1 or 2] to dft_length frequencies along axis, and 2 at the end. onesided: to
/// dft_length / 2 + 1; if inverse, from dft_length / 2 + 1 complex numbers to dft_length real ones, with 1 at
/// the end.
InferredNode dft(const OperatorCall& call);
/// STFT: [batch, length, 1 or 2] and a window of [frame_length] to [batch, frames, frequencies, 2].
InferredNode stft(const OperatorCall& call);
/// MelWeightMatrix: bins [mel bins + 2] to [spectrogram_bins, mel bins] of type output_datatype.
InferredNode mel_weight_matrix(const OperatorCall& call);

// attention.cpp: Operators of language models.

/// RotaryEmbedding: x [B,H,S,D] or [B,S,H*D], cos and sin [B,S,R/2], or [P,R/2] and position_ids i64 [B,S]
/// -> as x. R is rotary_embedding_dim, or D; there may be more than R/2 angles.
InferredNode rotary_embedding(const OperatorCall& call);

// recurrent.cpp: One step of a recurrent network. Inputs: projected [T,N,..], the inputs of all steps times
// the weights, plus biases; step i32 [2], the number of the step first; product [N or 1,..], the state before
// times its weights; lengths i32 [N], after which a sequence keeps its state. Columns of gates are side by
// side, each hidden_size wide.

/// RNN: projected, step, product or absent, state [N,H] or absent, lengths or absent -> state [N,H]. Its gate
/// begins at column `first`.
InferredNode rnn_step(const OperatorCall& call);
/// GRU: projected, step, product or absent (of z and r, with linear_before_reset of h too), state [N,H] or
/// absent, product of h [N,H] or absent, lengths or absent -> state [N,H].
InferredNode gru_step(const OperatorCall& call);
/// LSTM: projected, step, product or absent, state [N,H] or absent, cell [N,H] or absent, peepholes [3*H] or
/// absent, lengths or absent -> state [N,H], cell [N,H].
InferredNode lstm_step(const OperatorCall& call);

/// RNNStates: all steps. projected [T,N,H], recurrence [H,H], state [N,H] or absent, lengths or absent ->
/// [T + 1,N,H]: the states, 0 after the end of a sequence, and the last state. With `reverse` the last step
/// comes first.
/// GRUStates: projected [T,N,3*H], recurrence [H,3*H], state [N,H] or absent, biases [3*H] of the product,
/// with linear_before_reset, or absent, lengths or absent -> [T + 1,N,H]
InferredNode recurrent_states(const OperatorCall& call);
/// LSTMStates: projected [T,N,4*H], recurrence [H,4*H], state [N,H] or absent, cell [N,H] or absent,
/// peepholes [3*H] or absent, lengths or absent -> [T + 2,N,H], the last row is the last cell
InferredNode lstm_states(const OperatorCall& call);

// quantization.cpp: Integers that represent real numbers: (x - zero point) * scale.

/// DequantizeLinear: x of i8, u8, i16, u16 or i32 -> floats.
InferredNode dequantize_linear(const OperatorCall& call);
/// QuantizeLinear: floats or i32 -> i8, u8, i16 or u16.
/// Here and in DequantizeLinear a scale and a zero point are one number for all, a vector along axis, or of
/// x's rank with one for each block_size elements along axis.
InferredNode quantize_linear(const OperatorCall& call);

// steps.cpp: Steps that rules of ops/normalize make of operators. They rely on the checks of the operator's
// own shape rule.

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
/// KeyThreshold: keys [rows, n], the values [4] that two bits may add, and the bits of the threshold that are
/// known, [rows], to the threshold with these bits.
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
/// SamplePlaces: a grid [N, S.., rank] to i32 positions and weights [N, 1, 2^rank, S..] in planes of
/// `extents`.
InferredNode sample_places(const OperatorCall& call);
/// WindowPlaces: offsets [N, G * taps * rank, S..] to i32 positions and weights [N, G * taps, 2^rank, S..].
InferredNode window_places(const OperatorCall& call);
/// Samples: [N, C, E], positions and weights [N, groups * taps, corners, S] to [N, C, taps, S].
InferredNode samples(const OperatorCall& call);

// loops.cpp: Marks of loops and their elements (ops/loop_marks.h).

InferredNode loop_begin(const OperatorCall& call);
InferredNode loop_element(const OperatorCall& call);
/// Returns the shapes of a loop's results. Throws UnevenSteps if they differ between steps.
InferredNode loop_end(const OperatorCall& call);

}  // namespace tensordsl::ops::shapes
