// Operators whose output elements depend on the input elements of the same (broadcast) position.
#pragma once

#include "ops/shapes/inferred_node.h"

namespace tensordsl::shapes {

/// Identity: any type. [..] -> [..]
InferredNode same(const OperatorCall& call);
/// Cast: any type, to the one that ONNX's number `to` is. [..] -> [..]
InferredNode cast(const OperatorCall& call);
/// BitCast: any type, to another of the same width. [..] -> [..]
InferredNode bit_cast(const OperatorCall& call);
/// CastLike: any type, to that of input 1. [..] -> [..]
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
InferredNode swish(const OperatorCall& call);
/// SwiGLU: A and B of one shape.
InferredNode swi_glu(const OperatorCall& call);
InferredNode shrink(const OperatorCall& call);
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

}  // namespace tensordsl::shapes
