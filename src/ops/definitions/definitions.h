// The definition of every operator. Shapes, types and attributes are those of ops/operator_table.h. Sums are
// taken in f32 (f64 for f64, i32 for i8 and u8), and only an output has the element type of the model.
#pragma once

#include "ops/operator_operands.h"

namespace tensordsl::definitions {

// elementwise_unary.cpp: y[i] = f(x[i])
std::vector<Func> abs(const OperatorOperands& operands);
/// To the type of the output: floats truncate toward zero, and to bool whatever is not 0 is true.
std::vector<Func> cast(const OperatorOperands& operands);
std::vector<Func> ceil(const OperatorOperands& operands);
std::vector<Func> erf(const OperatorOperands& operands);
std::vector<Func> exp(const OperatorOperands& operands);
std::vector<Func> floor(const OperatorOperands& operands);
/// max(0, min(1, alpha * x + beta))
std::vector<Func> hard_sigmoid(const OperatorOperands& operands);
/// x * max(0, min(1, x / 6 + 1 / 2))
std::vector<Func> hard_swish(const OperatorOperands& operands);
/// x, or alpha * x below 0
std::vector<Func> leaky_relu(const OperatorOperands& operands);
std::vector<Func> log(const OperatorOperands& operands);
std::vector<Func> neg(const OperatorOperands& operands);
std::vector<Func> relu(const OperatorOperands& operands);
/// 1 / (1 + e^-x)
std::vector<Func> sigmoid(const OperatorOperands& operands);
std::vector<Func> sqrt(const OperatorOperands& operands);
std::vector<Func> tanh(const OperatorOperands& operands);

// clip.cpp: min(max(x, min), max), either bound may be absent. A NaN stays one, here and in what is below and
// above.
std::vector<Func> clip(const OperatorOperands& operands);

// elementwise_binary.cpp: y[i] = f(a[i], b[i]), broadcast
std::vector<Func> add(const OperatorOperands& operands);
/// Integers truncate toward zero; a division of an integer by 0 gives 0.
std::vector<Func> div(const OperatorOperands& operands);
std::vector<Func> max(const OperatorOperands& operands);
std::vector<Func> min(const OperatorOperands& operands);
std::vector<Func> mul(const OperatorOperands& operands);
/// Integer powers are exact; one beyond the type is unspecified. Negative ones truncate toward zero; 0 to
/// such is 0.
std::vector<Func> pow(const OperatorOperands& operands);
std::vector<Func> sub(const OperatorOperands& operands);

// batch_normalization.cpp: (x - mean[c]) * (scale[c] / sqrt(variance[c] + epsilon)) + bias[c]
std::vector<Func> batch_normalization(const OperatorOperands& operands);

// conv.cpp: NAME_sum over (k.., ci), then the bias; NAME_padded if a window leaves the input.
// A depthwise convolution with one output for each channel has no axis ci.
std::vector<Func> conv(const OperatorOperands& operands);

// gemm.cpp, matmul.cpp: NAME_sum over k, which has the dimensions of the output
std::vector<Func> gemm(const OperatorOperands& operands);
std::vector<Func> matmul(const OperatorOperands& operands);

// pool.cpp: NAME_max or NAME_sum over (k..); NAME_padded, with the lowest value or 0, if a window leaves the
// input. The average is over the elements inside the input, with count_include_pad inside the input and its
// pads; what a window reaches past those because of ceil_mode never counts.
std::vector<Func> average_pool(const OperatorOperands& operands);
std::vector<Func> max_pool(const OperatorOperands& operands);

// global_pool.cpp: NAME_sum or NAME_max over the spatial dimensions, which keep an extent of 1
std::vector<Func> global_average_pool(const OperatorOperands& operands);
std::vector<Func> global_max_pool(const OperatorOperands& operands);

// softmax.cpp: NAME_max, then NAME_sum of e^(x - max) along axis, which keeps an extent of 1
std::vector<Func> softmax(const OperatorOperands& operands);

// einsum.cpp: the product, or NAME_sum over the letters that the result does not have
std::vector<Func> einsum(const OperatorOperands& operands);

// det.cpp: NAME_triangle, by rotations of rows, and NAME_product of its diagonal: n^3 steps for each matrix
std::vector<Func> det(const OperatorOperands& operands);

// col2im.cpp: NAME_sum over the taps of a block
std::vector<Func> col2im(const OperatorOperands& operands);

// sizes.cpp: from attributes alone
/// Shape, Size
std::vector<Func> sizes(const OperatorOperands& operands);
std::vector<Func> constant_of_shape(const OperatorOperands& operands);
std::vector<Func> range(const OperatorOperands& operands);
std::vector<Func> eye_like(const OperatorOperands& operands);

// gather.cpp: elements at places that an index tensor says; what is outside is taken from the nearest element
std::vector<Func> gather(const OperatorOperands& operands);
std::vector<Func> gather_elements(const OperatorOperands& operands);
std::vector<Func> gather_nd(const OperatorOperands& operands);
std::vector<Func> reverse_sequence(const OperatorOperands& operands);

// scatter.cpp: NAME_scattered, which is x updated in the order of the indices; what is outside is dropped
std::vector<Func> scatter_elements(const OperatorOperands& operands);
std::vector<Func> scatter_nd(const OperatorOperands& operands);

// one_hot.cpp
std::vector<Func> one_hot(const OperatorOperands& operands);
std::vector<Func> trilu(const OperatorOperands& operands);

// top_k.cpp: NAME_rank, which counts the elements that come before each, then NAME_chosen, the place of rank i. Long
// rows are ranked in pieces first, of which NAME_places are the best.
std::vector<Func> top_k(const OperatorOperands& operands);

// resize.cpp: the nearest element, or 2 or 4 along each dimension that is resized
std::vector<Func> resize(const OperatorOperands& operands);

// repetition.cpp, slices.cpp: the elements move
std::vector<Func> expand(const OperatorOperands& operands);
std::vector<Func> slice(const OperatorOperands& operands);
std::vector<Func> split(const OperatorOperands& operands);
std::vector<Func> tile(const OperatorOperands& operands);

// concat.cpp, pad.cpp, reshape.cpp, transpose.cpp: the elements move
std::vector<Func> concat(const OperatorOperands& operands);
std::vector<Func> pad(const OperatorOperands& operands);
/// The input, and a mask that is true everywhere: no element is dropped at inference.
std::vector<Func> dropout(const OperatorOperands& operands);
/// Whatever keeps the elements in row-major order: Reshape, Flatten, Squeeze, Unsqueeze, Identity.
std::vector<Func> reshape(const OperatorOperands& operands);
std::vector<Func> transpose(const OperatorOperands& operands);

}  // namespace tensordsl::definitions
