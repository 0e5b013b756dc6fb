#!/usr/bin/env python3
"""Writes fixtures/operators.json: one operator application a line, with what ONNX Runtime computes for it.

Needs onnx, onnxruntime and numpy. The nodes are in the normal form of src/ops/operator_spec.h; f16 cases are
computed in f32 from inputs that f16 holds exactly, and rounded.

With the argument "contributed" it writes fixtures/contributed.json instead: nodes of ONNX Runtime's own operators
as models have them. With "composed" it writes fixtures/composed.json: nodes of ONNX's operators as models have them,
with what ONNX's reference computes.
"""
import json
import pathlib
import sys

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import composed_cases
import contributed_cases

OPSET = 21
COMPOSED_OPSET = 28
OPSETS = {"BitCast": 26, "RMSNormalization": 23, "RotaryEmbedding": 23, "CumProd": 26, "SwiGLU": 28, "Swish": 24, "TensorScatter": 24}
# Operators that ONNX Runtime lacks: by ONNX's reference.
BY_REFERENCE = ("BitCast", "CumProd", "SwiGLU", "Swish", "TensorScatter")
ONNX_TYPES = {"f32": TensorProto.FLOAT, "i32": TensorProto.INT32, "i64": TensorProto.INT64, "u8": TensorProto.UINT8,
              "i8": TensorProto.INT8, "u16": TensorProto.UINT16, "i16": TensorProto.INT16, "u32": TensorProto.UINT32,
              "u64": TensorProto.UINT64, "bool": TensorProto.BOOL, "f64": TensorProto.DOUBLE}
NUMPY_TYPES = {"f32": np.float32, "f16": np.float16, "i32": np.int32, "i64": np.int64, "u8": np.uint8, "i8": np.int8,
               "u16": np.uint16, "i16": np.int16, "u32": np.uint32, "u64": np.uint64, "bool": np.bool_, "f64": np.float64}


class Tensor:
    """Values on a grid of 1/8 (integers: of 1) in [low, high], which every type holds exactly.

    Every so many values one is a NaN, which JSON has as null."""

    def __init__(self, *shape, low=-4, high=4, type="f32", nans=0):
        self.shape, self.low, self.high, self.type, self.nans = shape, low, high, type, nans

    def fill(self, rng):
        grid = 8 if self.type in ("f32", "f16", "f64") else 1
        values = rng.integers(self.low * grid, self.high * grid, size=self.shape, endpoint=True) / grid
        if self.nans:
            values.ravel()[::self.nans] = np.nan
        return np.asarray(values).astype(NUMPY_TYPES[self.type])


class Values:
    """These values, in place of a Tensor."""

    def __init__(self, values, type="f32"):
        self.values, self.type = values, type

    def fill(self, rng):
        return np.asarray(self.values).astype(NUMPY_TYPES[self.type])


T = Tensor


def double(*tensors):
    for tensor in tensors:
        tensor.type = "f64"
    return list(tensors)


def half(*tensors):
    for tensor in tensors:
        tensor.type = "f16"
    return list(tensors)


def batch_norm(*x):
    return [T(*x), T(x[1]), T(x[1]), T(x[1]), T(x[1], low=1)]


def bools(*shape):
    return T(*shape, low=0, high=1, type="bool")


def quantized(*shape, type="u8"):
    return T(*shape, low=0 if type == "u8" else -128, high=255 if type == "u8" else 127, type=type)


def scale(*shape):
    return T(*shape, low=1, high=3)


# Each form of an operator once.
FLOAT_FUNCTIONS = ("Atan", "Asinh", "Celu", "Cos", "Elu", "Gelu", "Mish", "Round", "Selu", "Shrink", "Sign", "Sin", "Softplus",
                   "Softsign", "ThresholdedRelu")
