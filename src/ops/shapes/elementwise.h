// Operators whose output elements depend on the input elements of the same (broadcast) position.
#pragma once

#include "ops/shapes/shape_rule.h"

namespace tensordsl::shapes {

/// Identity, Dropout: any type. [..] -> [..]
InferredTensor same(const OperatorCall& call);
/// Relu, Neg, Abs, Clip: any number type; Clip keeps its bounds min and max. [..] -> [..]
InferredTensor numeric(const OperatorCall& call);
/// Exp, Sqrt, Sigmoid, ...: f16 or f32. [..] -> [..]
InferredTensor floating(const OperatorCall& call);
/// LeakyRelu: alpha. [..] -> [..]
InferredTensor leaky_relu(const OperatorCall& call);
/// HardSigmoid: alpha, beta. [..] -> [..]
InferredTensor hard_sigmoid(const OperatorCall& call);
/// Softmax along axis, f16 or f32. [..] -> [..]
InferredTensor softmax(const OperatorCall& call);
/// Add, Mul, Min, ...: two inputs of one number type, broadcast against each other.
InferredTensor binary(const OperatorCall& call);
/// BatchNormalization at inference: x [N,C,..], scale, bias, mean, variance [C] -> [N,C,..].
InferredTensor batch_normalization(const OperatorCall& call);

}  // namespace tensordsl::shapes
