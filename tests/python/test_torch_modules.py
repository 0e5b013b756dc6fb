"""Modules and functions of PyTorch give the same results by torch.compile(.., backend="tensordsl") as by themselves.

Each is a line of a table. LEFT names those that stay with PyTorch, and a test checks that they do.
"""

import sys
import unittest
import warnings

try:
    import onnx  # noqa: F401
    import torch
except ImportError as missing:
    print(f"{missing.name} is not installed")
    sys.exit(77)

import tensordsl.torch_backend  # noqa: F401
from tensordsl.torch_export import EXPORTERS
from torch import nn
from torch.nn import functional as F


def image(channels=4, side=9, batch=2):
    return torch.randn(batch, channels, side, side)


def row(*shape):
    return torch.randn(*shape or (3, 7))


def positive(*shape):
    return torch.rand(*shape or (3, 7)) + 0.5


def tokens(high, *shape):
    return torch.randint(0, high, shape)


class Loss(nn.Module):
    """A loss with its target as an input."""

    def __init__(self, loss):
        super().__init__()
        self.loss = loss

    def forward(self, x, target):
        return self.loss(x, target)


ACTIVATIONS = {
    **{kind.__name__: (kind, row) for kind in (
        nn.ReLU, nn.ReLU6, nn.GELU, nn.SiLU, nn.Mish, nn.Sigmoid, nn.Tanh, nn.Softplus, nn.Softsign, nn.Hardswish,
        nn.Hardsigmoid, nn.Hardtanh, nn.ELU, nn.CELU, nn.SELU, nn.LeakyReLU, nn.LogSigmoid, nn.PReLU, nn.Tanhshrink,
        nn.Softshrink, nn.Hardshrink, nn.Identity, nn.Flatten)},
    "GELU tanh": (lambda: nn.GELU(approximate="tanh"), row),
    "Softmax": (lambda: nn.Softmax(-1), row),
    "LogSoftmax": (lambda: nn.LogSoftmax(0), row),
    "Softmin": (lambda: nn.Softmin(1), row),
    "GLU": (nn.GLU, lambda: row(3, 8)),
    "Threshold": (lambda: nn.Threshold(0.1, 2.0), row),
    "Dropout in inference": (nn.Dropout, row),
}  # fmt: skip

POOLS = {
    "MaxPool1d": (lambda: nn.MaxPool1d(3, 2), lambda: row(2, 3, 11)),
    "MaxPool2d": (lambda: nn.MaxPool2d(2), image),
    "MaxPool2d padded": (lambda: nn.MaxPool2d(3, 2, 1), image),
    "MaxPool2d dilated": (lambda: nn.MaxPool2d(2, 1, dilation=2), image),
    "MaxPool2d ceil": (lambda: nn.MaxPool2d(2, ceil_mode=True), image),
    "MaxPool3d": (lambda: nn.MaxPool3d(2), lambda: row(1, 2, 6, 6, 6)),
    "AvgPool1d": (lambda: nn.AvgPool1d(3), lambda: row(2, 3, 11)),
    "AvgPool2d": (lambda: nn.AvgPool2d(2), image),
    "AvgPool2d padded": (lambda: nn.AvgPool2d(3, 2, 1), image),
    "AvgPool2d without pads": (lambda: nn.AvgPool2d(3, 2, 1, count_include_pad=False), image),
    "AvgPool2d divided": (lambda: nn.AvgPool2d(2, divisor_override=3), image),
    "AvgPool3d": (lambda: nn.AvgPool3d(2), lambda: row(1, 2, 6, 6, 6)),
    "AdaptiveAvgPool2d": (lambda: nn.AdaptiveAvgPool2d(1), image),
    "AdaptiveAvgPool2d 3": (lambda: nn.AdaptiveAvgPool2d(3), image),
    "AdaptiveMaxPool2d": (lambda: nn.AdaptiveMaxPool2d(1), image),
    "LPPool2d": (lambda: nn.LPPool2d(2, 3), image),
    "Unfold": (lambda: nn.Unfold(3), image),
    "PixelShuffle": (lambda: nn.PixelShuffle(2), image),
    "PixelUnshuffle": (lambda: nn.PixelUnshuffle(3), image),
    "Upsample nearest": (lambda: nn.Upsample(scale_factor=2), image),
    "Upsample bilinear": (lambda: nn.Upsample(scale_factor=2, mode="bilinear"), image),
    "Upsample corners": (lambda: nn.Upsample(size=(5, 13), mode="bilinear", align_corners=True), image),
    "Upsample bicubic": (lambda: nn.Upsample(scale_factor=2, mode="bicubic"), image),
    "ReflectionPad2d": (lambda: nn.ReflectionPad2d(2), image),
    "ReplicationPad2d": (lambda: nn.ReplicationPad2d(2), image),
    "ConstantPad1d": (lambda: nn.ConstantPad1d((1, 2), 3.0), lambda: row(2, 3, 5)),
    "ZeroPad2d": (lambda: nn.ZeroPad2d(1), image),
    "ChannelShuffle": (lambda: nn.ChannelShuffle(2), image),
}