REDUCTIONS = ("ReduceL1", "ReduceL2", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare")

# name, operator, attributes, inputs
CASES = [
    # Element-wise, one input.
    *[(f"{op} on f32", op, {}, [T(3, 5)])
      for op in ("Abs", "Ceil", "Erf", "Exp", "Floor", "HardSwish", "Neg", "Relu", "Sigmoid", "Tanh")],
    ("Swish", "Swish", {}, [T(3, 5)]),
    ("Swish with a slope", "Swish", {"alpha": 1.702}, [T(3, 5)]),
    ("Swish on f16", "Swish", {"alpha": -0.5}, half(T(3, 5))),
    ("SwiGLU", "SwiGLU", {}, [T(3, 5), T(3, 5)]),
    ("SwiGLU with a slope", "SwiGLU", {"alpha": 1.702}, [T(2, 3, 5), T(2, 3, 5)]),
    ("Log on f32", "Log", {}, [T(3, 5, low=1, high=9)]),
    ("Sqrt on f32", "Sqrt", {}, [T(3, 5, low=0, high=9)]),
    ("HardSigmoid, defaults", "HardSigmoid", {}, [T(3, 5)]),
    ("HardSigmoid, alpha and beta", "HardSigmoid", {"alpha": 0.5, "beta": 0.25}, [T(3, 5)]),
    ("LeakyRelu, default", "LeakyRelu", {}, [T(3, 5)]),
    ("LeakyRelu, alpha", "LeakyRelu", {"alpha": 0.25}, [T(3, 5)]),
    ("Sigmoid far from 0", "Sigmoid", {}, [T(7, low=-120, high=120)]),
    ("Sigmoid of a scalar", "Sigmoid", {}, [T()]),
    ("Relu on i32", "Relu", {}, [T(7, type="i32", low=-9, high=9)]),
    ("Neg on i64", "Neg", {}, [T(7, type="i64", low=-9, high=9)]),
    ("Abs on i8", "Abs", {}, [T(7, type="i8", low=-127, high=127)]),
    ("Abs on u8", "Abs", {}, [T(7, type="u8", low=0, high=255)]),
    ("Exp on f16", "Exp", {}, half(T(3, 5))),
    ("Relu on f16", "Relu", {}, half(T(3, 5))),
    ("Clip to both bounds", "Clip", {"min": 0.0, "max": 6.0}, [T(3, 7, low=-9, high=9)]),
    ("Clip to a minimum", "Clip", {"min": -1.5}, [T(3, 7)]),
    ("Clip to a maximum", "Clip", {"max": 0.25}, [T(3, 7)]),
    ("Clip without bounds", "Clip", {}, [T(3, 7)]),
    ("Clip, minimum over maximum", "Clip", {"min": 3.0, "max": -1.0}, [T(3, 7)]),
    ("Clip on i64", "Clip", {"min": -3.0, "max": 5.0}, [T(9, type="i64", low=-9, high=9)]),
    ("Clip on u8", "Clip", {"min": 10.0, "max": 200.0}, [T(9, type="u8", low=0, high=255)]),
    ("BatchNormalization", "BatchNormalization", {"epsilon": 0.125}, batch_norm(2, 3, 5, 1)),
    ("BatchNormalization of a matrix", "BatchNormalization", {}, batch_norm(3, 5)),
    ("BitCast of f32", "BitCast", {"to": TensorProto.INT32}, [T(3, 5)]),
    ("BitCast to f32", "BitCast", {"to": TensorProto.FLOAT}, [Values([0, 1, -1082130432, 1078530011], "i32")]),
    ("BitCast of f64", "BitCast", {"to": TensorProto.UINT64}, [T(7, type="f64")]),
    ("BitCast of i8", "BitCast", {"to": TensorProto.UINT8}, [T(9, type="i8", low=-128, high=127)]),
    ("BitCast of bools", "BitCast", {"to": TensorProto.INT8}, [bools(3, 5)]),
    *[(f"{op} on f32", op, {}, [T(3, 5)]) for op in FLOAT_FUNCTIONS],
    *[(f"{op} on f32", op, {}, [T(3, 5, low=-1, high=1)]) for op in ("Acos", "Asin", "Cosh", "Sinh", "Tan")],
    ("Acosh on f32", "Acosh", {}, [T(3, 5, low=1, high=9)]),
    ("Atanh on f32", "Atanh", {}, [T(3, 5, low=-0.875, high=0.875)]),
    ("Reciprocal on f32", "Reciprocal", {}, [T(3, 5, low=1)]),
    ("Celu, alpha", "Celu", {"alpha": 2.5}, [T(3, 5)]),
    ("Elu, alpha", "Elu", {"alpha": 0.5}, [T(3, 5)]),
    ("Gelu by tanh", "Gelu", {"approximate": "tanh"}, [T(3, 5)]),
    ("Selu, alpha and gamma", "Selu", {"alpha": 2.0, "gamma": 3.0}, [T(3, 5)]),
    ("Shrink, bias", "Shrink", {"bias": 1.5, "lambd": 1.0}, [T(3, 5)]),
    ("Shrink on i8", "Shrink", {"bias": 1.5, "lambd": 2.0}, [T(9, type="i8")]),
    ("Softplus far from 0", "Softplus", {}, [T(7, low=-90, high=90)]),
    ("ThresholdedRelu, alpha", "ThresholdedRelu", {"alpha": 2.0}, [T(3, 5)]),
    ("PRelu", "PRelu", {}, [T(2, 3, 5), T(3, 1)]),
    ("Sign on i32", "Sign", {}, [T(9, type="i32")]),
    ("Sign on u8", "Sign", {}, [T(9, type="u8", low=0)]),
    ("IsNaN", "IsNaN", {}, [T(3, 5, nans=2)]),
    ("IsInf of none", "IsInf", {}, [T(3, 5, nans=2)]),
    ("Not", "Not", {}, [bools(3, 5)]),
    ("BitwiseNot on u16", "BitwiseNot", {}, [T(7, type="u16", low=0, high=65535)]),
    ("CastLike", "CastLike", {}, [T(3, 5), T(1, type="i64")]),
    ("Cast f32 to u16", "Cast", {"to": 4}, [T(9, low=0)]),
    ("Cast f32 to i16", "Cast", {"to": 5}, [T(9)]),
    ("Cast f32 to u32", "Cast", {"to": 12}, [T(9, low=0)]),
    ("Cast i64 to u64", "Cast", {"to": 13}, [T(9, type="i64", low=0)]),
    # Element-wise, two inputs.
    *[(op, op, {}, [bools(7, 1), bools(3)]) for op in ("And", "Or", "Xor")],
    ("Equal of bools", "Equal", {}, [bools(7, 1), bools(3)]),
    *[(f"{op} of i64", op, {}, [T(7, 1, type="i64"), T(5, type="i64")])
      for op in ("Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual")],
    *[(f"{op} of NaN", op, {}, [T(7, 1, nans=3), T(5, nans=2)])
      for op in ("Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual")],
    *[(f"{op} on i32", op, {}, [T(7, 1, type="i32"), T(5, type="i32")]) for op in ("BitwiseAnd", "BitwiseOr", "BitwiseXor")],
    ("BitShift to the left", "BitShift", {"direction": "LEFT"}, [T(9, 1, type="u8", low=0, high=255), T(8, type="u8", low=0, high=7)]),
    ("BitShift to the right", "BitShift", {"direction": "RIGHT"}, [T(9, 1, type="u64", low=0, high=2**40), T(8, type="u64", low=0, high=40)]),
    ("Mod on i32", "Mod", {}, [T(9, 1, type="i32", low=-9, high=9), T(3, type="i32", low=-7, high=-2)]),
    ("Mod on i64, fmod", "Mod", {"fmod": 1}, [T(9, 1, type="i64", low=-9, high=9), T(3, type="i64", low=-7, high=-2)]),
    ("Mod on u8", "Mod", {}, [T(9, 1, type="u8", low=0, high=255), T(3, type="u8", low=2, high=9)]),
    ("Mod on f32, fmod", "Mod", {"fmod": 1}, [T(9, 1, low=-90, high=90), T(3, low=1)]),
    ("Pow, i64 to f32", "Pow", {}, [T(9, 1, type="i64", low=0, high=9), T(5, low=0)]),
    ("Pow, f32 to i32", "Pow", {}, [T(9, 1, low=1), T(5, type="i32")]),
    ("Pow, i32 to i64", "Pow", {}, [T(9, 1, type="i32"), T(5, type="i64", low=0, high=7)]),
    ("Mean", "Mean", {}, [T(3, 5), T(5), T(3, 1)]),
    ("Where", "Where", {}, [bools(3, 1), T(5), T(2, 1, 1)]),
    ("Where on u8", "Where", {}, [bools(7), T(7, type="u8", low=0), T(1, type="u8", low=0)]),
    *[(f"{op} on f32", op, {}, [T(3, 5), T(3, 5, low=1)]) for op in ("Add", "Div", "Max", "Min", "Mul", "Sub")],
    ("Pow on f32", "Pow", {}, [T(3, 5, low=1), T(3, 5, low=-2, high=2)]),
    ("Add, missing leading dimensions", "Add", {}, [T(2, 3, 5, 1), T(5, 7)]),
    ("Sub, both repeated", "Sub", {}, [T(3, 1, 5), T(1, 7, 1)]),
    ("Mul with a scalar", "Mul", {}, [T(), T(3, 5)]),
    ("Mul, all extents 1", "Mul", {}, [T(1, 1), T(1)]),
    ("Div, the larger rank second", "Div", {}, [T(5), T(2, 3, 5, low=1)]),
    ("Add on f16", "Add", {}, half(T(3, 5), T(5))),
    ("Add on i64", "Add", {}, [T(3, 5, type="i64"), T(3, 1, type="i64")]),
    ("Div on i32 truncates", "Div", {}, [T(5, 1, type="i32", low=-9, high=9), T(2, type="i32", low=-4, high=-2)]),
    ("Div on i64, positive divisors", "Div", {}, [T(9, 1, type="i64", low=-9, high=9), T(3, type="i64", low=1)]),
    ("Div on u8", "Div", {}, [T(7, 1, type="u8", low=0, high=255), T(3, type="u8", low=2, high=9)]),
    ("Pow on i32", "Pow", {}, [T(9, 1, type="i32"), T(5, type="i32", low=0, high=7)]),
    ("Pow on i64", "Pow", {}, [T(9, 1, type="i64", low=-9, high=9), T(7, type="i64", low=0, high=15)]),
    ("Min on i32", "Min", {}, [T(7, type="i32"), T(1, type="i32")]),
    ("Max on i64", "Max", {}, [T(7, type="i64"), T(3, 1, type="i64")]),
    # f64, as far as ONNX Runtime has it.
    *[(f"{op} on f64", op, {}, double(T(3, 5)))
      for op in ("Abs", "Ceil", "Exp", "Floor", "Neg", "Relu", "Sigmoid", "Softmax", "Tanh")],
    *[(f"{op} on f64", op, {}, double(T(3, 5), T(3, 5, low=1))) for op in ("Add", "Div", "Max", "Min", "Mul", "Sub")],
    ("Clip on f64", "Clip", {"min": 0.1, "max": 2.1}, double(T(3, 7))),
    ("MatMul on f64", "MatMul", {}, double(T(3, 17), T(17, 5))),
    ("Gemm on f64", "Gemm", {"alpha": 0.25, "beta": 2.0}, double(T(3, 7), T(7, 5), T(5))),
    ("MaxPool on f64", "MaxPool", {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}, double(T(1, 2, 5, 7))),
    ("BatchNormalization on f64", "BatchNormalization", {}, double(*batch_norm(2, 3, 5))),
    ("Cast f32 to f64", "Cast", {"to": 11}, [T(7)]),
    ("Cast f64 to f16", "Cast", {"to": 10}, double(T(7))),
    ("Cast f32 to i32", "Cast", {"to": 6}, [T(9)]),
    ("Cast f32 to bool", "Cast", {"to": 9}, [T(9, low=-1, high=1)]),
    ("Cast i64 to u8", "Cast", {"to": 2}, [T(9, type="i64", low=0, high=255)]),
    ("Cast bool to f32", "Cast", {"to": 1}, [T(9, type="bool", low=0, high=1)]),
    ("Sum", "Sum", {}, [T(3, 5), T(5)]),
    # A NaN is not lost.
    *[(f"{op} of NaN", op, {}, [T(3, 7, nans=3)])
      for op in ("Abs", "HardSigmoid", "HardSwish", "LeakyRelu", "Relu", "Softmax")],
    *[(f"{op} of NaN", op, {}, [T(3, 7, nans=3), T(3, 7, nans=2)]) for op in ("Max", "Min")],
    ("Max of NaN on f64", "Max", {}, double(T(3, 7, nans=3), T(3, 7, nans=2))),
    ("Relu of NaN on f16", "Relu", {}, half(T(3, 7, nans=3))),
    ("Clip of NaN", "Clip", {"min": -1.0, "max": 2.0}, [T(3, 7, nans=3)]),
    ("Clip of NaN to a minimum", "Clip", {"min": -1.0}, [T(3, 7, nans=3)]),
    ("Clip of NaN to a maximum", "Clip", {"max": 1.0}, [T(3, 7, nans=3)]),
    # Reductions.
    *[(op, op, {}, [T(2, 3, 5)]) for op in REDUCTIONS],
    *[(f"{op} on i32, dimensions dropped", op, {"axes": [1, -1], "keepdims": 0}, [T(2, 3, 1, 5, type="i32")]) for op in REDUCTIONS],
    *[(f"{op} along the first axis", op, {"axes": [0]}, [T(5, 3, low=1)]) for op in ("ReduceLogSum", "ReduceLogSumExp")],
    ("ReduceLogSumExp of large numbers", "ReduceLogSumExp", {"axes": [1]}, [T(3, 5, low=-500, high=500)]),
    ("ReduceSum without axes, none reduced", "ReduceSum", {"noop_with_empty_axes": 1}, [T(2, 3)]),
    ("ReduceSum of a scalar", "ReduceSum", {}, [T()]),
    ("ReduceMean on f16", "ReduceMean", {"axes": [-1]}, half(T(3, 17))),
    ("ReduceMin on i8", "ReduceMin", {"axes": [0]}, [T(5, 3, type="i8", low=-128, high=127)]),
    ("ReduceMax on f64", "ReduceMax", {"axes": [0]}, double(T(5, 3))),
    ("ArgMax", "ArgMax", {}, [T(5, 3, low=-1, high=1)]),
    ("ArgMax, the last", "ArgMax", {"axis": -1, "select_last_index": 1}, [T(5, 7, low=-1, high=1)]),
    ("ArgMin, dimension dropped", "ArgMin", {"axis": 1, "keepdims": 0}, [T(2, 7, 3, low=-1, high=1)]),
    ("ArgMin on i32, the last", "ArgMin", {"axis": 1, "select_last_index": 1}, [T(2, 7, 3, type="i32", low=-1, high=1)]),
    ("DFT", "DFT", {"axis": -2}, [T(2, 3, 7, 1)]),
    ("DFT of complex numbers", "DFT", {"axis": 1}, [T(2, 8, 2)]),
    ("DFT, onesided, of f64", "DFT", {"axis": 1, "onesided": 1}, double(T(2, 9, 3, 1))),
    ("DFT, inverse", "DFT", {"axis": 0, "inverse": 1}, [T(5, 2, 2)]),
    ("DFT, padded", "DFT", {"axis": 1, "dft_length": [11]}, [T(2, 8, 1)]),
    ("DFT, cut off", "DFT", {"axis": 1, "dft_length": [5], "onesided": 1}, [T(2, 8, 1)]),
    ("STFT", "STFT", {"frame_step": [3], "frame_length": [8]}, [T(2, 17, 1)]),
    ("STFT with a window", "STFT", {"frame_step": [2]}, [T(1, 17, 1), T(7, low=0, high=1)]),
    ("STFT of complex numbers", "STFT", {"frame_step": [4], "onesided": 0}, [T(1, 16, 2), T(6, low=0, high=1)]),
    ("CumProd", "CumProd", {"axis": 1}, [T(2, 5, 3)]),
    ("CumProd, exclusive", "CumProd", {"axis": -1, "exclusive": 1}, [T(2, 5)]),
    ("CumProd, reverse", "CumProd", {"axis": 0, "reverse": 1}, [T(5, 2, type="i64")]),
    ("CumProd, exclusive and reverse", "CumProd", {"axis": 0, "exclusive": 1, "reverse": 1}, [T(5, 2)]),
    ("CumSum", "CumSum", {"axis": 1}, [T(2, 5, 3)]),
    ("CumSum, exclusive", "CumSum", {"axis": -1, "exclusive": 1}, [T(2, 5)]),
    ("CumSum, reverse", "CumSum", {"axis": 0, "reverse": 1}, [T(5, 2, type="i64")]),
    ("CumSum, exclusive and reverse", "CumSum", {"axis": 0, "exclusive": 1, "reverse": 1}, [T(5, 2)]),
    ("CumSum of one", "CumSum", {"axis": 0, "exclusive": 1}, [T(1, 2)]),
    # Normalizations.
    ("GroupNormalization", "GroupNormalization", {"num_groups": 3, "epsilon": 0.125}, [T(2, 6, 5), T(6), T(6)]),
    ("InstanceNormalization", "InstanceNormalization", {"epsilon": 0.125}, [T(2, 3, 5, 7), T(3), T(3)]),
    ("LayerNormalization", "LayerNormalization", {}, [T(3, 17), T(17), T(17)]),
    ("LayerNormalization without a bias", "LayerNormalization", {"axis": 1, "epsilon": 0.125}, [T(2, 3, 5), T(3, 5)]),
    ("LayerNormalization on f16", "LayerNormalization", {}, half(T(3, 17), T(17), T(17))),
    ("LpNormalization", "LpNormalization", {}, [T(3, 5, low=1)]),
    ("LpNormalization, p 1", "LpNormalization", {"p": 1, "axis": 0}, [T(3, 5, low=1)]),
    ("LRN", "LRN", {"size": 3}, [T(1, 5, 3, 2)]),
    ("LRN, attributes", "LRN", {"size": 5, "alpha": 0.5, "beta": 0.5, "bias": 2.0}, [T(2, 7, 3, 1)]),
    ("MeanVarianceNormalization", "MeanVarianceNormalization", {}, [T(2, 3, 5, 7)]),
    ("RMSNormalization", "RMSNormalization", {}, [T(3, 17), T(17)]),
    ("RMSNormalization of two dimensions", "RMSNormalization", {"axis": -2, "epsilon": 0.125}, [T(3, 5, 7), T(5, 7)]),
    ("LogSoftmax", "LogSoftmax", {"axis": 1}, [T(2, 5, 3)]),
    ("LogSoftmax of large numbers", "LogSoftmax", {}, [T(3, 5, low=-500, high=500)]),
    ("Hardmax", "Hardmax", {"axis": 0}, [T(5, 3, low=-1, high=1)]),
    # Quantized numbers.
    ("QuantizeLinear to u8", "QuantizeLinear", {}, [T(3, 5, low=-90, high=300), scale(), quantized()]),
    ("QuantizeLinear along an axis", "QuantizeLinear", {"axis": 0}, [T(3, 5, low=-90, high=90), scale(3), quantized(3, type="i8")]),
    ("QuantizeLinear in blocks", "QuantizeLinear", {"axis": 1, "block_size": 2}, [T(3, 5, low=-90, high=90), scale(3, 3), quantized(3, 3)]),
    ("QuantizeLinear to i16", "QuantizeLinear", {"output_dtype": 5}, [T(3, 5, low=-90, high=90), scale()]),
    ("DequantizeLinear of u8", "DequantizeLinear", {}, [quantized(3, 5), scale(), quantized()]),
    ("DequantizeLinear along an axis", "DequantizeLinear", {"axis": -1}, [quantized(3, 5, type="i8"), scale(5)]),
    ("DequantizeLinear in blocks", "DequantizeLinear", {"axis": 0, "block_size": 2}, [quantized(3, 5), scale(2, 5), quantized(2, 5)]),
    ("DequantizeLinear of i32", "DequantizeLinear", {}, [T(7, type="i32", low=-90000, high=90000), scale()]),
    ("MatMulInteger", "MatMulInteger", {}, [quantized(3, 5), quantized(5, 7, type="i8")]),
    ("MatMulInteger with zero points", "MatMulInteger", {}, [quantized(2, 3, 5), quantized(5, 7), quantized(), quantized(7)]),
    ("ConvInteger", "ConvInteger", {"pads": [1, 1, 1, 1]}, [quantized(1, 2, 5, 3), quantized(3, 2, 3, 3), quantized()]),
    ("ConvInteger with two zero points", "ConvInteger", {"strides": [2, 1]}, [quantized(1, 2, 5, 3), quantized(3, 2, 3, 2), quantized(), quantized()]),
    ("QLinearMatMul", "QLinearMatMul", {}, [quantized(3, 5), scale(), quantized(), quantized(5, 7), scale(), quantized(), T(low=300, high=900), quantized()]),
    ("QLinearMatMul on i8, by columns", "QLinearMatMul", {},
     [quantized(3, 5), scale(), quantized(), quantized(5, 7, type="i8"), scale(7), quantized(7, type="i8"), T(low=300, high=900), quantized()]),
    ("QLinearConv", "QLinearConv", {"pads": [1, 1, 1, 1]},
     [quantized(1, 2, 5, 3), scale(), quantized(), quantized(3, 2, 3, 3), scale(), quantized(), T(low=900, high=2000), quantized()]),
    ("QLinearConv with a bias, by channels", "QLinearConv", {"group": 2},
     [quantized(1, 4, 5, 3), scale(), quantized(), quantized(4, 2, 2, 2, type="i8"), scale(4), T(4, type="i8", low=0, high=0),
      T(low=900, high=2000), quantized(), T(4, type="i32", low=-900, high=900)]),
    # Convolutions.
    ("Conv 1x1", "Conv", {}, [T(1, 5, 3, 7), T(3, 5, 1, 1)]),
    ("Conv 1x1, stride 2, bias", "Conv", {"strides": [2, 2]}, [T(2, 3, 5, 7), T(5, 3, 1, 1), T(5)]),
    ("Conv 3x3, padded, bias", "Conv", {"pads": [1, 1, 1, 1]}, [T(1, 3, 5, 7), T(5, 3, 3, 3), T(5)]),
    ("Conv 3x3, not padded", "Conv", {}, [T(1, 3, 5, 7), T(2, 3, 3, 3)]),
    ("Conv 7x7, stride 2", "Conv", {"pads": [3, 3, 3, 3], "strides": [2, 2]}, [T(1, 3, 11, 9), T(2, 3, 7, 7)]),
    ("Conv 1x7", "Conv", {"pads": [0, 3, 0, 3]}, [T(1, 3, 5, 7), T(3, 3, 1, 7)]),
    ("Conv, uneven pads and strides", "Conv", {"pads": [0, 2, 1, 0], "strides": [3, 2]}, [T(1, 2, 7, 7), T(3, 2, 3, 2)]),
    ("Conv, dilated", "Conv", {"pads": [2, 3, 2, 3], "dilations": [2, 3]}, [T(1, 2, 7, 7), T(3, 2, 3, 3)]),
    ("Conv, a kernel larger than the input", "Conv", {"pads": [2, 2, 2, 2]}, [T(1, 2, 1, 3), T(2, 2, 5, 5)]),
    ("Conv, pads that no window reaches", "Conv", {"pads": [0, 0, 1, 1], "strides": [2, 2]}, [T(1, 2, 5, 5), T(2, 2, 3, 3)]),
    ("Conv, SAME_UPPER", "Conv", {"auto_pad": "SAME_UPPER", "strides": [2, 2]}, [T(1, 2, 6, 5), T(3, 2, 3, 3)]),
    ("Conv, SAME_LOWER", "Conv", {"auto_pad": "SAME_LOWER", "strides": [2, 2]}, [T(1, 2, 6, 5), T(3, 2, 3, 3)]),
    ("Conv, 3 groups", "Conv", {"group": 3, "pads": [1, 1, 1, 1]}, [T(1, 6, 5, 5), T(9, 2, 3, 3), T(9)]),
    ("Conv, groups of one output", "Conv", {"group": 2}, [T(1, 6, 3, 3), T(2, 3, 2, 2)]),
    ("Conv, depthwise", "Conv", {"group": 5, "pads": [1, 1, 1, 1]}, [T(2, 5, 5, 3), T(5, 1, 3, 3), T(5)]),
    ("Conv, depthwise, stride 2", "Conv", {"group": 3, "strides": [2, 2], "pads": [0, 0, 1, 1]}, [T(1, 3, 6, 6), T(3, 1, 3, 3)]),
    ("Conv, depthwise, two outputs each", "Conv", {"group": 3}, [T(1, 3, 5, 5), T(6, 1, 3, 3)]),
    ("Conv in one dimension", "Conv", {"pads": [2, 1], "strides": [2]}, [T(2, 3, 9), T(5, 3, 4), T(5)]),
    ("Conv in three dimensions", "Conv", {"pads": [1, 0, 1, 1, 0, 1]}, [T(1, 2, 3, 4, 5), T(3, 2, 3, 1, 3)]),
    ("Conv on f16", "Conv", {"pads": [1, 1, 1, 1]}, half(T(1, 3, 5, 5), T(3, 3, 3, 3), T(3))),
    # Matrix products.
    ("Gemm", "Gemm", {}, [T(3, 5), T(5, 7), T(7)]),
    ("Gemm without C", "Gemm", {"alpha": 0.5}, [T(3, 5), T(5, 7)]),
    ("Gemm, transposed, scaled", "Gemm", {"transA": 1, "transB": 1, "alpha": 0.5, "beta": 2.0}, [T(5, 3), T(7, 5), T(3, 1)]),
    ("Gemm, a scalar C", "Gemm", {"transB": 1}, [T(1, 5), T(7, 5), T()]),
    ("Gemm, C a matrix", "Gemm", {"transA": 1}, [T(5, 3), T(5, 7), T(3, 7)]),
    ("Gemm, beta 0", "Gemm", {"beta": 0.0}, [T(3, 5), T(5, 7), T(7)]),
    ("Gemm on f16", "Gemm", {}, half(T(3, 5), T(5, 7), T(7))),
    ("MatMul", "MatMul", {}, [T(3, 5), T(5, 7)]),
    ("MatMul, batches", "MatMul", {}, [T(2, 3, 5), T(2, 5, 1)]),
    ("MatMul, broadcast batches", "MatMul", {}, [T(3, 1, 2, 5), T(4, 5, 3)]),
    ("MatMul, batches of one", "MatMul", {}, [T(1, 3, 5), T(2, 5, 3)]),
    ("MatMul, a vector first", "MatMul", {}, [T(5), T(2, 5, 3)]),
    ("MatMul, a vector second", "MatMul", {}, [T(2, 3, 5), T(5)]),
    ("MatMul of two vectors", "MatMul", {}, [T(5), T(5)]),
    # Pools.
    ("MaxPool", "MaxPool", {"kernel_shape": [2, 2], "strides": [2, 2]}, [T(1, 3, 6, 7)]),
    ("MaxPool, padded, all below 0", "MaxPool", {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1]}, [T(2, 3, 7, 5, low=-9, high=-1)]),
    ("MaxPool, ceil_mode", "MaxPool", {"kernel_shape": [3, 3], "strides": [2, 2], "ceil_mode": 1}, [T(1, 3, 6, 5, low=-9, high=-1)]),
    ("MaxPool, dilated", "MaxPool", {"kernel_shape": [2, 3], "dilations": [3, 2], "pads": [1, 2, 0, 2]}, [T(1, 2, 7, 5)]),
    ("MaxPool in one dimension", "MaxPool", {"kernel_shape": [3], "pads": [1, 1]}, [T(1, 3, 7)]),
    ("MaxPool in three dimensions", "MaxPool", {"kernel_shape": [2, 1, 3], "pads": [1, 0, 0, 0, 0, 1]}, [T(1, 2, 3, 4, 5)]),
    ("MaxPool on f16", "MaxPool", {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}, half(T(1, 2, 5, 5))),
    ("AveragePool", "AveragePool", {"kernel_shape": [3, 3], "strides": [2, 2]}, [T(1, 3, 7, 7)]),
    ("AveragePool, pads not counted", "AveragePool", {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}, [T(1, 3, 5, 4)]),
    ("AveragePool, pads counted", "AveragePool", {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1], "count_include_pad": 1}, [T(1, 3, 5, 4)]),
    ("AveragePool, ceil_mode", "AveragePool", {"kernel_shape": [3, 3], "strides": [2, 2], "ceil_mode": 1}, [T(1, 3, 6, 5)]),
    ("AveragePool, ceil_mode, pads not counted", "AveragePool", {"kernel_shape": [3, 2], "strides": [2, 3], "pads": [1, 0, 1, 1], "ceil_mode": 1}, [T(1, 2, 6, 6)]),
    ("AveragePool, ceil_mode, pads counted", "AveragePool", {"kernel_shape": [3, 2], "strides": [2, 3], "pads": [1, 0, 1, 1], "ceil_mode": 1, "count_include_pad": 1}, [T(1, 2, 6, 6)]),
    ("AveragePool, uneven pads counted", "AveragePool", {"kernel_shape": [2, 3], "pads": [1, 0, 0, 2], "count_include_pad": 1}, [T(1, 2, 5, 3)]),
    ("AveragePool, dilated", "AveragePool", {"kernel_shape": [3, 2], "dilations": [2, 3], "pads": [2, 1, 1, 1]}, [T(1, 2, 5, 7)]),
    ("AveragePool, dilated, pads counted", "AveragePool", {"kernel_shape": [3, 2], "dilations": [2, 3], "pads": [2, 1, 1, 1], "count_include_pad": 1, "strides": [2, 1]}, [T(1, 2, 5, 7)]),
    ("AveragePool, windows that step over the input", "AveragePool", {"kernel_shape": [2], "dilations": [5], "pads": [1, 1]}, [T(1, 2, 4)]),
    ("AveragePool, SAME_UPPER", "AveragePool", {"kernel_shape": [2, 2], "auto_pad": "SAME_UPPER"}, [T(1, 2, 3, 5)]),
    ("AveragePool in three dimensions", "AveragePool", {"kernel_shape": [2, 1, 2], "pads": [1, 0, 0, 0, 0, 1]}, [T(1, 2, 3, 2, 5)]),
    ("AveragePool on f16", "AveragePool", {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}, half(T(1, 2, 5, 5))),
    ("GlobalAveragePool", "GlobalAveragePool", {}, [T(2, 3, 5, 7)]),
    ("GlobalAveragePool in one dimension", "GlobalAveragePool", {}, [T(2, 3, 7)]),
    ("GlobalMaxPool, all below 0", "GlobalMaxPool", {}, [T(2, 3, 5, 7, low=-9, high=-1)]),
    ("MaxPool on u8", "MaxPool", {"kernel_shape": [2, 2], "pads": [1, 0, 0, 1]}, [T(1, 2, 3, 5, type="u8", low=0, high=255)]),
    ("MaxPool on i8, all below 0", "MaxPool", {"kernel_shape": [3], "pads": [1, 1]}, [T(1, 2, 5, type="i8", low=-128, high=-1)]),
    ("LpPool", "LpPool", {"kernel_shape": [3, 2], "strides": [2, 1], "pads": [1, 0, 1, 1]}, [T(1, 2, 5, 7)]),
    ("LpPool, p 1, ceil_mode", "LpPool", {"kernel_shape": [3], "strides": [2], "p": 1, "ceil_mode": 1}, [T(1, 2, 6)]),
    ("LpPool, p 3, dilated", "LpPool", {"kernel_shape": [2, 2], "dilations": [2, 3], "p": 3}, [T(1, 1, 5, 7)]),
    ("GlobalLpPool", "GlobalLpPool", {}, [T(2, 3, 5, 7)]),
    ("GlobalLpPool, p 3", "GlobalLpPool", {"p": 3}, [T(2, 3, 5)]),
    ("MaxUnpool", "MaxUnpool", {"kernel_shape": [2, 2], "strides": [2, 2]}, [T(1, 2, 2, 3), Values([[[[0, 3, 11], [12, 14, 23]], [[25, 32, 29], [42, 45, 47]]]], "i64")]),
    # Transposed and deformed convolutions.
    ("ConvTranspose", "ConvTranspose", {}, [T(1, 2, 3, 5), T(2, 3, 3, 2)]),
    ("ConvTranspose, bias, stride, pads", "ConvTranspose", {"strides": [2, 3], "pads": [1, 0, 0, 2]}, [T(2, 2, 3, 5), T(2, 3, 3, 4), T(3)]),
    ("ConvTranspose, groups, output_padding", "ConvTranspose", {"group": 2, "strides": [3, 2], "output_padding": [2, 1]}, [T(1, 4, 3, 3), T(4, 3, 2, 3)]),
    ("ConvTranspose, dilated by a divisor of the stride", "ConvTranspose", {"strides": [4], "dilations": [2]}, [T(1, 2, 5), T(2, 1, 3)]),
    ("ConvTranspose, dilated across the stride", "ConvTranspose", {"strides": [3], "dilations": [2], "pads": [1, 1]}, [T(1, 2, 5), T(2, 1, 5)]),
    ("ConvTranspose, output_shape", "ConvTranspose", {"strides": [2, 2], "output_shape": [6, 8]}, [T(1, 1, 3, 3), T(1, 2, 3, 3)]),
    ("ConvTranspose, SAME_LOWER", "ConvTranspose", {"strides": [2], "auto_pad": "SAME_LOWER"}, [T(1, 1, 5), T(1, 1, 3)]),
    ("ConvTranspose in three dimensions", "ConvTranspose", {"strides": [1, 2, 1]}, [T(1, 2, 2, 3, 2), T(2, 1, 2, 3, 1)]),
    ("ConvTranspose on f16", "ConvTranspose", {"strides": [2, 2]}, half(T(1, 2, 3, 3), T(2, 2, 3, 3))),
    ("DeformConv", "DeformConv", {"kernel_shape": [2, 2], "pads": [1, 0, 0, 1]}, [T(1, 2, 4, 3), T(3, 2, 2, 2), T(1, 8, 4, 3, low=-2, high=2)]),
    ("DeformConv, groups, bias, mask", "DeformConv", {"kernel_shape": [1, 2], "group": 2, "offset_group": 2, "strides": [2, 1], "dilations": [1, 2]}, [T(1, 4, 3, 5), T(2, 2, 1, 2), T(1, 8, 2, 3, low=-2, high=2), T(2), T(1, 4, 2, 3)]),
    # Reads between elements.
    *[(f"GridSample, {mode}, {padding}, {'aligned' if align else 'not aligned'}", "GridSample", {"mode": mode, "padding_mode": padding, "align_corners": align}, [T(2, 2, 3, 4), T(2, 3, 5, 2, low=-2, high=2)])
      for mode in ("linear", "nearest", "cubic") for padding, align in (("zeros", 0), ("border", 1), ("reflection", 0), ("reflection", 1))],
    ("GridSample in three dimensions", "GridSample", {}, [T(1, 2, 3, 4, 2), T(1, 2, 2, 3, 3, low=-1, high=1)]),
    ("AffineGrid", "AffineGrid", {"size": [2, 1, 3, 4]}, [T(2, 2, 3)]),
    ("AffineGrid in three dimensions, aligned", "AffineGrid", {"size": [1, 1, 2, 3, 4], "align_corners": 1}, [T(1, 3, 4)]),
    *[(f"RoiAlign, {mode}, {ratio} samples, {transformation}", "RoiAlign", {"mode": mode, "sampling_ratio": ratio, "coordinate_transformation_mode": transformation, "output_height": 2, "output_width": 3, "spatial_scale": 0.5},
       [T(2, 2, 5, 7), Values([[0, 0, 13, 9], [2.5, -3, 30, 7.5], [5, 5, 5.5, 6], [-40, -40, -30, -20]]), Values([1, 0, 1, 0], "i64")])
      for mode in ("avg", "max") for ratio in (0, 2) for transformation in ("half_pixel", "output_half_pixel")],
    ("MaxRoiPool", "MaxRoiPool", {"pooled_shape": [2, 3], "spatial_scale": 0.5}, [T(2, 2, 5, 7), Values([[1, 0, 0, 13, 9], [0, 2, -3, 30, 8], [1, 5, 5, 5, 5], [0, -40, -40, -30, -20]])]),
    ("RotaryEmbedding", "RotaryEmbedding", {}, [T(2, 3, 2, 8), T(2, 2, 4), T(2, 2, 4)]),
    ("RotaryEmbedding, positions, merged heads", "RotaryEmbedding", {"num_heads": 3, "interleaved": 1}, [T(2, 2, 12), T(5, 2), T(5, 2), Values([[0, 4], [3, 1]], "i64")]),
    ("RotaryEmbedding of a part", "RotaryEmbedding", {"rotary_embedding_dim": 4, "num_heads": 2}, [T(1, 3, 12), T(7, 2), T(7, 2), Values([[6, 0, 2]], "i64")]),
    # Softmax.
    ("Softmax along the last axis", "Softmax", {}, [T(3, 7)]),
    ("Softmax along axis 1", "Softmax", {"axis": 1}, [T(2, 3, 5)]),
    ("Softmax of a vector", "Softmax", {"axis": 0}, [T(7)]),
    ("Softmax of large numbers", "Softmax", {}, [T(3, 5, low=-500, high=500)]),
    ("Softmax on f16", "Softmax", {"axis": 0}, half(T(5, 3))),
    # Layout transformations.
    ("Concat", "Concat", {"axis": 1}, [T(1, 3, 2, 2), T(1, 5, 2, 2), T(1, 1, 2, 2)]),
    ("Concat, one input", "Concat", {"axis": 0}, [T(3, 5)]),
    ("Concat along the last axis, f16", "Concat", {"axis": -1}, half(T(3, 5), T(3, 2))),
    ("Concat of bools", "Concat", {"axis": 0}, [T(3, low=0, high=1, type="bool"), T(2, low=0, high=1, type="bool")]),
    ("Concat of i64", "Concat", {"axis": 0}, [T(1, type="i64"), T(3, type="i64"), T(2, type="i64")]),
    ("Pad", "Pad", {"pads": [0, 0, 1, 2, 0, 0, 3, 0], "value": 1.5}, [T(1, 2, 3, 5)]),
    *[(f"Pad with {mode}", "Pad", {"mode": mode, "pads": [2, 0, 1, 3]}, [T(3, 5)]) for mode in ("edge", "reflect", "wrap")],
    ("Pad that crops and repeats", "Pad", {"mode": "edge", "pads": [-1, 2, 3, -2]}, [T(3, 5)]),
    ("Pad of i64", "Pad", {"pads": [0, 1], "value": 7.0}, [T(3, type="i64")]),
    ("Expand", "Expand", {"shape": [2, 3, 5]}, [T(3, 1)]),
    ("Expand of a scalar", "Expand", {"shape": [3]}, [T()]),
    ("Tile", "Tile", {"repeats": [1, 3, 2]}, [T(3, 1, 5)]),
    ("Slice", "Slice", {"starts": [1, -3], "ends": [9, -1], "axes": [0, 2], "steps": [2, 1]}, [T(7, 3, 5)]),
    ("Slice backwards", "Slice", {"starts": [-1, 5], "ends": [-99, 0], "axes": [1, 0], "steps": [-1, -3]}, [T(7, 5)]),
    ("Split, one part", "Split", {"axis": 1, "split": [5]}, [T(3, 5)]),
    # Indices.
    ("Gather", "Gather", {"axis": 1}, [T(3, 5, 2), T(2, 3, type="i64", low=-5, high=4)]),
    ("Gather by a scalar", "Gather", {}, [T(3, 5), T(type="i32", low=-3, high=2)]),
    ("GatherElements", "GatherElements", {"axis": -2}, [T(5, 3), T(7, 2, type="i64", low=-5, high=4)]),
    ("GatherND", "GatherND", {}, [T(3, 3, 5), T(7, 2, type="i64", low=-3, high=2)]),
    ("GatherND, batches", "GatherND", {"batch_dims": 1}, [T(3, 5, 2), T(3, 7, 1, type="i64", low=-5, high=4)]),
    ("ScatterElements", "ScatterElements", {"axis": 1}, [T(3, 5), T(3, 1, type="i64", low=-5, high=4), T(3, 1)]),
    ("ScatterElements, fewer rows", "ScatterElements", {"axis": 0, "reduction": "add"}, [T(5, 7), T(9, 3, type="i32", low=-5, high=4), T(9, 3)]),
    ("ScatterElements, largest", "ScatterElements", {"axis": 0, "reduction": "max"}, [T(5, 3), T(9, 3, type="i64", low=-5, high=4), T(9, 3)]),
    ("ScatterND", "ScatterND", {}, [T(5, 3), T(1, 1, type="i64", low=-5, high=4), T(1, 3)]),
    ("ScatterND, sums", "ScatterND", {"reduction": "add"}, [T(3, 3, 2), T(5, 2, type="i64", low=-3, high=2), T(5, 2)]),
    ("OneHot", "OneHot", {"axis": 0, "depth": [5]}, [T(7, type="i64", low=-6, high=6), T(2)]),
    ("Trilu", "Trilu", {"k": [1], "upper": 0}, [T(2, 3, 5)]),
    ("TopK", "TopK", {"k": [3], "axis": 1}, [T(3, 7)]),
    ("TopK, smallest", "TopK", {"k": [5], "axis": 0, "largest": 0}, [T(7, 3, type="i64")]),
    ("ReverseSequence", "ReverseSequence", {}, [T(5, 3), T(3, type="i64", low=0, high=5)]),
    # Between elements.
    *[(f"Resize, {mode}, {coordinates}", "Resize", {"mode": mode, "coordinate_transformation_mode": coordinates, "sizes": [1, 1, 7, 3]}, [T(1, 1, 5, 5, low=1, high=9)])
      for mode in ("nearest", "linear", "cubic") for coordinates in ("half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric")],
    *[(f"Resize, {rounding}", "Resize", {"nearest_mode": rounding, "scales": [1.0, 2.5]}, [T(3, 7)])
      for rounding in ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")],
    ("Resize by 2", "Resize", {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor", "scales": [1.0, 1.0, 2.0, 2.0]}, [T(1, 2, 3, 5)]),
    ("Resize, nothing from outside", "Resize", {"mode": "cubic", "exclude_outside": 1, "cubic_coeff_a": -0.5, "scales": [1.0, 1.0, 1.5, 0.75]}, [T(1, 1, 5, 4, low=1, high=9)]),
    # Contractions.
    ("Einsum", "Einsum", {"equation": "bij,bkj->bik"}, [T(2, 3, 5), T(2, 7, 5)]),
    ("Einsum, a diagonal", "Einsum", {"equation": "iij->j"}, [T(3, 3, 5)]),
    ("Einsum, an ellipsis", "Einsum", {"equation": "...ij,...j->...i"}, [T(2, 3, 5), T(2, 5)]),
    ("Det", "Det", {}, [T(2, 5, 5)]),
    ("MatMul on i32", "MatMul", {}, [T(3, 5, type="i32", low=-90, high=90), T(5, 7, type="i32", low=-90, high=90)]),
    ("Col2Im", "Col2Im", {"image_shape": [5, 7], "block_shape": [2, 3], "strides": [2, 1], "pads": [1, 0, 0, 1], "dilations": [1, 2]}, [T(1, 12, 12)]),
    ("Pad that crops", "Pad", {"pads": [-1, 0, 0, -2]}, [T(3, 5)]),
    ("Pad that pads and crops", "Pad", {"pads": [2, -1, -2, 1]}, [T(5, 3)]),
    ("Pad on i32", "Pad", {"pads": [1, 2], "value": -7.0}, [T(3, type="i32")]),
    ("Reshape, dimensions merged", "Reshape", {"shape": [0, -1]}, [T(2, 3, 5)]),
    ("Reshape, a dimension split", "Reshape", {"shape": [2, 3, 4, 5]}, [T(2, 12, 5)]),
    ("Reshape, dimensions regrouped", "Reshape", {"shape": [6, 5, 4]}, [T(10, 3, 4)]),
    ("Reshape among units", "Reshape", {"shape": [1, 6, 1, 1, 4]}, [T(2, 1, 3, 2, 2, 1)]),
    ("Reshape of i64", "Reshape", {"shape": [3, 2]}, [T(2, 3, type="i64")]),
    ("Reshape to a scalar", "Reshape", {"shape": []}, [T(1, 1)]),
    ("Reshape of a scalar", "Reshape", {"shape": [1, 1]}, [T()]),
    ("Flatten", "Flatten", {}, [T(2, 3, 5, 1)]),
    ("Flatten at 0", "Flatten", {"axis": 0}, [T(2, 3)]),
    ("Flatten at 2", "Flatten", {"axis": 2}, [T(2, 3, 5)]),
    ("TensorScatter", "TensorScatter", {}, [T(2, 3, 5, 2), T(2, 3, 2, 2), Values([1, 3], "i64")]),
    ("TensorScatter, circular, along the last dimension", "TensorScatter", {"axis": -1, "mode": "circular"},
     [T(2, 3, 5), T(2, 3, 4), Values([3, 7], "i64")]),
    ("TensorScatter from the beginning", "TensorScatter", {"axis": 1}, [T(2, 5, 3), T(2, 2, 3)]),
    ("Squeeze", "Squeeze", {"axes": [0, -1]}, [T(1, 3, 1, 5, 1)]),
    ("Unsqueeze", "Unsqueeze", {"axes": [0, 3]}, [T(3, 5)]),
    ("Identity", "Identity", {}, [T(3, 5, type="i8")]),
    ("Dropout", "Dropout", {}, [T(3, 5)]),
    ("Transpose, reversed", "Transpose", {}, [T(2, 3, 5)]),
    ("Transpose to channels last", "Transpose", {"perm": [0, 2, 3, 1]}, [T(2, 3, 5, 7)]),
    ("Transpose, a rotation", "Transpose", {"perm": [2, 0, 1]}, [T(2, 3, 5, type="i32")]),
]

# Attributes of the normal form that are operands in ONNX: their order after the data, and the operand's type.
OPERANDS = {"AffineGrid": [("size", np.int64)], "Clip": [("min", None), ("max", None)],
            **{op: [("axes", np.int64)] for op in (*REDUCTIONS, "ReduceLogSum", "ReduceLogSumExp")},
            "DFT": [("dft_length", np.int64), ("axis", np.int64)],
            "STFT": [("frame_step", np.int64), ("frame_length", np.int64)], "CumProd": [("axis", np.int64)], "CumSum": [("axis", np.int64)], "Col2Im": [("image_shape", np.int64), ("block_shape", np.int64)],
            "Expand": [("shape", np.int64)], "OneHot": [("depth", np.int64)], "Pad": [("pads", np.int64), ("value", None)],
            "Resize": [("roi", np.float32), ("scales", np.float32), ("sizes", np.int64)],
            "Slice": [("starts", np.int64), ("ends", np.int64), ("axes", np.int64), ("steps", np.int64)],
            "Split": [("split", np.int64)], "Tile": [("repeats", np.int64)], "TopK": [("k", np.int64)],
            "Trilu": [("k", np.int64)], "Reshape": [("shape", np.int64)], "Squeeze": [("axes", np.int64)], "Unsqueeze": [("axes", np.int64)]}


def compute(op, attributes, inputs):
    attributes = dict(attributes)
    names = [f"x{i}" for i in range(len(inputs))]
    constants = []
    for key, dtype in OPERANDS.get(op, []):
        if key not in attributes:
            names.append("")
            continue
        value = np.asarray(attributes.pop(key)).astype(dtype or inputs[0].dtype)
        if op in ("DFT", "STFT"):
            value = value.reshape(())
        constants.append(numpy_helper.from_array(value, key))
        names.append(key)
    if op == "OneHot":
        names = [names[0], names[2], names[1]]
    if op == "STFT":
        data = len(inputs)
        names = [names[0], names[data], names[1] if data > 1 else "", names[data + 1]]
    while names[-1] == "":
        names.pop()
    results = ["y", "places"] if op == "TopK" else ["y"]
    type_of = {np.dtype(NUMPY_TYPES[name]): code for name, code in ONNX_TYPES.items()}
    graph = helper.make_graph(
        [helper.make_node(op, names, results, **attributes)], "case",
        [helper.make_tensor_value_info(f"x{i}", type_of[x.dtype], x.shape) for i, x in enumerate(inputs)],
        [helper.make_empty_tensor_value_info("y")], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSETS.get(op, OPSET))], ir_version=10)
    if op in BY_REFERENCE:
        return ReferenceEvaluator(model).run(None, {f"x{i}": x for i, x in enumerate(inputs)})[0]
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, {f"x{i}": x for i, x in enumerate(inputs)})[0]


