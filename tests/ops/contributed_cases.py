"""Cases of ONNX Runtime's contributed operators, of the domain com.microsoft, for make_fixtures.py.

A case is a name, an operator, its attributes, its inputs by position, where None is one that is absent, and
options: "outputs", their number, and "constants", the positions of inputs that are initializers. Inputs are
ranges of numbers; quantized ones are whole numbers of all that their type holds.
"""
import numpy as np


class Random:
    """Values drawn from the seed that the case's name gives."""

    def __init__(self, shape, type, low, high):
        self.shape, self.type, self.low, self.high = shape, type, low, high

    def fill(self, rng):
        if np.dtype(self.type).kind in "iu":
            return rng.integers(self.low, self.high, self.shape, endpoint=True).astype(self.type)
        # 4 digits: what JSON has is what ONNX Runtime gets.
        return np.round(rng.uniform(self.low, self.high, self.shape), 4).astype(self.type)


class Given:
    def __init__(self, values, type="float32"):
        self.values = np.asarray(values, type)

    def fill(self, rng):
        return self.values


def f(*shape, low=-2, high=2):
    return Random(shape, "float32", low, high)


def q(*shape, type="uint8"):
    return Random(shape, type, np.iinfo(type).min, np.iinfo(type).max)


def ids(*shape, below):
    return Random(shape, "int32", 0, below - 1)


def u8(value):
    return Given(value, "uint8")


def i8(value):
    return Given(value, "int8")


def s(value):
    return Given(value)


def i32(values):
    return Given(values, "int32")


def i64(values):
    return Given(values, "int64")


def binary(op):
    return [
        (f"{op} of u8", op, {}, [q(3, 5), s(0.1), u8(7), q(3, 5), s(0.05), u8(200), s(0.2), u8(31)]),
        (f"{op} of i8, broadcast", op, {}, [q(2, 1, 7, type="int8"), s(0.037), i8(-3), q(3, 1, type="int8"), s(0.25), i8(100), s(0.3), i8(5)]),
        # ONNX Runtime refuses an absent zero point before an input that is present.
        (f"{op} without a zero point of the output", op, {}, [q(17), s(0.5), u8(3), q(1), s(0.25), u8(0), s(0.5)]),
        (f"{op} with ties", op, {}, [q(5, 7, type="int8"), s(0.1), i8(0), q(7, type="int8"), s(0.1), i8(1), s(0.2), i8(3)]),
    ]


def unary(op, y_scale, **attributes):
    return [
        (f"{op} of u8", op, attributes, [q(3, 5), s(0.05), u8(113), s(y_scale), u8(9)]),
        (f"{op} of i8", op, attributes, [q(2, 3, 7, type="int8"), s(0.04), i8(-5), s(y_scale), i8(-100)]),
        # ONNX Runtime ends where the node has fewer inputs.
        (f"{op} without a zero point of the input", op, attributes, [q(17), s(0.01), None, s(y_scale), u8(0)]),
    ]