NORMS = {
    "BatchNorm1d": (lambda: nn.BatchNorm1d(7), row),
    "BatchNorm2d": (lambda: nn.BatchNorm2d(4), image),
    "LayerNorm": (lambda: nn.LayerNorm(7), row),
    "LayerNorm of two": (lambda: nn.LayerNorm((9, 9)), image),
    "LayerNorm bare": (lambda: nn.LayerNorm(7, elementwise_affine=False), row),
    "GroupNorm": (lambda: nn.GroupNorm(2, 4), image),
    "InstanceNorm2d": (lambda: nn.InstanceNorm2d(4), image),
    "InstanceNorm2d affine": (lambda: nn.InstanceNorm2d(4, affine=True), image),
    "LocalResponseNorm": (lambda: nn.LocalResponseNorm(2), image),
    "RMSNorm": (lambda: nn.RMSNorm(7), row),
    "normalize": (lambda: lambda x: F.normalize(x, dim=-1), row),
    "cosine similarity": (lambda: nn.CosineSimilarity(1), row, row),
}

LINEARS = {
    "Conv1d": (lambda: nn.Conv1d(3, 5, 3), lambda: row(2, 3, 11)),
    "Conv2d": (lambda: nn.Conv2d(4, 6, 3), image),
    "Conv2d 1x1": (lambda: nn.Conv2d(4, 6, 1), image),
    "Conv2d strided": (lambda: nn.Conv2d(4, 6, 3, 2, 1), image),
    "Conv2d dilated": (lambda: nn.Conv2d(4, 6, 3, dilation=2), image),
    "Conv2d grouped": (lambda: nn.Conv2d(4, 6, 3, groups=2), image),
    "Conv2d depthwise": (lambda: nn.Conv2d(4, 4, 3, padding="same", groups=4), image),
    "Conv2d reflected": (lambda: nn.Conv2d(4, 6, 3, padding=1, padding_mode="reflect"), image),
    "Conv3d": (lambda: nn.Conv3d(2, 3, 3), lambda: row(1, 2, 6, 6, 6)),
    "ConvTranspose1d": (lambda: nn.ConvTranspose1d(3, 5, 3, 2), lambda: row(2, 3, 7)),
    "ConvTranspose2d": (lambda: nn.ConvTranspose2d(4, 6, 3), image),
    "ConvTranspose2d strided": (lambda: nn.ConvTranspose2d(4, 6, 4, 2, 1, output_padding=1), image),
    "Linear": (lambda: nn.Linear(7, 4), row),
    "Linear without bias": (lambda: nn.Linear(7, 4, bias=False), lambda: row(2, 3, 7)),
    "Bilinear": (lambda: nn.Bilinear(7, 7, 3), row, row),
    "matmul": (lambda: torch.matmul, lambda: row(2, 3, 4), lambda: row(4, 5)),
    "bmm": (lambda: torch.bmm, lambda: row(2, 3, 4), lambda: row(2, 4, 5)),
    "baddbmm": (lambda: lambda a, b, c: torch.baddbmm(a, b, c, beta=2, alpha=0.5), lambda: row(2, 3, 5),
                lambda: row(2, 3, 4), lambda: row(2, 4, 5)),
    "addmm": (lambda: torch.addmm, lambda: row(5), lambda: row(3, 4), lambda: row(4, 5)),
    "einsum": (lambda: lambda a, b: torch.einsum("bij,bkj->bik", a, b), lambda: row(2, 3, 4), lambda: row(2, 5, 4)),
    "outer": (lambda: torch.outer, lambda: row(3), lambda: row(4)),
    "tensordot": (lambda: lambda a, b: torch.tensordot(a, b, 2), lambda: row(2, 3, 4), lambda: row(3, 4, 5)),
}  # fmt: skip