def to_json(array):
    name = next(name for name, dtype in NUMPY_TYPES.items() if np.dtype(dtype) == array.dtype)
    flat = array.astype(np.float64 if array.dtype.kind == "f" else np.int64).ravel()
    digits = 17 if name == "f64" else 7
    values = [None if v != v else int(v) if v == int(v) else float(f"{v:.{digits}g}") for v in flat.tolist()]
    return {"type": name, "shape": list(array.shape), "values": values}


def compute_node(op, attributes, inputs, constants, outputs, domain):
    """The outputs of one node; those that are not in `outputs` are absent. The domain None is ONNX's, by its reference."""
    names = ["" if x is None else f"x{i}" for i, x in enumerate(inputs)]
    results = [f"y{i}" if i in outputs else "" for i in range(max(outputs) + 1)]
    type_of = {np.dtype(NUMPY_TYPES[name]): code for name, code in ONNX_TYPES.items()}
    given = {f"x{i}": x for i, x in enumerate(inputs) if x is not None}
    graph = helper.make_graph(
        [helper.make_node(op, names, results, domain=domain or "", **attributes)], "case",
        [helper.make_tensor_value_info(name, type_of[x.dtype], x.shape) for name, x in given.items() if int(name[1:]) not in constants],
        [helper.make_empty_tensor_value_info(name) for name in results if name],
        [numpy_helper.from_array(x, name) for name, x in given.items() if int(name[1:]) in constants])
    if domain is None:
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", COMPOSED_OPSET)])
        return ReferenceEvaluator(model).run(None, {name: x for name, x in given.items() if int(name[1:]) not in constants})
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=10)
    options = onnxruntime.SessionOptions()
    # One thread: how a sum of floats is split would depend on the machine.
    options.intra_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, {name: x for name, x in given.items() if int(name[1:]) not in constants})