# The lowest number of f32.
LOWEST = float(np.finfo("float32").min)
IMAGE = {"kernel_shape": [3, 2], "strides": [2, 1], "pads": [1, 0, 1, 1]}
CASES = [
    *binary("QLinearAdd"),
    *binary("QLinearMul"),
    *unary("QLinearSigmoid", 1 / 256),
    *unary("QLinearLeakyRelu", 0.07, alpha=0.2),
    ("QLinearAveragePool of u8", "QLinearAveragePool", IMAGE, [q(1, 3, 5, 7), s(0.05), u8(13), s(0.04), u8(20)]),
    ("QLinearAveragePool of i8, with the border", "QLinearAveragePool", {**IMAGE, "count_include_pad": 1, "ceil_mode": 1},
     [q(2, 1, 7, 5, type="int8"), s(0.05), i8(13), s(0.03), i8(-2)]),
    *[(f"QLinearAveragePool, windows past the end, {name}", "QLinearAveragePool", {"kernel_shape": [3, 3], "strides": [2, 2], "pads": pads, "ceil_mode": 1, "count_include_pad": include},
       [q(1, 2, 5, 6), s(0.05), zero, s(0.04), u8(20)])
      for name, pads, include, zero in (("counted", [0, 0, 0, 0], 1, u8(13)), ("not counted", [0, 0, 0, 0], 0, u8(13)), ("counted with pads", [1, 1, 1, 1], 1, u8(0)))],
    ("QLinearAveragePool with ties", "QLinearAveragePool", {"kernel_shape": [2, 2], "strides": [2, 2]}, [q(1, 3, 6, 8), s(0.1), u8(7), s(0.1), u8(31)]),
    ("QLinearAveragePool, channels last", "QLinearAveragePool", {**IMAGE, "channels_last": 1}, [q(1, 5, 7, 3), s(0.05), u8(0), s(0.05), u8(3)]),
    ("QLinearConv", "QLinearConv", {"pads": [1, 1, 1, 1]},
     [q(1, 2, 5, 3), s(0.02), u8(113), q(3, 2, 3, 3, type="int8"), s(0.01), i8(0), s(0.05), u8(120)], {"constants": [3]}),
    ("QLinearConv, channels last", "QLinearConv", {"channels_last": 1, "pads": [1, 0, 1, 0], "strides": [2, 1]},
     [q(1, 5, 7, 2), s(0.02), u8(113), q(3, 2, 3, 3, type="int8"), s([0.01, 0.02, 0.015]), i8([0, 0, 0]), s(0.05), u8(120), Random((3,), "int32", -900, 900)],
     {"constants": [3, 4, 5, 8]}),
    ("QLinearConv, channels last, by groups", "QLinearConv", {"channels_last": 1, "group": 3},
     [q(2, 5, 3, 3), s(0.02), u8(3), q(3, 1, 3, 3, type="int8"), s(0.01), i8(0), s(0.03), u8(12)], {"constants": [3]}),
    ("QLinearGlobalAveragePool of u8", "QLinearGlobalAveragePool", {}, [q(2, 3, 5, 7), s(0.05), u8(120), s(0.01), u8(128)]),
    ("QLinearGlobalAveragePool with ties", "QLinearGlobalAveragePool", {}, [q(2, 17, 2, 2), s(0.1), u8(7), s(0.1), u8(31)]),
    ("QLinearGlobalAveragePool of i8", "QLinearGlobalAveragePool", {}, [q(1, 5, 3, 3, type="int8"), s(0.05), i8(3), s(0.02), i8(-1)]),
    ("QLinearGlobalAveragePool, channels last", "QLinearGlobalAveragePool", {"channels_last": 1}, [q(2, 5, 3, 7), s(0.1), u8(128), s(0.02), u8(100)]),
    ("QLinearConcat", "QLinearConcat", {"axis": 1}, [s(0.1), u8(7), q(3, 5), s(0.1), u8(7), q(3, 1), s(0.2), u8(0)]),
    ("QLinearConcat of i8", "QLinearConcat", {"axis": -1}, [s(0.1), i8(-7), q(2, 3, 1, type="int8"), s(0.05), i8(7), q(2, 3, 7, type="int8"), s(0.3), i8(0)]),
    ("QLinearConcat of three", "QLinearConcat", {"axis": 0}, [s(0.2), u8(100), q(1, 3), s(0.1), u8(7), q(5, 3), s(0.2), u8(100), q(2, 3), s(0.07), u8(255)]),
    ("QLinearSoftmax of u8", "QLinearSoftmax", {"axis": -1, "opset": 13}, [q(3, 7), s(0.03), u8(9), s(1 / 256), u8(0)]),
    ("QLinearSoftmax of i8, not the last axis", "QLinearSoftmax", {"axis": 1, "opset": 13}, [q(2, 5, 3, type="int8"), s(0.02), i8(9), s(1 / 256), i8(-128)]),
    ("QLinearSoftmax of opset 11", "QLinearSoftmax", {"axis": 1, "opset": 11}, [q(2, 5, 3), s(0.02), None, s(1 / 256), u8(0)]),
    ("QGemm", "QGemm", {}, [q(3, 5), s(0.02), u8(113), q(5, 7), s(0.03), u8(100), None, s(1.7), u8(90)]),
    ("QGemm, transposed, by columns", "QGemm", {"transA": 1, "transB": 1, "alpha": 0.5},
     [q(5, 3), s(0.02), u8(113), q(7, 5, type="int8"), Random((7,), "float32", 0.01, 0.05), i8([0] * 7), Random((7,), "int32", -900, 900), s(0.9), u8(90)]),
    ("QGemm to f32, divided by a scale", "QGemm", {}, [q(3, 5), s(0.02), u8(113), q(5, 7), s(0.03), u8(100), None, s(1.7)]),
    ("QGemm to f32", "QGemm", {}, [q(3, 5, type="int8"), s(0.02), i8(3), q(5, 7, type="int8"), s(0.03), i8(0), Random((3, 7), "int32", -900, 900)]),
    ("MatMulIntegerToFloat", "MatMulIntegerToFloat", {}, [q(3, 5), q(5, 7), s(0.02), s(0.03), u8(100), u8(3)]),
    ("MatMulIntegerToFloat, by columns, with a bias", "MatMulIntegerToFloat", {},
     [q(2, 3, 5), q(5, 7, type="int8"), s(0.02), Random((7,), "float32", 0.01, 0.05), u8(100), q(7, type="int8"), f(7)]),
    ("MatMulIntegerToFloat without zero points", "MatMulIntegerToFloat", {}, [q(3, 5, type="int8"), q(5, 7, type="int8"), s(0.02), s(0.03)]),
    ("DynamicQuantizeMatMul", "DynamicQuantizeMatMul", {}, [f(3, 5), q(5, 7), s(0.03), u8(3)]),
    ("DynamicQuantizeMatMul, by columns, with a bias", "DynamicQuantizeMatMul", {},
     [f(2, 3, 5), q(5, 7, type="int8"), Random((7,), "float32", 0.01, 0.05), i8([0] * 7), f(7)]),
    ("DynamicQuantizeMatMul without a zero point", "DynamicQuantizeMatMul", {}, [f(1, 17, low=0), q(17, 3, type="int8"), s(0.01)]),
    ("QuantizeLinear to u16", "QuantizeLinear", {}, [f(3, 5), s(0.0001), Given(30000, "uint16")]),
    ("QuantizeLinear to i16", "QuantizeLinear", {}, [f(3, 5), s(0.0001), Given(-300, "int16")]),
    ("QuantizeLinear to i8, by channels", "QuantizeLinear", {"axis": 1}, [f(2, 3, 5), s([0.1, 0.02, 0.03]), i8([1, 2, -3])]),
    ("QuantizeLinear without a zero point", "QuantizeLinear", {}, [f(7), s(0.01)]),
    ("DequantizeLinear of u16", "DequantizeLinear", {}, [q(3, 5, type="uint16"), s(0.0001), Given(30000, "uint16")]),
    ("DequantizeLinear of i16, by channels", "DequantizeLinear", {"axis": 0}, [q(3, 5, type="int16"), s([0.1, 0.2, 0.3]), Given([1, -2, 300], "int16")]),
    ("DequantizeLinear of i32", "DequantizeLinear", {}, [Random((7,), "int32", -90000, 90000), s(0.001)]),
    *[(f"DynamicQuantizeLinear of {list(shape)}", "DynamicQuantizeLinear", {}, [f(*shape, low=low, high=5)], {"domain": "", "outputs": 3})
      for shape, low in (((1,), 2), ((17,), -3), ((1, 7), 2), ((5, 3), -9), ((3, 5, 7), -3), ((2, 3, 5, 1), -5))],
    ("DynamicQuantizeLinear, all below 0", "DynamicQuantizeLinear", {}, [f(3, 5, low=-4, high=-1)], {"domain": "", "outputs": 3}),
    ("DynamicQuantizeLinear of zeros", "DynamicQuantizeLinear", {}, [s([[0, 0], [0, 0]])], {"domain": "", "outputs": 3}),
    *[(f"DynamicQuantizeLSTM, {direction}", "DynamicQuantizeLSTM", {"hidden_size": 3, "direction": direction},
       [f(3, 2, 5), q(d, 5, 12, type=type), q(d, 3, 12, type=type), f(d, 24), *more, s([0.01] * d), Given([zero] * d, type), s([0.012] * d), Given([zero] * d, type)],
       {"outputs": 3, "constants": [1, 2, 8, 9, 10, 11]})
      for direction, d, type, zero, more in (("forward", 1, "int8", 0, [None, None, None, None]), ("reverse", 1, "uint8", 128, [None, f(1, 2, 3), f(1, 2, 3), None]),
                                             ("bidirectional", 2, "int8", 3, [None, f(2, 2, 3), f(2, 2, 3), f(2, 9)]))],
    *[(f"{op}, {direction}, {steps} steps, a sequence of none", op, {"hidden_size": 3, "direction": direction},
       [f(steps, 3, 5), f(d, gates * 3, 5), f(d, gates * 3, 3), f(d, 2 * gates * 3), i32([2, 0, 4]), *[f(d, 3, 3)] * states], {"domain": "", "outputs": 1 + states})
      # More than 64 steps are one node.
      for op, gates, states in (("RNN", 1, 1), ("GRU", 3, 1), ("LSTM", 4, 2)) for direction, d, steps in (("forward", 1, 4), ("bidirectional", 2, 4), ("reverse", 1, 70))],
    ("DynamicQuantizeLSTM, a sequence of no steps", "DynamicQuantizeLSTM", {"hidden_size": 3},
     [f(3, 2, 5), q(1, 5, 12, type="int8"), q(1, 3, 12, type="int8"), None, i32([0, 3]), f(1, 2, 3), f(1, 2, 3), None, s([0.01]), i8([0]), s([0.012]), i8([0])],
     {"outputs": 3, "constants": [1, 2, 8, 9, 10, 11]}),
    ("DynamicQuantizeLSTM, lengths", "DynamicQuantizeLSTM", {"hidden_size": 3},
     [f(5, 3, 5), q(1, 5, 12, type="int8"), q(1, 3, 12, type="int8"), None, i32([2, 4, 1]), f(1, 3, 3), None, None, s([0.01]), i8([0]), s([0.012]), i8([0])],
     {"outputs": 3, "constants": [1, 2, 8, 9, 10, 11]}),
    ("FusedMatMul", "FusedMatMul", {"alpha": 0.5}, [f(2, 3, 5), f(2, 5, 7)]),
    ("FusedMatMul, transposed", "FusedMatMul", {"transA": 1, "transB": 1}, [f(5, 3), f(7, 5)]),
    ("FusedMatMul, batches inside", "FusedMatMul", {"transBatchA": 1, "transBatchB": 1, "transB": 1, "alpha": 2.0}, [f(3, 2, 5), f(7, 2, 5)]),
    ("FusedConv", "FusedConv", {"activation": "Relu", "pads": [1, 1, 1, 1]}, [f(1, 2, 5, 7), f(3, 2, 3, 3), f(3)]),
    ("FusedConv, a sum before the activation", "FusedConv", {"activation": "LeakyRelu", "activation_params": [0.25], "strides": [2, 2]},
     [f(1, 2, 5, 7), f(3, 2, 3, 3), None, f(1, 3, 2, 3)]),
    ("FusedConv, clipped", "FusedConv", {"activation": "Clip", "activation_params": [-0.5, 1.5], "group": 2}, [f(2, 4, 5), f(6, 2, 1), f(6)]),
    ("FusedConv, HardSigmoid", "FusedConv", {"activation": "HardSigmoid", "activation_params": [0.25, 0.5]}, [f(1, 1, 3, 5), f(2, 1, 1, 3), f(2)]),
    ("FusedGemm", "FusedGemm", {"activation": "Relu"}, [f(3, 5), f(5, 7), f(7)]),
    ("FusedGemm, transposed", "FusedGemm", {"activation": "Tanh", "transA": 1, "transB": 1, "alpha": 0.5, "beta": 2.0}, [f(5, 3), f(7, 5), f(3, 7)]),
    ("FusedGemm, Selu", "FusedGemm", {"activation": "Selu", "activation_alpha": 1.5, "activation_gamma": 1.25}, [f(3, 5), f(5, 1)]),
    *[(f"{op} of {len(shape)} dimensions", op, {}, [f(*shape, low=-4, high=4), *more]) for op, more in (("Gelu", []), ("QuickGelu", [])) for shape in ((7,), (3, 5), (2, 1, 7))],
    ("QuickGelu, alpha", "QuickGelu", {"alpha": 0.5}, [f(3, 5)]),
    ("FastGelu", "FastGelu", {}, [f(3, 5, low=-4, high=4)]),
    ("FastGelu with a bias", "FastGelu", {}, [f(2, 3, 5), f(5)]),
    ("FastGelu of a vector", "FastGelu", {}, [f(17)]),
    *[(f"BiasGelu of {len(shape)} dimensions", "BiasGelu", {}, [f(*shape, low=-4, high=4), f(shape[-1])]) for shape in ((3, 5), (2, 3, 7), (1, 1, 1, 17))],
    ("SkipLayerNormalization", "SkipLayerNormalization", {}, [f(2, 3, 5), f(2, 3, 5), f(5), f(5)]),
    ("SkipLayerNormalization with a bias and its sum", "SkipLayerNormalization", {"epsilon": 0.125}, [f(2, 3, 5), f(2, 3, 5), f(5), f(5), f(5)], {"outputs": [0, 3]}),
    ("SkipLayerNormalization, one skip for all", "SkipLayerNormalization", {}, [f(2, 3, 5), f(3, 5), f(5)]),
    ("SkipSimplifiedLayerNormalization", "SkipSimplifiedLayerNormalization", {}, [f(2, 3, 5), f(2, 3, 5), f(5)]),
    ("SkipSimplifiedLayerNormalization with a bias and its sum", "SkipSimplifiedLayerNormalization", {"epsilon": 0.125}, [f(2, 3, 5), f(2, 3, 5), f(5), f(5)], {"outputs": [0, 3]}),
    ("SkipSimplifiedLayerNormalization, one skip for all", "SkipSimplifiedLayerNormalization", {}, [f(2, 3, 17), f(1, 3, 17), f(17)]),
    ("SimplifiedLayerNormalization", "SimplifiedLayerNormalization", {}, [f(2, 3, 5), f(5)], {"domain": ""}),
    ("SimplifiedLayerNormalization, epsilon", "SimplifiedLayerNormalization", {"axis": -1, "epsilon": 0.125}, [f(3, 17), f(17)], {"domain": ""}),
    ("SimplifiedLayerNormalization, the root", "SimplifiedLayerNormalization", {}, [f(3, 7), f(7)], {"domain": "", "outputs": 2}),
    ("EmbedLayerNormalization", "EmbedLayerNormalization", {}, [ids(2, 3, below=11), ids(2, 3, below=2), f(11, 5), f(7, 5), f(2, 5), f(5), f(5), i32([[1, 1, 0], [1, 0, 0]])], {"outputs": 2}),
    ("EmbedLayerNormalization without segments", "EmbedLayerNormalization", {"epsilon": 0.125}, [ids(2, 3, below=11), None, f(11, 5), f(7, 5), None, f(5), f(5)], {"outputs": 3}),
    ("EmbedLayerNormalization with positions", "EmbedLayerNormalization", {}, [ids(2, 3, below=11), ids(2, 3, below=2), f(11, 5), f(7, 5), f(2, 5), f(5), f(5), None, ids(2, 3, below=7)], {"outputs": 2}),
    ("Attention", "Attention", {"num_heads": 2}, [f(2, 3, 5), f(5, 24), f(24)]),
    ("Attention, causal, with a mask", "Attention", {"num_heads": 2, "unidirectional": 1}, [f(2, 3, 5), f(5, 24), f(24), i32([[1, 1, 1], [1, 1, 0]])]),
    ("Attention, lengths", "Attention", {"num_heads": 1, "mask_filter_value": -5.0}, [f(2, 3, 5), f(5, 12), f(12), i32([2, 3])]),
    ("Attention, ends and starts", "Attention", {"num_heads": 2, "scale": 0.25}, [f(2, 5, 4), f(4, 12), f(12), i32([4, 5, 1, 0])]),
    ("Attention with a past and a mask for each query", "Attention", {"num_heads": 2},
     [f(1, 2, 5), f(5, 12), f(12), i32([[[1, 0, 1, 1, 1], [1, 1, 1, 0, 1]]]), f(2, 1, 2, 3, 2)], {"outputs": 2}),
    ("Attention with a bias of the scores", "Attention", {"num_heads": 2}, [f(1, 3, 5), f(5, 12), f(12), None, None, f(1, 2, 3, 3)]),
    ("Attention, wide values", "Attention", {"num_heads": 2, "qkv_hidden_sizes": [4, 4, 6]}, [f(1, 3, 5), f(5, 14), f(14)]),
    ("MultiHeadAttention", "MultiHeadAttention", {"num_heads": 2}, [f(2, 3, 8), f(2, 5, 8), f(2, 5, 8), f(24)]),
    ("MultiHeadAttention, a mask and a bias", "MultiHeadAttention", {"num_heads": 2, "scale": 0.5},
     [f(2, 3, 8), f(2, 5, 8), f(2, 5, 8), None, i32([[1, 1, 1, 1, 0], [1, 1, 0, 0, 0]]), f(2, 2, 3, 5)]),
    ("MultiHeadAttention with a past", "MultiHeadAttention", {"num_heads": 2}, [f(1, 2, 8), f(1, 2, 8), f(1, 2, 8), None, None, None, f(1, 2, 3, 4), f(1, 2, 3, 4)], {"outputs": 3}),
    ("MultiHeadAttention, keys of heads", "MultiHeadAttention", {"num_heads": 2}, [f(1, 3, 8), f(1, 2, 5, 4), f(1, 2, 5, 4)]),
    *[(f"Attention, {name}, a filter of {filter}", "Attention", {"num_heads": 2, "mask_filter_value": filter, "unidirectional": causal},
       [f(2, 3, 5), f(5, 12), f(12), i32([[1, 1, 0], [0, 0, 0]])])
      for name, causal in (("causal", 1), ("masked", 0)) for filter in (-3.4e38, LOWEST)],
    *[(f"MultiHeadAttention, causal, {queries} of {keys} keys{more}", "MultiHeadAttention", {"num_heads": 2, "unidirectional": 1},
       [f(1, queries, 8), f(1, keys, 8), f(1, keys, 8), None, *mask])
      for queries, keys, more, mask in ((3, 5, "", []), (1, 4, "", []), (5, 3, "", []), (2, 5, ", a mask", [i32([[0, 1, 1, 1, 0]])]))],
    ("MultiHeadAttention, causal, of a past and more keys than queries", "MultiHeadAttention", {"num_heads": 2, "unidirectional": 1},
     [f(1, 3, 8), f(1, 4, 8), f(1, 4, 8), None, None, None, f(1, 2, 3, 4), f(1, 2, 3, 4)], {"outputs": 3}),
    ("MultiHeadAttention, causal", "MultiHeadAttention", {"num_heads": 1, "unidirectional": 1}, [f(2, 5, 4), f(2, 5, 4), f(2, 5, 4)]),
    ("NhwcMaxPool of u8", "NhwcMaxPool", IMAGE, [q(1, 5, 7, 3)]),
    ("NhwcMaxPool of i8", "NhwcMaxPool", {"kernel_shape": [2, 2], "ceil_mode": 1, "strides": [2, 2]}, [q(2, 5, 5, 1, type="int8")]),
    ("NhwcMaxPool, dilated", "NhwcMaxPool", {"kernel_shape": [2, 2], "dilations": [2, 1]}, [q(1, 5, 3, 17)]),
    *[(f"GridSample, {mode}, {padding}", "GridSample", {"mode": mode, "padding_mode": padding, "align_corners": corners}, [f(1, 2, 3, 5), f(1, 2, 3, 2, low=-1.2, high=1.2)])
      for mode, padding, corners in (("bilinear", "zeros", 0), ("nearest", "border", 1), ("bicubic", "reflection", 0))],
    # ONNX's reference puts one element at -0.5, where ONNX has 0.
    *[(f"Resize, antialiased, {mode}, pytorch_half_pixel to one element", "Resize", {"antialias": 1, "mode": mode, "coordinate_transformation_mode": "pytorch_half_pixel"},
       [f(1, 1, 5, 7), None, None, i64([1, 1, 1, 3])], {"domain": "", "constants": [3]}) for mode in ("linear", "cubic")],
    ("Pad", "Pad", {}, [f(3, 5), i64([1, 0, 2, 3]), s([0.5])], {"constants": [1, 2]}),
    ("Pad, a row of pads", "Pad", {"mode": "reflect"}, [f(3, 5), i64([[1, 0, 2, 3]])], {"constants": [1]}),
    ("Pad, an edge", "Pad", {"mode": "edge"}, [f(7), i64([2, 1])], {"constants": [1]}),
    ("Range", "Range", {}, [s(1.5), s(9), s(0.75)], {"constants": [0, 1, 2]}),
    ("Range by 1", "Range", {}, [i64(2), i64(9)], {"constants": [0, 1]}),
    ("Range down", "Range", {}, [i32(9), i32(-2), i32(-3)], {"constants": [0, 1, 2]}),
    ("Trilu", "Trilu", {}, [f(3, 5)]),
    ("Trilu, lower", "Trilu", {"upper": 0}, [f(2, 5, 3), i64(1)], {"constants": [1]}),
    ("Trilu, a diagonal below", "Trilu", {}, [f(5, 5), i64(-2)], {"constants": [1]}),
    ("Unique", "Unique", {}, [Random((17,), "float32", 0, 0)], {"outputs": 3}),
    ("Unique of few", "Unique", {}, [Given([3, 1, 3, 2, 1, 3])], {"outputs": 3}),
    ("Unique, all different", "Unique", {}, [f(7)], {"outputs": 3}),
    ("ConvTransposeWithDynamicPads", "ConvTransposeWithDynamicPads", {"strides": [2, 1], "kernel_shape": [3, 3]}, [f(1, 2, 3, 5), f(2, 3, 3, 3), i64([1, 0, 1, 1]), f(3)], {"constants": [2]}),
    ("ConvTransposeWithDynamicPads without a bias", "ConvTransposeWithDynamicPads", {}, [f(1, 2, 3, 5), f(2, 1, 2, 2), i64([0, 0, 0, 0])], {"constants": [2]}),
    ("ConvTransposeWithDynamicPads, groups", "ConvTransposeWithDynamicPads", {"group": 2}, [f(2, 4, 3, 3), f(4, 2, 3, 1), i64([0, 0, 1, 0])], {"constants": [2]}),
    ("CDist", "CDist", {}, [f(3, 5), f(7, 5)]),
    ("CDist, euclidean", "CDist", {"metric": "euclidean"}, [f(3, 5), f(1, 5)]),
    ("CDist of one dimension", "CDist", {"metric": "euclidean"}, [f(5, 1), f(3, 1)]),
    ("Inverse", "Inverse", {}, [f(3, 3)]),
    ("Inverse of a batch", "Inverse", {}, [f(2, 3, 5, 5)]),
    ("Inverse with a zero first", "Inverse", {}, [Given([[0, 2], [4, 1]])]),
]