ATTENTION = {
    "Embedding": (lambda: nn.Embedding(11, 6), lambda: tokens(11, 2, 5)),
    "Embedding with padding": (lambda: nn.Embedding(11, 6, padding_idx=0), lambda: tokens(11, 2, 5)),
    "EmbeddingBag": (lambda: nn.EmbeddingBag(11, 6, mode="mean"), lambda: tokens(11, 2, 5)),
    "one_hot": (lambda: lambda i: F.one_hot(i, 11), lambda: tokens(11, 2, 5)),
    "scaled dot product": (lambda: F.scaled_dot_product_attention, *[lambda: row(2, 4, 5, 8)] * 3),
    "causal dot product": (lambda: lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True),
                           *[lambda: row(2, 4, 5, 8)] * 3),
    "MultiheadAttention": (lambda: nn.MultiheadAttention(8, 2, batch_first=True), *[lambda: row(2, 5, 8)] * 3),
    "MultiheadAttention of itself": (lambda: SelfAttention(), lambda: row(2, 5, 8)),
    "TransformerEncoderLayer": (lambda: nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), lambda: row(2, 5, 8)),
    "TransformerEncoderLayer norm first": (
        lambda: nn.TransformerEncoderLayer(8, 2, 16, activation="gelu", batch_first=True, norm_first=True),
        lambda: row(2, 5, 8)),
    "TransformerEncoder": (lambda: encoder(), lambda: row(2, 5, 8)),
    "TransformerEncoder with padding": (
        lambda: lambda x, m, e=encoder(): e(x, src_key_padding_mask=m).masked_fill(m[..., None], 0),
        lambda: row(2, 5, 8), lambda: torch.tensor([[False] * 5, [False] * 3 + [True] * 2])),
    "TransformerEncoder with a mask": (lambda: lambda x, m, e=encoder(): e(x, mask=m), lambda: row(2, 5, 8),
                                       lambda: torch.ones(5, 5, dtype=torch.bool).triu(1)),
    "TransformerDecoderLayer": (lambda: nn.TransformerDecoderLayer(8, 2, 16, batch_first=True), lambda: row(2, 5, 8),
                                lambda: row(2, 3, 8)),
}  # fmt: skip

RECURRENT = {
    "RNN": (lambda: nn.RNN(4, 5), lambda: row(6, 2, 4)),
    "LSTM": (lambda: nn.LSTM(4, 5), lambda: row(6, 2, 4)),
    "LSTM bidirectional": (lambda: nn.LSTM(4, 5, bidirectional=True, batch_first=True), lambda: row(2, 6, 4)),
    "GRU": (lambda: nn.GRU(4, 5, num_layers=2), lambda: row(6, 2, 4)),
    "LSTMCell": (lambda: nn.LSTMCell(4, 5), lambda: row(3, 4)),
    "GRUCell": (lambda: nn.GRUCell(4, 5), lambda: row(3, 4), lambda: row(3, 5)),
    "RNNCell": (lambda: nn.RNNCell(4, 5), lambda: row(3, 4), lambda: row(3, 5)),
}

LOSSES = {
    **{kind.__name__: (lambda kind=kind: Loss(kind()), row, row) for kind in (
        nn.MSELoss, nn.L1Loss, nn.SmoothL1Loss, nn.HuberLoss, nn.BCEWithLogitsLoss)},
    "BCELoss": (lambda: Loss(nn.BCELoss()), lambda: torch.rand(3, 7) * 0.9 + 0.05, lambda: torch.rand(3, 7)),
    "KLDivLoss": (lambda: Loss(nn.KLDivLoss(reduction="batchmean")), row, positive),
    "PoissonNLLLoss": (lambda: Loss(nn.PoissonNLLLoss()), row, positive),
    "CrossEntropyLoss": (lambda: Loss(nn.CrossEntropyLoss()), row, lambda: tokens(7, 3)),
    "CrossEntropyLoss smoothed": (lambda: Loss(nn.CrossEntropyLoss(label_smoothing=0.1)), row, lambda: tokens(7, 3)),
    "NLLLoss": (lambda: Loss(nn.NLLLoss()), row, lambda: tokens(7, 3)),
}  # fmt: skip