def write_nodes(file, cases, default_domain):
    assert len({name for name, *_ in cases}) == len(cases), "two cases share a name"
    lines = []
    for name, op, attributes, tensors, *more in cases:
        options = more[0] if more else {}
        rng = np.random.default_rng(sum(name.encode()))
        inputs = [None if tensor is None else tensor.fill(rng) for tensor in tensors]
        outputs = options.get("outputs", 1)
        outputs = list(range(outputs)) if isinstance(outputs, int) else outputs
        constants = options.get("constants", [])
        domain = options.get("domain", default_domain)
        results = compute_node(op, attributes, inputs, constants, outputs, domain)
        case = {"name": name, "domain": domain or "", "op": op, "attributes": attributes, "inputs": [x if x is None else to_json(x) for x in inputs],
                "constants": constants, "outputs": outputs, "expected": [to_json(y) for y in results]}
        lines.append(json.dumps(case, separators=(",", ":")))
    write(file, lines)


def write(file, lines):
    path = pathlib.Path(__file__).parent / "fixtures" / file
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n")
    print(f"{path}: {len(lines)} cases, {path.stat().st_size} bytes")


def main():
    assert len({name for name, *_ in CASES}) == len(CASES), "two cases share a name"
    lines = []
    for name, op, attributes, tensors in CASES:
        rng = np.random.default_rng(sum(name.encode()))
        inputs = [tensor.fill(rng) for tensor in tensors]
        is_half = inputs[0].dtype == np.float16
        expected = compute(op, attributes, [x.astype(np.float32) for x in inputs] if is_half else inputs)
        case = {"name": name, "op": op, "attributes": attributes, "inputs": [to_json(x) for x in inputs],
                "expected": to_json(expected.astype(np.float16) if is_half else expected)}
        lines.append(json.dumps(case, separators=(",", ":")))
    write("operators.json", lines)


if __name__ == "__main__":
    if sys.argv[1:] == ["contributed"]:
        write_nodes("contributed.json", contributed_cases.CASES, "com.microsoft")
    elif sys.argv[1:] == ["composed"]:
        write_nodes("composed.json", composed_cases.CASES, None)
    else:
        main()
