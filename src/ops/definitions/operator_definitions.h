// The definition of every operator. Shapes, types and attributes are as in ops/operator_spec.h. Sums are
// taken in f32 (f64 for f64, i32 for i8 and u8), and only an output has the element type of the model.
#pragma once

#include "ops/operator_operands.h"

namespace tensordsl::ops::definitions {

// selection.cpp
/// Input: how many elements are not 0 up to each one, [n]. Gives the indices of these elements in a tensor of
/// `shape`, a row for each dimension, `count` of them.
std::vector<Func> non_zero(const OperatorOperands& operands);
/// Input: slices [n, m]. Gives, for each slice, the rank of its value among the different ones, in sorted
/// order or in order of occurrence.
std::vector<Func> unique(const OperatorOperands& operands);

// non_max_suppression.cpp
/// For each class the numbers of the chosen boxes, from 1, in the order of their scores, followed by zeros.
std::vector<Func> non_max_suppression(const OperatorOperands& operands);

// elementwise_unary.cpp: y[i] = f(x[i])
std::vector<Func> abs(const OperatorOperands& operands);
std::vector<Func> acos(const OperatorOperands& operands);
std::vector<Func> acosh(const OperatorOperands& operands);
std::vector<Func> asin(const OperatorOperands& operands);
std::vector<Func> asinh(const OperatorOperands& operands);
std::vector<Func> atan(const OperatorOperands& operands);
std::vector<Func> atanh(const OperatorOperands& operands);
std::vector<Func> bitwise_not(const OperatorOperands& operands);
/// The number that has the same bits; a bool is a byte of 0 or 1
std::vector<Func> bit_cast(const OperatorOperands& operands);
/// Converts to the type of the output: floats truncate toward zero; to bool, every value but 0 is true.
std::vector<Func> cast(const OperatorOperands& operands);
std::vector<Func> ceil(const OperatorOperands& operands);
std::vector<Func> cos(const OperatorOperands& operands);
std::vector<Func> cosh(const OperatorOperands& operands);
std::vector<Func> erf(const OperatorOperands& operands);
std::vector<Func> exp(const OperatorOperands& operands);
std::vector<Func> floor(const OperatorOperands& operands);
/// True for infinities of the signs that the attributes name.
std::vector<Func> is_inf(const OperatorOperands& operands);
std::vector<Func> is_nan(const OperatorOperands& operands);
std::vector<Func> log(const OperatorOperands& operands);
std::vector<Func> logical_not(const OperatorOperands& operands);
std::vector<Func> neg(const OperatorOperands& operands);
std::vector<Func> reciprocal(const OperatorOperands& operands);
/// Half to even.
std::vector<Func> round(const OperatorOperands& operands);
/// -1, 0 or 1; a NaN stays one.
std::vector<Func> sign(const OperatorOperands& operands);
std::vector<Func> sin(const OperatorOperands& operands);
std::vector<Func> sinh(const OperatorOperands& operands);
std::vector<Func> sqrt(const OperatorOperands& operands);
std::vector<Func> swi_glu(const OperatorOperands& operands);
std::vector<Func> swish(const OperatorOperands& operands);
std::vector<Func> tan(const OperatorOperands& operands);
std::vector<Func> tanh(const OperatorOperands& operands);

// activations.cpp: the same
/// x, or alpha * (e^(x / alpha) - 1) below 0
std::vector<Func> celu(const OperatorOperands& operands);
/// x, or alpha * (e^x - 1) below 0
std::vector<Func> elu(const OperatorOperands& operands);
/// x / 2 * (1 + erf(x / sqrt(2))), or its approximation by tanh
std::vector<Func> gelu(const OperatorOperands& operands);
/// max(0, min(1, alpha * x + beta))
std::vector<Func> hard_sigmoid(const OperatorOperands& operands);
/// x * max(0, min(1, x / 6 + 1 / 2))
std::vector<Func> hard_swish(const OperatorOperands& operands);
/// x, or alpha * x below 0
std::vector<Func> leaky_relu(const OperatorOperands& operands);
/// x * tanh(log(1 + e^x))
std::vector<Func> mish(const OperatorOperands& operands);
/// x, or slope * x below 0; the slope, input 1, is broadcast
std::vector<Func> prelu(const OperatorOperands& operands);
std::vector<Func> relu(const OperatorOperands& operands);
/// gamma * (x, or alpha * (e^x - 1) below 0)
std::vector<Func> selu(const OperatorOperands& operands);
/// x + bias below -lambd, x - bias above lambd, 0 between
std::vector<Func> shrink(const OperatorOperands& operands);
/// 1 / (1 + e^-x)
std::vector<Func> sigmoid(const OperatorOperands& operands);
/// log(1 + e^x)
std::vector<Func> softplus(const OperatorOperands& operands);
/// x / (1 + |x|)
std::vector<Func> softsign(const OperatorOperands& operands);
/// x above alpha, else 0
std::vector<Func> thresholded_relu(const OperatorOperands& operands);

// clip.cpp: min(max(x, min), max), either bound may be absent. A NaN stays one, as in the others here.
std::vector<Func> clip(const OperatorOperands& operands);

// elementwise_binary.cpp: y[i] = f(a[i], b[i]), broadcast
std::vector<Func> add(const OperatorOperands& operands);
/// A shift by as many bits as a has, or by more, gives 0.
std::vector<Func> bit_shift(const OperatorOperands& operands);
std::vector<Func> bitwise_and(const OperatorOperands& operands);
std::vector<Func> bitwise_or(const OperatorOperands& operands);
std::vector<Func> bitwise_xor(const OperatorOperands& operands);
/// Integers truncate toward zero; a division of an integer by 0 gives 0.
std::vector<Func> div(const OperatorOperands& operands);
std::vector<Func> equal(const OperatorOperands& operands);
std::vector<Func> greater(const OperatorOperands& operands);
std::vector<Func> greater_or_equal(const OperatorOperands& operands);
std::vector<Func> less(const OperatorOperands& operands);
std::vector<Func> less_or_equal(const OperatorOperands& operands);
std::vector<Func> logical_and(const OperatorOperands& operands);
std::vector<Func> logical_or(const OperatorOperands& operands);
std::vector<Func> logical_xor(const OperatorOperands& operands);
std::vector<Func> max(const OperatorOperands& operands);
/// The mean of all inputs.
std::vector<Func> mean(const OperatorOperands& operands);
std::vector<Func> min(const OperatorOperands& operands);
/// The result has the sign of the divisor; with fmod = 1, of the dividend. An integer modulo 0 is 0.
std::vector<Func> mod(const OperatorOperands& operands);
std::vector<Func> mul(const OperatorOperands& operands);
/// Integer powers are exact; one beyond the type is unspecified. Negative ones truncate toward zero; 0 to
/// such is 0.
std::vector<Func> pow(const OperatorOperands& operands);
std::vector<Func> sub(const OperatorOperands& operands);
/// input 0 ? input 1 : input 2
std::vector<Func> where(const OperatorOperands& operands);

// batch_normalization.cpp: (x - mean[c]) * (scale[c] / sqrt(variance[c] + epsilon)) + bias[c]
std::vector<Func> batch_normalization(const OperatorOperands& operands);

// normalization.cpp: NAME_sum and NAME_squares of each group of elements: (x - mean) / sqrt(variance +
// epsilon) * scale + bias. The dimensions of a group keep an extent of 1.
/// A group is num_groups-th of the channels; scale and bias are [num_groups] or [C].
std::vector<Func> group_normalization(const OperatorOperands& operands);
/// A group is a channel.
std::vector<Func> instance_normalization(const OperatorOperands& operands);
/// A group has all dimensions from axis on; outputs mean and 1 / sqrt(variance + epsilon) as well.
std::vector<Func> layer_normalization(const OperatorOperands& operands);
/// x / (the sum of |x|^p along axis)^(1/p), 0 where that is 0
std::vector<Func> lp_normalization(const OperatorOperands& operands);
/// x / (bias + alpha / size * (the sum of squares of size channels))^beta; NAME_padded has zeros around them
std::vector<Func> lrn(const OperatorOperands& operands);
/// (x - mean) / (sqrt(variance) + 1e-9) over the attribute axes
std::vector<Func> mean_variance_normalization(const OperatorOperands& operands);
/// x / sqrt(mean of squares + epsilon) * scale
std::vector<Func> rms_normalization(const OperatorOperands& operands);

// conv.cpp: NAME_sum over (k.., ci), then the bias; NAME_padded if a window leaves the input.
// A depthwise convolution with one output for each channel has no axis ci.
std::vector<Func> conv(const OperatorOperands& operands);

// conv_transpose.cpp: NAME_sum over (k.., ci) of the taps that reach an element, then the bias; NAME_padded
std::vector<Func> conv_transpose(const OperatorOperands& operands);

// deform_conv.cpp: NAME_sum over (k.., ci) of w * mask * x at the tap's position moved by its offset,
// linearly interpolated and 0 outside, then the bias
std::vector<Func> deform_conv(const OperatorOperands& operands);

// quantization.cpp: a number stands for (x - zero point) * scale. Sums of products are taken in i32.
std::vector<Func> conv_integer(const OperatorOperands& operands);
std::vector<Func> dequantize_linear(const OperatorOperands& operands);
// dynamic_quantization.cpp: steps of DynamicQuantizeLinear
/// NAME_low and NAME_high, the smallest and the largest element of each row
std::vector<Func> row_extremes(const OperatorOperands& operands);
/// The scale and the zero point for the smallest and largest of all elements.
std::vector<Func> quantization_parameters(const OperatorOperands& operands);
std::vector<Func> matmul_integer(const OperatorOperands& operands);
std::vector<Func> qlinear_conv(const OperatorOperands& operands);
std::vector<Func> qlinear_matmul(const OperatorOperands& operands);
/// x / scale, rounded half to even, plus the zero point, limited to the range of the type.
std::vector<Func> quantize_linear(const OperatorOperands& operands);

// gemm.cpp, matmul.cpp: NAME_sum over k, which has the dimensions of the output
std::vector<Func> gemm(const OperatorOperands& operands);
std::vector<Func> matmul(const OperatorOperands& operands);

// pool.cpp: NAME_max or NAME_sum over (k..); NAME_padded, with the lowest value or 0, if a window leaves the
// input. The average is over the elements inside the input, with count_include_pad inside the input and its
// pads; elements that a window reads beyond the pads because of ceil_mode never count.
std::vector<Func> average_pool(const OperatorOperands& operands);
/// A step of QLinearAveragePool: elements past the pads, which a window reaches, count too.
std::vector<Func> whole_average_pool(const OperatorOperands& operands);
/// The p-th root of the sum of |x|^p.
std::vector<Func> lp_pool(const OperatorOperands& operands);
/// A second output says where in the input the first of the largest elements is: NAME_first in its channel.
std::vector<Func> max_pool(const OperatorOperands& operands);

// max_unpool.cpp: NAME_plane(n, c, i) is 0 except where the indices say; an index of another channel is
// ignored
std::vector<Func> max_unpool(const OperatorOperands& operands);

// global_pool.cpp: NAME_sum or NAME_max over the spatial dimensions, which keep an extent of 1
std::vector<Func> global_average_pool(const OperatorOperands& operands);
std::vector<Func> global_lp_pool(const OperatorOperands& operands);
std::vector<Func> global_max_pool(const OperatorOperands& operands);

// grid_sample.cpp: x interpolated at the positions that the grid gives; cubic interpolation is a NAME_sum
// over the four neighbors in each dimension. padding_mode decides about positions outside.
std::vector<Func> grid_sample(const OperatorOperands& operands);

// samples.cpp: samples that several channels or filters share are computed once
/// Gives the frames of a signal, which are steps apart, times the window.
std::vector<Func> frames(const OperatorOperands& operands);
/// Gives, for a grid or for windows that offsets move, the elements around each position, in row-major
/// planes, and their linear weights; -1 is outside.
std::vector<Func> sample_places(const OperatorOperands& operands);
std::vector<Func> window_places(const OperatorOperands& operands);
/// x at the elements, times the weights, added up over the corners
std::vector<Func> samples(const OperatorOperands& operands);

// grid_sample.cpp too
/// [theta] * [x, y, (z,) 1] for positions from -1 to 1
std::vector<Func> affine_grid(const OperatorOperands& operands);

// roi_pool.cpp: NAME_sum or NAME_max over the samples of a bin, of which at most those inside the image are
// evaluated, or over its elements
std::vector<Func> roi_align(const OperatorOperands& operands);
std::vector<Func> max_roi_pool(const OperatorOperands& operands);

// softmax.cpp: NAME_max, then NAME_sum of e^(x - max) along axis, which keeps an extent of 1
std::vector<Func> log_softmax(const OperatorOperands& operands);
/// A step of Attention: a row of nothing but -inf, of which all is masked, is 0.
std::vector<Func> masked_softmax(const OperatorOperands& operands);
std::vector<Func> softmax(const OperatorOperands& operands);

// rotary_embedding.cpp: pairs of elements of a head turn by an angle that their position gives
std::vector<Func> rotary_embedding(const OperatorOperands& operands);

// recurrent.cpp: one step; a state is 0 where it is absent
/// f(projected + product)
std::vector<Func> rnn_step(const OperatorOperands& operands);
/// (1 - z) * g(candidate) + z * state, where z = f(..) and the candidate has r * state or r * its product in
/// it
std::vector<Func> gru_step(const OperatorOperands& operands);
/// o * h(c), and c = f * cell + i * g(..)
std::vector<Func> lstm_step(const OperatorOperands& operands);

// recurrent_states.cpp: NAME_states, in which every step reads the result of the step before
std::vector<Func> rnn_states(const OperatorOperands& operands);
std::vector<Func> gru_states(const OperatorOperands& operands);
std::vector<Func> lstm_states(const OperatorOperands& operands);

// reduce.cpp: NAME_sum, NAME_product, NAME_max or NAME_min over the attribute axes; without axes, of each
// element by itself. Of integers, a mean and a root truncate, and other functions are taken in f32.
std::vector<Func> reduce_l1(const OperatorOperands& operands);
std::vector<Func> reduce_l2(const OperatorOperands& operands);
std::vector<Func> reduce_log_sum(const OperatorOperands& operands);
/// Subtracts the largest element first, so that no exponential overflows.
std::vector<Func> reduce_log_sum_exp(const OperatorOperands& operands);
std::vector<Func> reduce_max(const OperatorOperands& operands);
std::vector<Func> reduce_mean(const OperatorOperands& operands);
std::vector<Func> reduce_min(const OperatorOperands& operands);
std::vector<Func> reduce_prod(const OperatorOperands& operands);
std::vector<Func> reduce_sum(const OperatorOperands& operands);
std::vector<Func> reduce_sum_square(const OperatorOperands& operands);

// arguments.cpp: NAME_best, the extremum along axis, then NAME_place, the first or the last element like it
std::vector<Func> arg_max(const OperatorOperands& operands);
std::vector<Func> arg_min(const OperatorOperands& operands);
/// 1 at the first of the largest, else 0.
std::vector<Func> hardmax(const OperatorOperands& operands);

// cum_sum.cpp: NAME_sum, which adds up along axis
std::vector<Func> cum_prod(const OperatorOperands& operands);
std::vector<Func> cum_sum(const OperatorOperands& operands);

// einsum.cpp: the product, or NAME_sum over the letters that the result does not have
std::vector<Func> einsum(const OperatorOperands& operands);

// det.cpp: NAME_triangle, by rotations of rows, and NAME_product of its diagonal: n^3 steps for each matrix
std::vector<Func> det(const OperatorOperands& operands);

// inverse.cpp: NAME_triangle, by rotations of rows, and NAME_solution of its rows: n^3 steps for each matrix
std::vector<Func> inverse(const OperatorOperands& operands);

// col2im.cpp: NAME_sum over the taps of a block
std::vector<Func> col2im(const OperatorOperands& operands);

// sizes.cpp: computed only from attributes
/// Shape, Size
std::vector<Func> sizes(const OperatorOperands& operands);
std::vector<Func> constant_of_shape(const OperatorOperands& operands);
std::vector<Func> range(const OperatorOperands& operands);
std::vector<Func> eye_like(const OperatorOperands& operands);

// gather.cpp: elements at indices that an index tensor gives; an index outside is clamped to the nearest
// element
std::vector<Func> gather(const OperatorOperands& operands);
std::vector<Func> gather_elements(const OperatorOperands& operands);
std::vector<Func> gather_nd(const OperatorOperands& operands);
std::vector<Func> reverse_sequence(const OperatorOperands& operands);

// scatter.cpp: NAME_scattered, which is x updated in the order of the indices; updates outside of it are
// dropped
std::vector<Func> scatter_elements(const OperatorOperands& operands);
std::vector<Func> scatter_nd(const OperatorOperands& operands);
std::vector<Func> tensor_scatter(const OperatorOperands& operands);

// one_hot.cpp
std::vector<Func> one_hot(const OperatorOperands& operands);
std::vector<Func> trilu(const OperatorOperands& operands);

// top_k.cpp: NAME_rank, which counts the elements that come before each, then NAME_chosen, the position of
// rank i
std::vector<Func> top_k(const OperatorOperands& operands);

// sort_keys.cpp: steps of TopK, over rows of integers that are in the order of the elements
/// The integers: of 64 bits for elements of 64, else of 32.
std::vector<Func> sort_keys(const OperatorOperands& operands);
/// Two more bits of the k-th largest key of a row: NAME_count_1 to _3, of the keys that are at least a value
std::vector<Func> key_threshold(const OperatorOperands& operands);
/// NAME_count of the keys of each piece of a row that are above its threshold, plus 2^15 times the count of
/// keys equal to it
std::vector<Func> key_counts(const OperatorOperands& operands);
/// NAME_above and NAME_equal, the sums of both counts up to each piece
std::vector<Func> key_sums(const OperatorOperands& operands);
/// The positions of the keys above the threshold, then of the first equal to it: NAME_piece, by binary
/// search, and NAME_place
std::vector<Func> key_places(const OperatorOperands& operands);
/// NAME_rank, which counts the keys of the same piece that come before each; equal keys are in the order of
/// their positions
std::vector<Func> key_ranks(const OperatorOperands& operands);
/// For two neighboring sorted runs, largest first: the position in them of each element of the merged run.
/// NAME_taken, found by binary search, is how many of them are of the first run.
std::vector<Func> merge_places(const OperatorOperands& operands);
/// 1 where a key is another than the one before it
std::vector<Func> key_changes(const OperatorOperands& operands);

// resize.cpp: the nearest element, or 2 or 4 along each dimension that is resized
std::vector<Func> resize(const OperatorOperands& operands);

// narrowed.cpp: each element as a type that the language does not have has it
std::vector<Func> cast_to_narrow(const OperatorOperands& operands);

// antialiased_resize.cpp: one dimension whose elements are fewer, as sums over all that each of them covers
/// The weights of the taps of each element; NAME_total is their sum.
std::vector<Func> resize_weights(const OperatorOperands& operands);
/// NAME_sum of the elements times such weights.
std::vector<Func> resize_along(const OperatorOperands& operands);

// repetition.cpp, slices.cpp: the elements move
std::vector<Func> expand(const OperatorOperands& operands);
/// LoopElement.
std::vector<Func> loop_element(const OperatorOperands& operands);
std::vector<Func> slice(const OperatorOperands& operands);
std::vector<Func> split(const OperatorOperands& operands);
std::vector<Func> tile(const OperatorOperands& operands);

// concat.cpp, pad.cpp, reshape.cpp, transpose.cpp: the elements move
std::vector<Func> concat(const OperatorOperands& operands);
std::vector<Func> pad(const OperatorOperands& operands);
/// The input, and a mask that is true everywhere: no element is dropped at inference.
std::vector<Func> dropout(const OperatorOperands& operands);
/// Operators that keep the elements in row-major order: Reshape, Flatten, Squeeze, Unsqueeze, Identity.
std::vector<Func> reshape(const OperatorOperands& operands);
std::vector<Func> transpose(const OperatorOperands& operands);

// window_functions.cpp: a - b cos(t) + c cos(2t), where t goes from 0 to a whole turn
std::vector<Func> blackman_window(const OperatorOperands& operands);
std::vector<Func> hamming_window(const OperatorOperands& operands);
std::vector<Func> hann_window(const OperatorOperands& operands);

// fourier.cpp: NAME_sum of x[n] e^(-2 pi i k n / length) over n: as many sines and cosines as terms
/// Transforms the elements along axis; inverse uses the other sign, and divides by the length.
std::vector<Func> dft(const OperatorOperands& operands);
/// Transforms frames of the signal, multiplied by the window.
std::vector<Func> stft(const OperatorOperands& operands);

// mel_weight_matrix.cpp: a triangle in each column, 1 at its center
std::vector<Func> mel_weight_matrix(const OperatorOperands& operands);

}  // namespace tensordsl::ops::definitions