INDEXING = {
    "slice": (lambda: lambda x: x[1:, ::2], row),
    "negative slice": (lambda: lambda x: x[..., -3:], row),
    "index": (lambda: lambda x, i: x[i], row, lambda: tokens(3, 5)),
    "index of two": (lambda: lambda x, i, j: x[i, j], row, lambda: tokens(3, 5), lambda: tokens(7, 5)),
    "index_select": (lambda: lambda x, i: x.index_select(1, i), row, lambda: tokens(7, 4)),
    "gather": (lambda: lambda x, i: x.gather(1, i), row, lambda: tokens(7, 3, 4)),
    "scatter": (lambda: lambda x, i, v: x.scatter(0, i, v), row, lambda: torch.tensor([[0, 1, 2, 0, 1, 2, 0]]),
                lambda: row(1, 7)),
    "scatter_add": (lambda: lambda x, i, v: x.scatter_add(0, i, v), row, lambda: torch.tensor([[0, 0], [0, 1]]),
                    lambda: row(2, 2)),
    "index_add": (lambda: lambda x, i, v: x.index_add(0, i, v), row, lambda: torch.tensor([1, 1, 2]), row),
    "index_put": (lambda: lambda x, i, v: x.index_put((i,), v, accumulate=True), row, lambda: torch.tensor([1, 1, 2]),
                  row),
    "index_copy": (lambda: lambda x, i, v: x.index_copy(0, i, v), row, lambda: torch.tensor([2, 0, 1]), row),
    "masked_fill": (lambda: lambda x: x.masked_fill(x > 0, -1.0), row),
    "where": (lambda: lambda x, y: torch.where(x > y, x, y * 2), row, row),
    "take_along_dim": (lambda: lambda x: torch.take_along_dim(x, x.argsort(1), 1), row),
    "topk": (lambda: lambda x: x.topk(3), row),
    "sort": (lambda: lambda x: x.sort(descending=True), row),
    "argmax": (lambda: lambda x: (x.argmax(1), x.argmin(0)), row),
    "tril": (lambda: torch.tril, row),
    "roll": (lambda: lambda x: x.roll(2, 1), row),
    "flip": (lambda: lambda x: x.flip(1), row),
    "diagonal": (lambda: lambda x: x.diagonal(), row),
    "unbind": (lambda: lambda x: x.unbind(0), row),
    "split": (lambda: lambda x: x.split(3, 1), row),
    "chunk": (lambda: lambda x: x.chunk(2, 1), row),
    "cat": (lambda: lambda x, y: torch.cat([x, y], 1), row, row),
    "stack": (lambda: lambda x, y: torch.stack([x, y], 1), row, row),
    "permute": (lambda: lambda x: x.permute(0, 2, 3, 1), image),
    "expand": (lambda: lambda x: x[:, None].expand(3, 4, 7), row),
    "repeat": (lambda: lambda x: x.repeat(2, 3), row),
    "meshgrid": (lambda: lambda x, y: torch.meshgrid(x, y, indexing="ij"), lambda: row(3), lambda: row(4)),
    "arange": (lambda: lambda x: x + torch.arange(7), row),
    "bucketize": (lambda: lambda x: torch.bucketize(x, torch.tensor([-1.0, 0.0, 1.0])), row),
}  # fmt: skip

REDUCTIONS = {
    "sum": (lambda: lambda x: x.sum(1), row),
    "mean of all": (lambda: torch.mean, row),
    "prod": (lambda: lambda x: x.prod(1), row),
    "amax": (lambda: lambda x: x.amax((0, 1)), row),
    "max with indices": (lambda: lambda x: x.max(1), row),
    "std": (lambda: lambda x: x.std(1), row),
    "var": (lambda: lambda x: x.var(0, unbiased=False), row),
    "norm": (lambda: lambda x: x.norm(dim=1), row),
    "logsumexp": (lambda: lambda x: x.logsumexp(1), row),
    "cumsum": (lambda: lambda x: x.cumsum(1), row),
    "cumsum of i32": (lambda: lambda x: x.cumsum(0), lambda: torch.arange(9, dtype=torch.int32)),
    "cumprod": (lambda: lambda x: x.cumprod(1), row),
    "any": (lambda: lambda x: (x > 1).any(1), row),
    "all": (lambda: lambda x: (x > -1).all(), row),
    "count": (lambda: lambda x: (x > 0).sum(1), row),
    "cdist": (lambda: lambda x, y: torch.cdist(x, y), row, row),
}

