// The definition of every operator. Shapes, types and attributes are those of ops/operator_table.h. Sums are
// taken in f32 (i32 for i8 and u8), and only an output has the element type of the model.
#pragma once

#include "ops/definition.h"

namespace tensordsl::definitions {

// elementwise_unary.cpp: y[i] = f(x[i])
OperatorDefinition abs(const OperatorOperands& operands);
OperatorDefinition ceil(const OperatorOperands& operands);
OperatorDefinition erf(const OperatorOperands& operands);
OperatorDefinition exp(const OperatorOperands& operands);
OperatorDefinition floor(const OperatorOperands& operands);
/// max(0, min(1, alpha * x + beta))
OperatorDefinition hard_sigmoid(const OperatorOperands& operands);
/// x * max(0, min(1, x / 6 + 1 / 2))
OperatorDefinition hard_swish(const OperatorOperands& operands);
/// x, or alpha * x below 0
OperatorDefinition leaky_relu(const OperatorOperands& operands);
OperatorDefinition log(const OperatorOperands& operands);
OperatorDefinition neg(const OperatorOperands& operands);
OperatorDefinition relu(const OperatorOperands& operands);
/// 1 / (1 + e^-x)
OperatorDefinition sigmoid(const OperatorOperands& operands);
OperatorDefinition sqrt(const OperatorOperands& operands);
OperatorDefinition tanh(const OperatorOperands& operands);

// clip.cpp: min(max(x, min), max), either bound may be absent
OperatorDefinition clip(const OperatorOperands& operands);

// elementwise_binary.cpp: y[i] = f(a[i], b[i]), broadcast
OperatorDefinition add(const OperatorOperands& operands);
/// Integers truncate toward zero; a division of an integer by 0 gives 0.
OperatorDefinition div(const OperatorOperands& operands);
OperatorDefinition max(const OperatorOperands& operands);
OperatorDefinition min(const OperatorOperands& operands);
OperatorDefinition mul(const OperatorOperands& operands);
/// Integer powers are exact; one beyond the type is unspecified. Negative ones truncate toward zero; 0 to
/// such is 0.
OperatorDefinition pow(const OperatorOperands& operands);
OperatorDefinition sub(const OperatorOperands& operands);

// batch_normalization.cpp: (x - mean[c]) * (scale[c] / sqrt(variance[c] + epsilon)) + bias[c]
OperatorDefinition batch_normalization(const OperatorOperands& operands);

// conv.cpp: NAME_sum over (k.., ci), then the bias; NAME_padded if a window leaves the input.
// A depthwise convolution with one output for each channel has no axis ci.
OperatorDefinition conv(const OperatorOperands& operands);

// gemm.cpp, matmul.cpp: NAME_sum over k, which has the dimensions of the output
OperatorDefinition gemm(const OperatorOperands& operands);
OperatorDefinition matmul(const OperatorOperands& operands);

// pool.cpp: NAME_max or NAME_sum over (k..); NAME_padded, with the lowest value or 0, if a window leaves the
// input. The average is over the elements inside the input, with count_include_pad inside the input and its
// pads; what a window reaches past those because of ceil_mode never counts.
OperatorDefinition average_pool(const OperatorOperands& operands);
OperatorDefinition max_pool(const OperatorOperands& operands);

// global_pool.cpp: NAME_sum or NAME_max over the spatial dimensions, which keep an extent of 1
OperatorDefinition global_average_pool(const OperatorOperands& operands);
OperatorDefinition global_max_pool(const OperatorOperands& operands);

// softmax.cpp: NAME_max, then NAME_sum of e^(x - max) along axis, which keeps an extent of 1
OperatorDefinition softmax(const OperatorOperands& operands);

// concat.cpp, pad.cpp, reshape.cpp, transpose.cpp: the elements move
OperatorDefinition concat(const OperatorOperands& operands);
OperatorDefinition pad(const OperatorOperands& operands);
/// Whatever keeps the elements in row-major order: Reshape, Flatten, Squeeze, Unsqueeze, Identity, Dropout.
OperatorDefinition reshape(const OperatorOperands& operands);
OperatorDefinition transpose(const OperatorOperands& operands);

}  // namespace tensordsl::definitions
