// Operators whose output elements depend on the input elements of the same (broadcast) position.
#pragma once

#include "ops/shapes/shape_rule.h"

namespace tensordsl::shapes {

/// Identity: any type. [..] -> [..]
InferredNode same(const OperatorCall& call);
/// Cast: any type, to the one that ONNX's number `to` is. [..] -> [..]
InferredNode cast(const OperatorCall& call);
/// Dropout: any type. [..] -> [..], and a mask bool [..] if the node lists it.
InferredNode dropout(const OperatorCall& call);
/// Relu, Neg, Abs, Clip: any number type; Clip keeps its bounds min and max. [..] -> [..]
InferredNode numeric(const OperatorCall& call);
/// Exp, Sqrt, Sigmoid, ...: any float type. [..] -> [..]
InferredNode floating(const OperatorCall& call);
/// LeakyRelu: alpha. [..] -> [..]
InferredNode leaky_relu(const OperatorCall& call);
/// HardSigmoid: alpha, beta. [..] -> [..]
InferredNode hard_sigmoid(const OperatorCall& call);
/// Softmax along axis, any float type. [..] -> [..]
InferredNode softmax(const OperatorCall& call);
/// Add, Mul, Min, ...: two inputs of one number type, broadcast against each other.
InferredNode binary(const OperatorCall& call);
/// BatchNormalization at inference: x [N,C,..], scale, bias, mean, variance [C] -> [N,C,..].
InferredNode batch_normalization(const OperatorCall& call);

}  // namespace tensordsl::shapes