POINTWISE = {
    **{name: (lambda name=name: getattr(torch, name), row) for name in (
        "abs", "neg", "exp", "expm1", "sin", "cos", "tanh", "atan", "asinh", "erf", "floor", "ceil", "round", "trunc",
        "square", "sigmoid", "reciprocal", "frac", "isnan", "isinf", "logical_not", "sign")},
    **{name: (lambda name=name: getattr(torch, name), positive) for name in (
        "log", "log2", "log1p", "log10", "sqrt", "rsqrt")},
    **{name: (lambda name=name: getattr(torch, name), row, positive) for name in (
        "add", "sub", "mul", "div", "atan2", "fmod", "remainder", "maximum", "minimum", "floor_divide", "eq", "lt",
        "hypot", "copysign")},
    "pow": (lambda: torch.pow, positive, row),
    "clamp": (lambda: lambda x: x.clamp(-0.5, 0.5), row),
    "lerp": (lambda: lambda a, b: torch.lerp(a, b, 0.3), row, row),
    "addcmul": (lambda: lambda a, b, c: torch.addcmul(a, b, c, value=0.5), row, row, row),
    "integers": (lambda: lambda a, b: (a // b, a % b, a & b, a * b), lambda: tokens(99, 8) - 50,
                 lambda: tokens(9, 8) + 1),
    "to i32": (lambda: lambda x: (x * 10).to(torch.int32), row),
    "to f16": (lambda: lambda x: x.half() * 2, row),
    "f64": (lambda: lambda x: x.double().exp().sum(1), row),
}  # fmt: skip


class SelfAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, x):
        return self.attention(x, x, x, need_weights=False)[0]


def encoder():
    return nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 2).eval()


# Lines that the exporters of PyTorch get wrong or do not know, or whose operator tensordsl does not have, each with the reason.
LEFT = {
    "AvgPool2d divided": r"output 0 \(\w+\) differs in \d+ of 128 values",
    "sign": "the export of sign gives NaN for NaN",
    **dict.fromkeys(("hypot", "copysign", "cumprod"), "its export as ONNX failed"),
    **dict.fromkeys(("CrossEntropyLoss", "CrossEntropyLoss smoothed"), ".*SoftmaxCrossEntropyLoss .* is not supported"),
    "NLLLoss": ".*NegativeLogLikelihoodLoss .* is not supported",
}

if EXPORTERS[0] != "dynamo":
    del ATTENTION["TransformerEncoder with padding"]  # older versions of PyTorch fail to record it, for any backend


class Modules(unittest.TestCase):
    def check(self, table):
        for name, (make, *inputs) in table.items():
            with self.subTest(name), warnings.catch_warnings(record=True) as told, torch.no_grad():
                warnings.simplefilter("always")
                torch.manual_seed(3)
                torch._dynamo.reset()
                made = make()
                module = made.eval() if isinstance(made, nn.Module) else made
                given = [one() for one in inputs]
                expected = module(*given)
                got = torch.compile(module, backend="tensordsl")(*given)
                texts = [str(w.message) for w in told if "tensordsl" in str(w.message)]
                if EXPORTERS[0] != "dynamo":
                    self.assertLessEqual(len(texts), 2)  # the exporter by TorchScript knows less
                elif name in LEFT:
                    self.assertEqual(len(texts), 1)
                    self.assertRegex(texts[0], "a graph falls back to PyTorch: " + LEFT[name])
                else:
                    self.assertEqual(texts, [])
                torch.testing.assert_close(got, expected, rtol=1e-4, atol=1e-5)

    def test_activations(self):
        self.check(ACTIVATIONS)

    def test_pools_and_resampling(self):
        self.check(POOLS)

    def test_norms(self):
        self.check(NORMS)

    def test_convolutions_and_products(self):
        self.check(LINEARS)

    def test_embeddings_and_attention(self):
        self.check(ATTENTION)

    def test_recurrent_networks(self):
        self.check(RECURRENT)

    def test_losses(self):
        self.check(LOSSES)

    def test_indexing(self):
        self.check(INDEXING)

    def test_reductions(self):
        self.check(REDUCTIONS)

    def test_functions_of_elements(self):
        self.check(POINTWISE)


if __name__ == "__main__":
    unittest.main()
