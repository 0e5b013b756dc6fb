#!/usr/bin/env python3
"""Draws ONNX models with open extents, and compares each at several sizes with ONNX Runtime.

[--cases N] [--seed S] [--device D] [--only OPERATOR]

A model is one node, or a short chain of nodes. It is compiled once, and runs at three or four sizes; each of
these is a case. The model of a seed is always the same: `--seed S --cases 1` runs all sizes of the model S.
Models run in a process beside this one, so that one that ends in a crash is a case that is wrong.
needs: numpy, onnx, onnxruntime, tensordsl
"""

import argparse
import collections
import dataclasses
import functools
import multiprocessing
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import onnx
from onnx import helper, numpy_helper

# Sums in another order differ by some units in the last place of the larger of the value and the tensor's
# root mean square: 1024, as for the graphs of PyTorch.
FLOAT_LIMIT = 1024 * 2.0**-23
SMALLEST = 2.0**-23  # ONNX Runtime's Sigmoid and Tanh are as exact as this, however small the value
HALF_LIMIT = 32 * 2.0**-10

KEYS = ["n", "m", "length"]
SIZES = [1, 2, 3, 5, 7, 12, 17]
ANY_SIZE = [*SIZES, 4, 8, 16, 33]
EMPTY_SHARE = 0.03  # models run at sizes from 1 on; those of 0 have to be right or refused
SECONDS = 120  # a case that takes longer hangs
HUGE = [2**31 - 1, -(2**31), 2**63 - 1, -(2**63), 1000, -1000]


@dataclasses.dataclass(frozen=True)
class Open:
    """Stands for an extent without a number: factor * key + added."""

    key: str
    factor: int = 1
    added: int = 0

    def at(self, sizes: "Sizes") -> int:
        return self.factor * sizes[self.key] + self.added

    def __str__(self) -> str:
        product = self.key if self.factor == 1 else f"{self.factor}*{self.key}"
        return f"{product} + {self.added}" if self.added else product


Kind = type  # of NumPy
Extent = int | Open
Sizes = dict[str, int]
Outputs = dict[str, np.ndarray]
Values = Callable[[np.random.Generator, list[int], Sizes], np.ndarray]


def at(extents: Sequence[Extent], sizes: Sizes) -> list[int]:
    return [e if isinstance(e, int) else e.at(sizes) for e in extents]


@dataclasses.dataclass
class Tensor:
    name: str
    rank: int
    type: Kind = np.float32
    extents: list[Extent] | None = None  # of an input


@dataclasses.dataclass
class Input:
    tensor: Tensor
    values: Values
    names: list[int | str | None]  # the dimensions in the file


def any_values(type: Kind) -> Values:
    """Returns values some of which are equal, so that there are ties."""

    def draw(random: np.random.Generator, shape: list[int], _: Sizes) -> np.ndarray:
        if type is np.bool_:
            return random.random(shape) < 0.5
        if np.issubdtype(type, np.unsignedinteger):
            return random.integers(0, 200, shape).astype(type)
        if np.issubdtype(type, np.integer) or random.random() < 0.3:
            return random.integers(-9, 10, shape).astype(type)
        return random.normal(0, 1.5, shape).astype(type)

    return draw


def between(low: float, high: float, type: Kind = np.float32) -> Values:
    """Returns values from low up to below high."""

    def draw(random: np.random.Generator, shape: list[int], _: Sizes) -> np.ndarray:
        return np.asarray(low + (high - low) * random.random(shape)).astype(type)

    return draw


def indices_of(extent: Extent, type: Kind = np.int64, low: float = -1) -> Values:
    """Returns indices of an axis, from the end too unless `low` is 0."""

    def draw(random: np.random.Generator, shape: list[int], sizes: Sizes) -> np.ndarray:
        size = max(at([extent], sizes)[0], 1)
        return random.integers(int(low) * size, size, shape).astype(type)

    return draw


class Draw:
    """Puts a model together from random choices."""

    def __init__(self, seed: int):
        self.random = np.random.default_rng(seed)
        self.nodes: list[onnx.NodeProto] = []
        self.inputs: list[Input] = []
        self.constants: dict[str, np.ndarray] = {}
        self.keys: list[str] = []
        self.opset = self.pick([13, 17, 18, 19, 21, 22])
        self.limit = FLOAT_LIMIT
        self.takes_empty = True  # False where ONNX Runtime's result is none that ONNX gives
        self.has_mean = False  # ONNX Runtime's ReduceMean of no elements is 0, and NumPy's and ONNX's not a number

    def chance(self, share: float) -> bool:
        return bool(self.random.random() < share)

    def integer(self, low: int, high: int) -> int:
        """Returns a number from low to high."""
        return int(self.random.integers(low, high + 1))

    def integers(self, count: int, low: int, high: int) -> list[int]:
        return [self.integer(low, high) for _ in range(count)]

    def pick(self, choices: Sequence):
        return choices[self.integer(0, len(choices) - 1)]

    def any_type(self) -> Kind:
        return self.pick([np.float32] * 8 + [np.int64, np.int32])

    def open(self, factor: int = 1) -> Open:
        """Returns a new size, or one that the model has."""
        if not self.keys or len(self.keys) < len(KEYS) and self.chance(0.8):
            self.keys.append(KEYS[len(self.keys)])
            return Open(self.keys[-1], factor)
        return Open(self.pick(self.keys), factor, self.pick([0, 0, 1, 2]) if factor == 1 else 0)

    def extent(self, largest: int = 6, share: float = 0.5) -> Extent:
        return self.open() if self.chance(share) else self.integer(1, largest)

    def extents(self, rank: int, largest: int = 6) -> list[Extent]:
        """Returns extents of which one to three are open."""
        count = min(rank, self.integer(1, 3))
        opened = set(self.random.permutation(rank)[:count].tolist())
        return [self.open() if i in opened else self.integer(1, largest) for i in range(rank)]

    def like(self, extents: Sequence[Extent], other: float = 0.06) -> list[Extent]:
        """Returns extents that broadcast with these, mostly."""
        kept = [1 if self.chance(0.25) else self.open() if self.chance(other) else e for e in extents]
        return kept[self.integer(0, len(kept)) if self.chance(0.25) else 0 :]

    def input(
        self, extents: Sequence[Extent], type: Kind = np.float32, values: Values | None = None
    ) -> Tensor:
        """Adds an input; some of its open extents have no name in the file."""
        named = 1.0 if self.chance(0.75) else 0.5
        names = [e if isinstance(e, int) else str(e) if self.chance(named) else None for e in extents]
        tensor = Tensor(f"x{len(self.inputs)}", len(extents), type, list(extents))
        self.inputs.append(Input(tensor, values or any_values(type), names))
        return tensor

    def tensor(self, low: int = 1, high: int = 4, type: Kind | None = None) -> Tensor:
        """Adds an input of any shape."""
        return self.input(self.extents(self.integer(low, high)), type or self.any_type())

    def constant(self, value, type: Kind = np.int64) -> str:
        name = f"c{len(self.constants)}"
        self.constants[name] = np.asarray(value, type)
        return name

    def weights(self, shape: Sequence[int], low: float = -1, high: float = 1) -> str:
        return self.constant(low + (high - low) * self.random.random(shape), np.float32)

    def node(self, kind: str, inputs: Sequence, outputs: int = 1, domain: str = "", **attributes):
        """Adds a node, and returns the name of its output, or the names of its outputs."""
        names = [f"t{len(self.nodes)}" + (f"_{i}" if i else "") for i in range(outputs)]
        given = [x.name if isinstance(x, Tensor) else x for x in inputs]
        while given and not given[-1]:
            given.pop()
        self.nodes.append(helper.make_node(kind, given, names, domain=domain, **attributes))
        return names[0] if outputs == 1 else names

    def axis(self, rank: int) -> int:
        return self.integer(-rank, rank - 1)

    def axes(self, rank: int, least: int = 1) -> list[int]:
        chosen = self.random.permutation(rank)[: self.integer(least, rank)].tolist()
        return [a - rank if self.chance(0.3) else a for a in chosen]

    def model(self) -> onnx.ModelProto:
        """Returns the model; what no node reads is an output."""
        inputs = []
        for given in self.inputs:
            kind = helper.np_dtype_to_tensor_dtype(np.dtype(given.tensor.type))
            inputs.append(helper.make_tensor_value_info(given.tensor.name, kind, given.names))
        read = {name for node in self.nodes for name in node.input}
        made = [name for node in self.nodes for name in node.output if name and name not in read]
        outputs = [helper.make_empty_tensor_value_info(name) for name in made]
        tensors = [numpy_helper.from_array(value, name) for name, value in self.constants.items()]
        graph = helper.make_graph(self.nodes, "g", inputs, outputs, tensors)
        opsets = [helper.make_opsetid("", self.opset)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=10)

    def __str__(self) -> str:
        """Returns the model as lines from which it can be built again."""
        lines = [f"opset {self.opset}"]
        for given in self.inputs:
            shape = ", ".join("?" if n is None else str(n) for n in given.names)
            lines.append(f"{given.tensor.name}: {np.dtype(given.tensor.type)} [{shape}]")
        for name, value in self.constants.items():
            text = np.array2string(value, threshold=16, separator=", ").replace("\n", "")
            lines.append(f"{name} = {value.dtype} {list(value.shape)} {text}")
        for node in self.nodes:
            attributes = [f"{a.name}={helper.get_attribute_value(a)}" for a in node.attribute]
            lines.append(
                f"{', '.join(node.output)} = {node.op_type}({', '.join([*node.input, *attributes])})"
            )
        return "\n".join(f"    {line}" for line in lines)


# Steps: a tensor of any shape, of a known rank, becomes another one.


def slice_index(draw: Draw) -> int:
    return draw.pick(HUGE) if draw.chance(0.15) else draw.integer(-20, 20)


def slice_range(draw: Draw) -> tuple[int, int, int]:
    """Returns a start, an end and a step; most are of some elements."""
    kind = draw.pick(["usual", "usual", "usual", "backward", "any"])
    if kind == "usual":
        ends = [-1, -2, 2, 5, 9, 30, *HUGE[::2]]
        return draw.pick([0, 0, 1, 2, -1, -2, -5]), draw.pick(ends), draw.pick([1, 1, 1, 2, 3])
    if kind == "backward":
        return (
            draw.pick([-1, -2, 3, 9, 2**63 - 1]),
            draw.pick([0, 1, -5, -(2**63), -1000]),
            draw.pick([-1, -1, -2, -3]),
        )
    steps = [1, 2, 3, 7, 1000, -1, -2, -4, -1000, 2**31 - 1, -(2**31)]
    return slice_index(draw), slice_index(draw), draw.pick(steps)


def slice_(draw: Draw, x: Tensor) -> Tensor:
    axes = list(range(x.rank)) if draw.chance(0.2) else draw.axes(x.rank)
    starts, ends, steps = zip(*[slice_range(draw) for _ in axes])
    type = np.int64 if draw.chance(0.8) else np.int32
    bounds = np.iinfo(type)
    given = [starts, ends, axes, steps]
    if all(step == 1 for step in steps) and draw.chance(0.5):
        given.pop()
    lists = [[min(max(v, bounds.min), bounds.max) for v in values] for values in given]
    constants = [draw.constant(values, type) for values in lists]
    return Tensor(draw.node("Slice", [x, *constants]), x.rank, x.type)


def pad(draw: Draw, x: Tensor) -> Tensor:
    modes = ["constant", "constant", "reflect", "edge"] + (["wrap"] if draw.opset >= 19 else [])
    mode = draw.pick(modes)
    axes = draw.axes(x.rank) if draw.opset >= 18 and draw.chance(0.4) else None
    count = len(axes) if axes else x.rank
    low = -2 if draw.chance(0.3) else 0
    pads = [draw.pick([0, draw.integer(low, 4)]) for _ in range(2 * count)]
    value = draw.constant(draw.integer(-3, 3), x.type) if mode == "constant" and draw.chance(0.5) else ""
    inputs = [x, draw.constant(pads), value, draw.constant(axes) if axes else ""]
    return Tensor(draw.node("Pad", inputs, mode=mode), x.rank, x.type)


def transpose(draw: Draw, x: Tensor) -> Tensor:
    attributes = {} if draw.chance(0.2) else {"perm": draw.random.permutation(x.rank).tolist()}
    return Tensor(draw.node("Transpose", [x], **attributes), x.rank, x.type)


def flatten(draw: Draw, x: Tensor) -> Tensor:
    return Tensor(draw.node("Flatten", [x], axis=draw.integer(-x.rank, x.rank)), 2, x.type)


def unsqueeze(draw: Draw, x: Tensor) -> Tensor:
    rank = x.rank + draw.integer(1, 2)
    axes = draw.random.permutation(rank)[: rank - x.rank].tolist()
    axes = [a - rank if draw.chance(0.3) else a for a in axes]
    return Tensor(draw.node("Unsqueeze", [x, draw.constant(axes)]), rank, x.type)


def tile(draw: Draw, x: Tensor) -> Tensor:
    return Tensor(draw.node("Tile", [x, draw.constant(draw.integers(x.rank, 1, 3))]), x.rank, x.type)


def softmax(kind: str, draw: Draw, x: Tensor) -> Tensor:
    attributes = {} if draw.chance(0.2) else {"axis": draw.axis(x.rank)}
    return Tensor(draw.node(kind, [x], **attributes), x.rank, x.type)


REDUCTIONS = "L1 L2 LogSum LogSumExp Max Mean Min Prod Sum SumSquare".split()
OF_FLOATS = ["LogSum", "LogSumExp", "Prod"]  # of integers ONNX Runtime computes them in floats
UNARY = (
    "Abs Neg Ceil Floor Round Sqrt Exp Log Sin Cos Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh Erf"
    " Sigmoid Tanh Relu LeakyRelu Elu Selu Celu HardSigmoid HardSwish Softplus Softsign"
    " ThresholdedRelu Sign Reciprocal IsNaN IsInf Shrink"
).split()
TAME = "Abs Neg Floor Relu Sigmoid Tanh Sin Softsign HardSwish".split()


def reduce(kind: str, draw: Draw, x: Tensor, keep: bool | None = None) -> Tensor:
    draw.has_mean |= kind == "Mean"
    keep = draw.chance(0.5) if keep is None else keep
    axes = [] if draw.chance(0.15) else draw.axes(x.rank)
    as_input = draw.opset >= 18 or kind == "Sum"
    inputs = [x, draw.constant(axes)] if as_input and axes else [x]
    attributes = {"axes": axes} if axes and not as_input else {}
    if as_input and not axes and draw.chance(0.3):
        attributes["noop_with_empty_axes"], keep = 1, True
    rank = x.rank if keep else x.rank - (len(axes) or x.rank)
    return Tensor(draw.node(f"Reduce{kind}", inputs, keepdims=int(keep), **attributes), rank, x.type)


def arg(kind: str, draw: Draw, x: Tensor) -> Tensor:
    keep, last = draw.integer(0, 1), draw.integer(0, 1)
    name = draw.node(kind, [x], axis=draw.axis(x.rank), keepdims=keep, select_last_index=last)
    return Tensor(name, x.rank if keep else x.rank - 1, np.int64)


def cumsum(draw: Draw, x: Tensor) -> Tensor:
    axis = draw.constant(draw.axis(x.rank), draw.pick([np.int64, np.int32]))
    attributes = {"exclusive": draw.integer(0, 1), "reverse": draw.integer(0, 1)}
    return Tensor(draw.node("CumSum", [x, axis], **attributes), x.rank, x.type)


def topk(draw: Draw, x: Tensor) -> Tensor:
    k = draw.constant([draw.pick([1, 1, 2, 3, 5, 7])])
    names = draw.node("TopK", [x, k], 2, axis=draw.axis(x.rank), largest=draw.integer(0, 1))
    return Tensor(names[0], x.rank, x.type)


def split(draw: Draw, x: Tensor) -> Tensor:
    count = draw.integer(1, 4)
    attributes = {"num_outputs": count} if draw.opset >= 18 else {}
    names = draw.node("Split", [x], count, axis=draw.axis(x.rank), **attributes)
    return Tensor(names if count == 1 else draw.pick(names), x.rank, x.type)


def gather_constant(draw: Draw, x: Tensor) -> Tensor:
    """Gathers indices that small sizes do not have, sometimes."""
    rank = draw.integer(0, 2)
    indices = (
        draw.random.integers(-2, 2, draw.integers(rank, 1, 4)) if draw.chance(0.8) else draw.integer(-5, 4)
    )
    name = draw.node(
        "Gather", [x, draw.constant(indices, draw.pick([np.int64, np.int32]))], axis=draw.axis(x.rank)
    )
    return Tensor(name, x.rank - 1 + np.ndim(indices), x.type)


def trilu(draw: Draw, x: Tensor) -> Tensor:
    draw.opset = max(draw.opset, 14)
    k = draw.constant(draw.integer(-3, 3)) if draw.chance(0.7) else ""
    return Tensor(draw.node("Trilu", [x, k], upper=draw.integer(0, 1)), x.rank, x.type)


def unary(draw: Draw, x: Tensor) -> Tensor:
    return Tensor(draw.node(draw.pick(UNARY), [x]), x.rank, x.type)


def tame_unary(draw: Draw, x: Tensor) -> Tensor:
    return Tensor(draw.node(draw.pick(TAME), [x]), x.rank, x.type)


def clip(draw: Draw, x: Tensor) -> Tensor:
    bounds = [
        draw.constant(b, x.type) if draw.chance(0.7) else ""
        for b in (draw.integer(-3, 0), draw.integer(0, 3))
    ]
    return Tensor(draw.node("Clip", [x, *bounds]), x.rank, x.type)


def concat_with_itself(draw: Draw, x: Tensor) -> Tensor:
    return Tensor(draw.node("Concat", [x, x], axis=draw.axis(x.rank)), x.rank, x.type)


def concat_of_slices(draw: Draw, x: Tensor) -> Tensor:
    """Rolls, where the ends meet."""
    axis, cut = draw.axis(x.rank), draw.integer(-3, 3)
    other = cut if draw.chance(0.7) else draw.integer(-3, 3)
    whole = [draw.constant([v]) for v in (cut, 2**63 - 1, axis)], [
        draw.constant([v]) for v in (0, other, axis)
    ]
    parts = [draw.node("Slice", [x, *bounds]) for bounds in whole]
    return Tensor(draw.node("Concat", parts, axis=axis), x.rank, x.type)


def slices_added(draw: Draw, x: Tensor) -> Tensor:
    """Adds two slices that have the same extent in most cases."""
    axis, width = draw.axis(x.rank), draw.integer(1, 3)
    other = width if draw.chance(0.8) else draw.integer(1, 3)
    ranges = draw.pick(
        [((width, 1000), (0, -other)), ((0, width), (-other, 2**63 - 1)), ((0, width), (1, 1 + other))]
    )
    parts = [draw.node("Slice", [x, *[draw.constant([v]) for v in (*bounds, axis)]]) for bounds in ranges]
    return Tensor(draw.node(draw.pick(["Add", "Sub", "Max"]), parts), x.rank, x.type)


def strided_halves(draw: Draw, x: Tensor) -> Tensor:
    """Combines even and odd rows, as rotary embeddings do."""
    axis = draw.axis(x.rank)
    parts = [draw.node("Slice", [x, *[draw.constant([v]) for v in (s, 2**63 - 1, axis, 2)]]) for s in (0, 1)]
    return Tensor(draw.node(draw.pick(["Add", "Mul"]), parts), x.rank, x.type)


def less_its_mean(draw: Draw, x: Tensor) -> Tensor:
    kind = draw.pick(["Mean", "Max", "Sum", "Min"])
    mean = reduce(kind, draw, x, keep=True)
    return Tensor(draw.node("Sub", [x, mean]), x.rank, x.type)


def shape_of(draw: Draw, x: Tensor, index: int) -> str:
    """Returns an extent as a list of one."""
    if draw.opset >= 15 and draw.chance(0.3):
        return draw.node("Shape", [x], start=index, end=index + 1)
    shape = draw.node("Shape", [x])
    if draw.chance(0.5):
        return draw.node("Gather", [shape, draw.constant([index])], axis=0)
    if draw.chance(0.5):
        return draw.node("Slice", [shape, draw.constant([index]), draw.constant([index + 1])])
    return draw.node("Unsqueeze", [draw.node("Gather", [shape, draw.constant(index)]), draw.constant([0])])


def computed(draw: Draw, kind: str, a: str, number: int) -> str:
    return draw.node(kind, [a, draw.constant([number])])


def halves_by_shape(draw: Draw, x: Tensor) -> Tensor:
    """Divides an axis in two; the second half has the odd rest in some cases."""
    axis = draw.axis(x.rank)
    extent = shape_of(draw, x, axis % x.rank)
    half = computed(draw, "Div", extent, 2)
    end = draw.pick([extent, computed(draw, "Mul", half, 2)])
    along = draw.constant([axis])
    first = draw.node("Slice", [x, draw.constant([0]), half, along])
    second = draw.node("Slice", [x, half, end, along])
    if draw.chance(0.5):
        return Tensor(draw.node("Concat", [second, first], axis=axis), x.rank, x.type)
    return Tensor(draw.node(draw.pick(["Mul", "Sub"]), [first, second]), x.rank, x.type)


def windows(draw: Draw, x: Tensor) -> Tensor:
    """Pads an axis to a multiple, divides it into windows, and cuts the result again, as Swin does."""
    draw.takes_empty = False
    axis, width = draw.integer(0, x.rank - 1), draw.integer(2, 4)
    extent = shape_of(draw, x, axis)
    rest = computed(draw, "Mod", extent, width)
    more = computed(draw, "Mod", draw.node("Sub", [draw.constant([width]), rest]), width)
    zeros = [draw.constant([0] * (x.rank + axis)), draw.constant([0] * (x.rank - 1 - axis))]
    pads = draw.node("Concat", [zeros[0], more, *zeros[1 : 1 + (axis < x.rank - 1)]], axis=0)
    padded = draw.node("Pad", [x, pads])
    head = [shape_of(draw, x, i) for i in range(axis)]
    tail = [shape_of(draw, x, i) for i in range(axis + 1, x.rank)]
    parts = draw.node("Concat", [*head, draw.constant([-1, width]), *tail], axis=0)
    cut = draw.node("Reshape", [padded, parts])
    if draw.chance(0.4):
        return Tensor(cut, x.rank + 1, x.type)
    rows = draw.node("Softmax", [cut], axis=axis + 1)
    whole = draw.node("Reshape", [rows, draw.node("Shape", [padded])])
    return Tensor(
        draw.node("Slice", [whole, draw.constant([0]), extent, draw.constant([axis])]), x.rank, x.type
    )


def every_other(draw: Draw, x: Tensor) -> Tensor:
    """Gathers the rows of a Range that ends at the extent."""
    axis = draw.integer(0, x.rank - 1)
    extent = draw.node("Squeeze", [shape_of(draw, x, axis), draw.constant([0])])
    rows = draw.node("Range", [draw.constant(0), extent, draw.constant(draw.integer(1, 3))])
    return Tensor(draw.node("Gather", [x, rows], axis=axis), x.rank, x.type)


def tiled_by_shape(draw: Draw, x: Tensor) -> Tensor:
    axis = draw.integer(0, x.rank - 1)
    times = [
        draw.constant([draw.integer(1, 2)]) if i != axis else shape_of(draw, x, axis) for i in range(x.rank)
    ]
    repeats = draw.node("Concat", times, axis=0)
    return Tensor(draw.node("Tile", [x, repeats]), x.rank, x.type)


def weighted_by_ones(draw: Draw, x: Tensor) -> Tensor:
    """Combines a tensor with a constant of its shape."""
    value = numpy_helper.from_array(np.array([draw.integer(1, 3)], x.type))
    ones = draw.node("ConstantOfShape", [draw.node("Shape", [x])], value=value)
    if draw.chance(0.3):
        ones = draw.node("CumSum", [ones, draw.constant(0)])
    return Tensor(draw.node(draw.pick(["Add", "Mul"]), [x, ones]), x.rank, x.type)


def merged(draw: Draw, x: Tensor) -> Tensor:
    """Reshapes so that neighboring dimensions are one."""
    draw.takes_empty = False  # Reshape copies an extent where a computed one is 0
    first = draw.integer(0, x.rank - 1)
    last = draw.integer(first, x.rank - 1)
    by_shape = draw.chance(0.5)
    head = [shape_of(draw, x, i) if by_shape else draw.constant([0]) for i in range(first)]
    tail = [shape_of(draw, x, i) for i in range(last + 1, x.rank)]
    parts = [*head, draw.constant([-1]), *tail]
    shape = draw.node("Concat", parts, axis=0) if len(parts) > 1 else parts[0]
    return Tensor(draw.node("Reshape", [x, shape]), len(parts), x.type)


def swapped_back(draw: Draw, x: Tensor) -> Tensor:
    """Reshapes to the extents in another order."""
    order = draw.random.permutation(x.rank).tolist()
    parts = [shape_of(draw, x, i) for i in order]
    draw.opset = max(draw.opset, 14)  # an extent of 0 is 0 only with allowzero
    return Tensor(draw.node("Reshape", [x, draw.node("Concat", parts, axis=0)], allowzero=1), x.rank, x.type)


def reshape_any(draw: Draw, x: Tensor) -> Tensor:
    """Divides extents by what does not divide them, sometimes."""
    target = draw.pick(
        [[-1, 2], [3, -1], [2, -1, 2], [0, -1], [-1], [-1, 1], [1, -1, 4], [-1, 6], [2, 3], [12]]
    )
    return Tensor(draw.node("Reshape", [x, draw.constant(target)]), len(target), x.type)


def expand(draw: Draw, x: Tensor) -> Tensor:
    rank = draw.integer(max(x.rank - 1, 1), x.rank + 1)
    shape = [draw.pick([1, 1, 2, 3]) if draw.chance(0.4) else 1 for _ in range(rank)]
    return Tensor(draw.node("Expand", [x, draw.constant(shape)]), max(rank, x.rank), x.type)


def identity(draw: Draw, x: Tensor) -> Tensor:
    kinds = ["Identity", "Dropout"] if x.type is np.float32 else ["Identity"]
    return Tensor(draw.node(draw.pick(kinds), [x]), x.rank, x.type)


def cast(draw: Draw, x: Tensor) -> Tensor:
    types = [np.float32, np.int32, np.int64, np.bool_, np.float16, np.float64, np.int8]
    type = draw.pick(types)
    return Tensor(draw.node("Cast", [x], to=helper.np_dtype_to_tensor_dtype(np.dtype(type))), x.rank, type)


def center_crop_pad(draw: Draw, x: Tensor) -> Tensor:
    draw.opset = max(draw.opset, 18)
    axes = draw.axes(x.rank)
    sizes = draw.constant(draw.integers(len(axes), 1, 9))
    return Tensor(draw.node("CenterCropPad", [x, sizes], axes=axes), x.rank, x.type)


def squared(draw: Draw, x: Tensor) -> Tensor:
    """Multiplies a tensor by its own transpose, in the last two dimensions."""
    perm = [*range(x.rank - 2), x.rank - 1, x.rank - 2]
    other = draw.node("Transpose", [x], perm=perm)
    return Tensor(draw.node("MatMul", draw.pick([[x, other], [other, x]])), x.rank, x.type)


def of_tensor(step: Callable, low: int = 1, high: int = 4, type: Kind | None = None) -> Callable:
    """Returns a model of a single step."""
    return lambda draw: step(draw, draw.tensor(low, high, type))


# Models whose operands belong together.


def product(draw: Draw) -> None:
    """Multiplies numbers that do not overflow, whatever the order."""
    reduce("Prod", draw, draw.input(draw.extents(draw.integer(1, 4)), values=between(-1.5, 1.5)))


def gather(draw: Draw) -> None:
    x = draw.tensor()
    axis, type = draw.axis(x.rank), draw.pick([np.int64, np.int32])
    indices = draw.input(
        [draw.extent() for _ in range(draw.integer(0, 3))], type, indices_of(x.extents[axis], type)
    )
    draw.node("Gather", [x, indices], axis=axis)


def gather_elements(draw: Draw) -> None:
    x = draw.tensor()
    axis = draw.axis(x.rank)
    extents = list(x.extents)
    extents[axis] = draw.extent()
    indices = draw.input(extents, np.int64, indices_of(x.extents[axis]))
    draw.node("GatherElements", [x, indices], axis=axis)


def tuples_of(extents: Sequence[Extent]) -> Values:
    """Returns indices of the elements of these extents, one tuple a row."""

    def draw(random: np.random.Generator, shape: list[int], sizes: Sizes) -> np.ndarray:
        columns = [indices_of(e)(random, shape[:-1], sizes) for e in extents]
        return np.stack(columns, -1) if columns else np.zeros(shape, np.int64)

    return draw


def gather_nd(draw: Draw) -> None:
    x = draw.tensor(2, 4)
    batch = draw.integer(0, 1)
    count = draw.integer(1, x.rank - batch)
    extents = [*x.extents[:batch], *[draw.extent() for _ in range(draw.integer(0, 2))], count]
    indices = draw.input(extents, np.int64, tuples_of(x.extents[batch : batch + count]))
    draw.node("GatherND", [x, indices], batch_dims=batch)


def orders(extent: Extent, axis: int) -> Values:
    """Returns a different index for each element of a line along the axis."""

    def draw(random: np.random.Generator, shape: list[int], sizes: Sizes) -> np.ndarray:
        size = at([extent], sizes)[0]
        full = list(shape)
        full[axis] = size
        order = np.take(np.argsort(random.random(full), axis), range(min(shape[axis], size)), axis)
        return np.where(random.random(order.shape) < 0.3, order - size, order).astype(np.int64)

    return draw


def scatter_elements(draw: Draw) -> None:
    x = draw.tensor()
    axis = draw.axis(x.rank)
    extents = list(x.extents)
    reduction = draw.pick(["none", "add", "mul"] + (["min", "max"] if draw.opset >= 18 else []))
    extents[axis] = draw.pick([1, x.extents[axis]])
    values = orders(x.extents[axis], axis)
    if reduction != "none":
        extents[axis], values = draw.extent(), indices_of(x.extents[axis])
    indices, updates = draw.input(extents, np.int64, values), draw.input(extents, x.type)
    attributes = {"reduction": reduction} if draw.opset >= 16 else {}
    draw.node("ScatterElements", [x, indices, updates], axis=axis, **attributes)


def scatter_nd(draw: Draw) -> None:
    x = draw.tensor()
    count = draw.integer(1, x.rank)
    reduction = draw.pick(["none", "add", "mul"] + (["min", "max"] if draw.opset >= 18 else []))
    if reduction == "none" or draw.opset < 16:
        count, rows = 1, [draw.pick([1, x.extents[0]])]
        indices = draw.input([*rows, 1], np.int64, orders(x.extents[0], 0))
    else:
        rows = [draw.extent() for _ in range(draw.integer(1, 2))]
        indices = draw.input([*rows, count], np.int64, tuples_of(x.extents[:count]))
    updates = draw.input([*rows, *x.extents[count:]], x.type)
    attributes = {"reduction": reduction} if draw.opset >= 16 else {}
    draw.node("ScatterND", [x, indices, updates], **attributes)


def split_in_parts(draw: Draw) -> None:
    """Splits in equal parts, or in parts of given sizes."""
    extents = draw.extents(draw.integer(1, 4))
    axis, count = draw.axis(len(extents)), draw.integer(1, 4)
    equal = draw.chance(0.5)
    sizes = draw.integers(count, 1, 4)
    extents[axis] = draw.open(count) if equal else sum(sizes) if draw.chance(0.8) else draw.open()
    x = draw.input(extents, draw.any_type())
    attributes = {"num_outputs": count} if equal and draw.opset >= 18 else {}
    draw.node("Split", [x] if equal else [x, draw.constant(sizes)], count, axis=axis, **attributes)


def concat(draw: Draw) -> None:
    extents, type = draw.extents(draw.integer(1, 4)), draw.any_type()
    axis = draw.axis(len(extents))
    parts = []
    for _ in range(draw.integer(1, 3)):
        parts.append(draw.input(extents, type))
        extents = list(extents)
        extents[axis] = draw.extent()
    draw.node("Concat", parts, axis=axis)


def squeeze(draw: Draw) -> None:
    extents = draw.extents(draw.integer(1, 4))
    axes = draw.axes(len(extents))
    for axis in axes:
        extents[axis] = 1 if draw.chance(0.85) else draw.open()
    if not draw.keys:
        extents.append(draw.open())
        axes = [a % (len(extents) - 1) for a in axes]
    draw.node("Squeeze", [draw.input(extents, draw.any_type()), draw.constant(axes)])


def reshape_split(draw: Draw) -> None:
    """Divides an extent."""
    draw.takes_empty = False
    factor = draw.integer(2, 4)
    extents = draw.extents(draw.integer(1, 3))
    axis = draw.integer(0, len(extents) - 1)
    extents[axis] = draw.open(factor)
    x = draw.input(extents, draw.any_type())
    middle = draw.pick([[-1, factor], [factor, -1], [1, -1, factor]])
    parts = [draw.constant([0]) for _ in range(axis)] + [draw.constant(middle)]
    parts += [shape_of(draw, x, i) for i in range(axis + 1, len(extents))]
    shape = draw.node("Concat", parts, axis=0) if len(parts) > 1 else parts[0]
    y = draw.node("Reshape", [x, shape])
    if draw.chance(0.5):
        draw.node("Transpose", [y], perm=draw.random.permutation(len(extents) - 1 + len(middle)).tolist())


def expand_to_other(draw: Draw) -> None:
    extents = draw.extents(draw.integer(1, 4))
    other = draw.input(extents)
    shape = draw.node("Shape", [other])
    draw.node("Expand", [draw.input(draw.like(extents), draw.any_type()), shape])


def where(draw: Draw) -> None:
    extents, type = draw.extents(draw.integer(1, 4)), draw.any_type()
    condition = draw.input(draw.like(extents), np.bool_)
    draw.node(
        "Where", [condition, draw.input(draw.like(extents), type), draw.input(draw.like(extents), type)]
    )


def nonzero_values(type: Kind) -> Values:
    def draw(random: np.random.Generator, shape: list[int], sizes: Sizes) -> np.ndarray:
        values = any_values(type)(random, shape, sizes)
        return np.where(values == 0, 1, values).astype(type)

    return draw


def binary(kinds: str, type: Kind | None, draw: Draw) -> None:
    extents, kind, of = draw.extents(draw.integer(1, 4)), draw.pick(kinds.split()), type or draw.any_type()
    attributes = {"fmod": 1} if kind == "Mod" and of is np.float32 else {}
    attributes |= {"direction": "LEFT"} if kind == "BitShift" else {}
    values = (
        nonzero_values(of) if kind in ("Div", "Mod") else between(0, 8, of) if kind == "BitShift" else None
    )
    first = extents if draw.chance(0.6) else draw.like(extents)
    second = draw.like(extents)
    if kind == "PRelu":
        first, second = extents, draw.like(extents, other=0)
    draw.node(kind, [draw.input(first, of), draw.input(second, of, values)], **attributes)


def variadic(draw: Draw) -> None:
    extents, type = draw.extents(draw.integer(1, 3)), draw.any_type()
    kind = draw.pick(["Max", "Min"]) if type is not np.float32 else draw.pick(["Sum", "Mean", "Max", "Min"])
    draw.node(kind, [draw.input(draw.like(extents), type) for _ in range(draw.integer(1, 3))])


def matmul(draw: Draw) -> None:
    rows, columns, inner = draw.extent(9), draw.extent(9), draw.extent(9)
    batch = [draw.extent(3) for _ in range(draw.integer(0, 2))]
    a, b = [*draw.like(batch), rows, inner], [*draw.like(batch), inner, columns]
    if draw.chance(0.15):
        a = [inner]
    elif draw.chance(0.15):
        b = [inner]
    if not any(isinstance(e, Open) for e in (*a, *b)):
        a = [draw.open(), *a] if len(b) < 3 and len(a) > 1 else [draw.open(), rows, inner]
    type = draw.pick([np.float32] * 8 + [np.int32, np.int64])
    x = draw.input(a, type)
    if all(isinstance(e, int) for e in b) and draw.chance(0.7):
        draw.node("MatMul", [x, draw.constant(draw.random.integers(-5, 6, b), type)])
    else:
        draw.node("MatMul", [x, draw.input(b, type)])


def gemm(draw: Draw) -> None:
    rows, columns, inner = draw.extents(3, 9)
    trans_a, trans_b = draw.integer(0, 1), draw.integer(0, 1)
    a = draw.input([inner, rows] if trans_a else [rows, inner])
    b = draw.input([columns, inner] if trans_b else [inner, columns])
    c = [draw.input(draw.like([rows, columns], other=0.02))] if draw.chance(0.7) else []
    factors = {"alpha": draw.pick([1.0, 0.5]), "beta": draw.pick([1.0, 2.0])}
    draw.node("Gemm", [a, b, *c], transA=trans_a, transB=trans_b, **factors)


def window(draw: Draw, dimensions: int, dilates: bool = True) -> dict:
    """Returns attributes of convolutions and pooling."""
    kernel = draw.integers(dimensions, 1, 4)
    attributes = {"kernel_shape": kernel}
    if draw.chance(0.5):
        attributes["strides"] = draw.integers(dimensions, 1, 3)
    if draw.chance(0.06):
        attributes["auto_pad"] = draw.pick(["SAME_UPPER", "SAME_LOWER", "VALID"])
    elif dilates and draw.chance(0.4):
        attributes["dilations"] = draw.integers(dimensions, 1, 3)
    if "auto_pad" not in attributes and draw.chance(0.7):
        attributes["pads"] = [draw.integer(0, k - 1) for k in (*kernel, *kernel)]
    return attributes


def image(draw: Draw, dimensions: int, channels: int) -> list[Extent]:
    extents = draw.extents(1 + dimensions, 9)
    return [extents[0], channels, *extents[1:]]


def conv(draw: Draw) -> None:
    dimensions, group = draw.pick([1, 2, 2, 2, 3]), draw.pick([1, 1, 2, 3])
    inner, outer = draw.pick([1, 2, 4]), draw.pick([1, 2, 5])
    attributes = window(draw, dimensions)
    x = draw.input(image(draw, dimensions, inner * group))
    weights = draw.weights([outer * group, inner, *attributes["kernel_shape"]])
    bias = [draw.weights([outer * group])] if draw.chance(0.5) else []
    y = draw.node("Conv", [x, weights, *bias], group=group, **attributes)
    if draw.chance(0.2):
        draw.node(draw.pick(["Relu", "GlobalAveragePool"]), [y])


def conv_transpose(draw: Draw) -> None:
    dimensions, group = draw.pick([1, 2, 2, 2, 3]), draw.pick([1, 1, 2])
    inner, outer = draw.pick([1, 2, 4]), draw.pick([1, 2, 5])
    attributes = window(draw, dimensions)
    if "strides" in attributes and draw.chance(0.4):
        attributes["output_padding"] = [draw.integer(0, s - 1) for s in attributes["strides"]]
    x = draw.input(image(draw, dimensions, inner * group))
    weights = draw.weights([inner * group, outer, *attributes["kernel_shape"]])
    bias = [draw.weights([outer * group])] if draw.chance(0.5) else []
    draw.node("ConvTranspose", [x, weights, *bias], group=group, **attributes)


def conv_integer(draw: Draw) -> None:
    attributes = window(draw, 2)
    x = draw.input(image(draw, 2, 2), np.uint8)
    weights = draw.constant(draw.random.integers(0, 200, [3, 2, *attributes["kernel_shape"]]), np.uint8)
    draw.node("ConvInteger", [x, weights, draw.constant(draw.integer(0, 200), np.uint8)], **attributes)


def matmul_integer(draw: Draw) -> None:
    draw.takes_empty = False
    rows, columns, inner = draw.extents(3, 9)
    zeros = [draw.constant(draw.integer(0, 20), np.uint8), draw.constant(draw.integer(0, 5), np.int8)]
    a, b = draw.input([rows, inner], np.uint8), draw.input([inner, columns], np.int8)
    draw.node("MatMulInteger", [a, b, *zeros])


def pool(kind: str, draw: Draw) -> None:
    dimensions = draw.pick([1, 2, 2, 3])
    dilates = kind == "MaxPool" or kind == "AveragePool" and draw.opset >= 19
    attributes = window(draw, dimensions, dilates)
    if "dilations" in attributes:
        attributes.pop("pads", None)  # ONNX Runtime gives windows that lie in the padding the least number
        attributes.pop("strides", None)
    if "strides" in attributes and "auto_pad" not in attributes:
        # Where no window fits, ONNX Runtime has one because it divides toward 0.
        draw.takes_empty = False
        before = [draw.integer(0, k - 1) for k in attributes["kernel_shape"]]
        attributes["pads"] = [*before, *(k - 1 - b for k, b in zip(attributes["kernel_shape"], before))]
    if kind != "LpPool" and draw.chance(0.15):
        attributes["ceil_mode"] = 1
    if kind == "AveragePool":
        attributes["count_include_pad"] = draw.integer(0, 1)
    if kind == "LpPool":
        attributes["p"] = draw.integer(1, 3)
    outputs = 2 if kind == "MaxPool" and draw.chance(0.25) else 1
    draw.node(kind, [draw.input(image(draw, dimensions, draw.integer(1, 4)))], outputs, **attributes)


def global_pool(draw: Draw) -> None:
    x = draw.input(draw.extents(draw.integer(3, 5)))
    draw.node(draw.pick(["GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"]), [x])


def batch_norm(draw: Draw) -> None:
    channels = draw.integer(1, 6)
    extents = draw.extents(draw.integer(1, 4))
    x = draw.input([extents[0], channels, *extents[1:]])
    weights = [draw.weights([channels], low, 2) for low in (-1, -1, -1, 0.5)]
    draw.node("BatchNormalization", [x, *weights], epsilon=draw.pick([1e-5, 1e-2]))


def layer_norm(draw: Draw) -> None:
    extents = draw.extents(draw.integer(1, 4))
    x, axis = draw.input(extents), draw.axis(len(extents))
    parts = [draw.input(extents[axis:]) for _ in range(draw.integer(1, 2))]
    draw.opset = max(draw.opset, 17)
    draw.limit = 1e-3
    draw.node("LayerNormalization", [x, *parts], axis=axis, epsilon=1e-2)


def instance_norm(draw: Draw) -> None:
    channels = draw.integer(1, 5)
    extents = draw.extents(draw.integer(2, 4))
    x = draw.input([extents[0], channels, *extents[1:]])
    draw.node("InstanceNormalization", [x, draw.weights([channels]), draw.weights([channels])], epsilon=1e-2)


def group_norm(draw: Draw) -> None:
    draw.opset = draw.pick([21, 22])
    groups = draw.integer(1, 3)
    channels = groups * draw.integer(1, 3)
    extents = draw.extents(draw.integer(2, 4))
    x = draw.input([extents[0], channels, *extents[1:]])
    parts = [draw.weights([channels]), draw.weights([channels])]
    draw.node("GroupNormalization", [x, *parts], num_groups=groups, epsilon=1e-2)


def other_norm(draw: Draw) -> None:
    n, h, w = draw.extents(3)
    x = draw.input([n, draw.integer(2, 6), h, w])
    kind = draw.pick(["LpNormalization", "MeanVarianceNormalization", "LRN"])
    if kind == "LRN":
        draw.node(kind, [x], size=draw.pick([1, 3, 5]), alpha=0.1, beta=0.75, bias=1.0)
    elif kind == "LpNormalization":
        draw.node(kind, [x], axis=draw.axis(4), p=draw.integer(1, 2))
    else:
        draw.node(kind, [x], axes=[1, *sorted({2, 3} & set(draw.integers(2, 0, 3)))])


def depth_to_space(draw: Draw) -> None:
    block = draw.integer(1, 3)
    n, h, w = draw.extents(3)
    channels = draw.pick([draw.open(block * block), block * block * draw.integer(1, 3)])
    x = draw.input([n, channels, h, w], draw.pick([np.float32] * 5 + [np.uint8]))
    draw.node("DepthToSpace", [x], blocksize=block, mode=draw.pick(["DCR", "CRD"]))


def space_to_depth(draw: Draw) -> None:
    block = draw.integer(1, 3)
    n, c, _ = draw.extents(3)
    h, w = draw.open(block), draw.pick([draw.open(block), block * draw.integer(1, 3)])
    draw.node("SpaceToDepth", [draw.input([n, c, h, w])], blocksize=block)


def one_hot(draw: Draw) -> None:
    extents = draw.extents(draw.integer(1, 3))
    depth, axis = draw.integer(1, 6), draw.axis(len(extents) + 1)
    indices = draw.input(extents, np.int64, indices_of(depth + 1))
    values = draw.constant([draw.integer(-2, 0), draw.integer(1, 3)], draw.pick([np.float32, np.int64]))
    draw.node("OneHot", [indices, draw.constant(depth), values], axis=axis)


def one_hot_by_shape(draw: Draw) -> None:
    x = draw.tensor(1, 3)
    axis = draw.integer(0, x.rank - 1)
    indices = draw.input([draw.extent()], np.int64, indices_of(x.extents[axis]))
    depth = shape_of(draw, x, axis)
    draw.node("OneHot", [indices, depth, draw.constant([0, 1], np.float32)], axis=draw.axis(2))


def range_by_shape(draw: Draw) -> None:
    x = draw.tensor(1, 3)
    extent = draw.node("Squeeze", [shape_of(draw, x, draw.integer(0, x.rank - 1)), draw.constant([0])])
    low = draw.integer(-2, 4)
    bounds = draw.pick(
        [(0, extent, 1), (low, extent, draw.integer(1, 3)), (extent, low, -draw.integer(1, 3))]
    )
    y = draw.node("Range", [b if isinstance(b, str) else draw.constant(b) for b in bounds])
    if draw.chance(0.3):
        draw.node(draw.pick(["Neg", "Abs"]), [y])


def causal_mask(draw: Draw) -> None:
    """Masks by positions that are compared with those of another axis."""
    extents = [*draw.extents(draw.integer(0, 1)), draw.extent(), draw.open()]
    x = draw.input(extents)
    rows, columns = (
        draw.node("Squeeze", [shape_of(draw, x, len(extents) + i), draw.constant([0])]) for i in (-2, -1)
    )
    zero, one = draw.constant(0), draw.constant(1)
    a = draw.node("Unsqueeze", [draw.node("Range", [zero, rows, one]), draw.constant([1])])
    b = draw.node("Range", [zero, columns, one])
    mask = draw.node(draw.pick(["Less", "GreaterOrEqual", "Equal"]), [b, a])
    masked = draw.node("Where", [mask, x, draw.constant(-1e4, np.float32)])
    draw.node("Softmax", [masked], axis=-1)


def constant_of_shape(draw: Draw) -> None:
    x = draw.tensor(1, 3)
    shape = draw.node("Shape", [x]) if draw.chance(0.5) else shape_of(draw, x, draw.integer(0, x.rank - 1))
    if draw.chance(0.4):
        shape = draw.node("Concat", [shape, draw.constant([draw.integer(1, 4)])], axis=0)
    value = numpy_helper.from_array(np.array([draw.integer(-3, 3)], draw.any_type()))
    draw.node("ConstantOfShape", [shape], **({"value": value} if draw.chance(0.8) else {}))


def shape_only(draw: Draw) -> None:
    x = draw.tensor(1, 4)
    kind = draw.pick(["Shape", "Size", "Shape"])
    ends = (
        {"start": draw.integer(-5, 4), "end": draw.integer(-5, 5)}
        if kind == "Shape" and draw.opset >= 15
        else {}
    )
    draw.node(kind, [x], **ends)


def compress(draw: Draw) -> None:
    x = draw.tensor()
    attributes = {"axis": draw.axis(x.rank)} if draw.chance(0.7) else {}
    if draw.chance(0.5):
        condition = draw.constant(draw.random.random(draw.integer(1, 5)) < 0.6, np.bool_)
    else:
        condition = draw.input(
            [x.extents[attributes["axis"]] if attributes else draw.integer(1, 2)], np.bool_
        )
    draw.node("Compress", [x, condition], **attributes)


def unique(draw: Draw) -> None:
    extents = draw.extents(draw.integer(1, 3), 3)
    x = draw.input(extents, np.int64, lambda random, shape, _: random.integers(0, 3, shape))
    attributes = {"axis": draw.axis(x.rank)} if draw.chance(0.5) else {}
    draw.node("Unique", [x], draw.pick([1, 4]), sorted=draw.integer(0, 1), **attributes)


def non_zero(draw: Draw) -> None:
    draw.node("NonZero", [draw.tensor(1, 3, draw.pick([np.bool_, np.int64, np.int32]))])


def einsum(draw: Draw) -> None:
    equations = (
        "ij,jk->ik bij,bjk->bik bhid,bhjd->bhij ij->ji i,j->ij bij->b abc,cd->abd ij,ij-> ij,ij->i ii->i"
        " bii->bi ...ij,...jk->...ik ij,jk i,i-> abc,abd->dc bij,bj->bi"
    )
    equation = draw.pick(equations.split())
    terms = equation.split("->")[0].split(",")
    letters = sorted({c for c in equation if c.isalpha()})
    sizes = dict(zip(letters, draw.extents(len(letters))))
    batch = [draw.extent(3)]
    inputs = [batch * t.startswith("...") + [sizes[c] for c in t if c.isalpha()] for t in terms]
    draw.node("Einsum", [draw.input(e) for e in inputs], equation=equation)


def grid_sample(draw: Draw) -> None:
    n, c, h, w = draw.extents(4)
    x = draw.input([n, c, h, w])
    grid = draw.input([n, draw.extent(), draw.extent(), 2], values=between(-1.3, 1.3))
    draw.opset = draw.pick([16, 20, 22])
    modes = ["bilinear", "nearest", "bicubic"] if draw.opset < 20 else ["linear", "nearest", "cubic"]
    padding = draw.pick(["zeros", "border", "reflection"])
    draw.limit = 1e-3
    attributes = {"mode": draw.pick(modes), "padding_mode": padding, "align_corners": draw.integer(0, 1)}
    draw.node("GridSample", [x, grid], **attributes)


def reverse_sequence(draw: Draw) -> None:
    extents = draw.extents(draw.integer(2, 4))
    time = draw.integer(0, 1)
    below = indices_of(extents[time], low=0)
    lengths = draw.input([extents[1 - time]], np.int64, lambda *given: 1 + below(*given))
    x = draw.input(extents, draw.any_type())
    draw.node("ReverseSequence", [x, lengths], time_axis=time, batch_axis=1 - time)


def eye_like(draw: Draw) -> None:
    attributes = {"dtype": draw.pick([1, 7])} if draw.chance(0.6) else {}
    draw.node("EyeLike", [draw.tensor(2, 2)], k=draw.integer(-3, 3), **attributes)


def resize(mode: str, draw: Draw) -> None:
    dimensions = draw.integer(1, 2) if mode != "nearest" else draw.integer(1, 3)
    if mode == "cubic":
        dimensions = 2
    x = draw.input(image(draw, dimensions, draw.integer(1, 3)), np.float32)
    transforms = ["half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric"]
    attributes = {"mode": mode, "coordinate_transformation_mode": draw.pick(transforms)}
    if mode == "nearest":
        roundings = ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"]
        attributes["nearest_mode"] = draw.pick(roundings)
    if mode == "cubic":
        attributes |= {"cubic_coeff_a": draw.pick([-0.75, -0.5]), "exclude_outside": draw.integer(0, 1)}
    # Where the extent of the result counts, ONNX's reference rounds it down, and ONNX Runtime does not.
    whole = attributes["coordinate_transformation_mode"] in ("align_corners", "pytorch_half_pixel")
    choices = [1.0, 2.0, 3.0] if whole else [1.0, 2.0, 2.0, 0.5, 3.0, 1.5, 0.7, 2.3, 0.33]
    scales = [draw.pick(choices) for _ in range(dimensions)]
    if draw.chance(0.75):
        draw.node("Resize", [x, "", draw.constant([1, 1, *scales], np.float32)], **attributes)
    elif draw.chance(0.5) and draw.opset >= 18:
        axes = list(range(2, 2 + dimensions))
        sizes = draw.constant(draw.integers(dimensions, 1, 9))
        draw.node("Resize", [x, "", "", sizes], axes=axes, **attributes)
    else:
        head = [shape_of(draw, x, 0), shape_of(draw, x, 1)]
        sizes = draw.node("Concat", [*head, draw.constant(draw.integers(dimensions, 1, 9))], axis=0)
        draw.node("Resize", [x, "", "", sizes], **attributes)


def resize_to_other(draw: Draw) -> None:
    """Resizes as the decoder of a U-Net does, whose other branch has the size."""
    n, c = draw.extent(3), draw.integer(1, 3)
    other = draw.input([n, c, draw.open(), draw.extent(9)])
    factor = draw.integer(1, 2)
    small = draw.node("MaxPool", [other], kernel_shape=[2, 2], strides=[factor, factor], pads=[0, 0, 1, 1])
    head = draw.node("Slice", [draw.node("Shape", [other]), draw.constant([0]), draw.constant([2])])
    tail = draw.node("Slice", [draw.node("Shape", [other]), draw.constant([2]), draw.constant([4])])
    sizes = draw.node("Concat", [head, tail], axis=0)
    mode = draw.pick(["nearest", "linear"])
    y = draw.node("Resize", [small, "", "", sizes], mode=mode, coordinate_transformation_mode="asymmetric")
    draw.node("Concat", [y, other], axis=1)


def crop_to_other(draw: Draw) -> None:
    """Slices up to an extent of another tensor."""
    extents, type = draw.extents(draw.integer(1, 3)), draw.any_type()
    axis = draw.integer(0, len(extents) - 1)
    shorter = list(extents)
    shorter[axis] = draw.extent()
    x, other = draw.input(extents, type), draw.input(shorter, type)
    end = shape_of(draw, other, axis)
    if draw.chance(0.3):
        end = draw.node(draw.pick(["Sub", "Add"]), [end, draw.constant([1])])
    bounds = (
        [draw.constant([0]), end]
        if draw.chance(0.5)
        else [draw.node("Neg", [end]), draw.constant([2**63 - 1])]
    )
    y = draw.node("Slice", [x, *bounds, draw.constant([axis])])
    if draw.chance(0.5):
        draw.node("Add", [y, other])


def quantize(draw: Draw) -> None:
    type = draw.pick([np.uint8, np.int8])
    channels = draw.integer(1, 5)
    extents = draw.extents(draw.integer(1, 3))
    by_axis = draw.chance(0.5)
    shape = [channels] if by_axis else []
    zero = draw.constant(draw.random.integers(0, 20, shape), type)
    scale = draw.weights(shape, 0.02, 0.2)
    attributes = {"axis": 1} if by_axis else {}
    extents = [extents[0], channels, *extents[1:]]
    if draw.chance(0.5):
        y = draw.node("QuantizeLinear", [draw.input(extents), scale, zero], **attributes)
        if draw.chance(0.5):
            draw.node("DequantizeLinear", [y, scale, zero], **attributes)
    else:
        draw.node("DequantizeLinear", [draw.input(extents, type), scale, zero], **attributes)


def quantize_dynamically(draw: Draw) -> None:
    draw.node("DynamicQuantizeLinear", [draw.tensor(1, 3, np.float32)], 3)


def qlinear_conv(draw: Draw) -> None:
    attributes = window(draw, 2)
    x = draw.input(image(draw, 2, 3), np.uint8)
    weights = draw.constant(draw.random.integers(-100, 100, [4, 3, *attributes["kernel_shape"]]), np.int8)
    x_scale, w_scale, y_scale = (draw.constant(s, np.float32) for s in (0.05, 0.02, 0.4))
    zero = draw.constant(draw.integer(0, 200), np.uint8)
    w_zero = draw.constant(0, np.int8)
    draw.node("QLinearConv", [x, x_scale, zero, weights, w_scale, w_zero, y_scale, zero], **attributes)


def recurrent(draw: Draw) -> None:
    kind, directions = draw.pick(["LSTM", "GRU", "RNN"]), draw.integer(1, 2)
    gates, hidden, width = {"LSTM": 4, "GRU": 3, "RNN": 1}[kind], draw.integer(1, 5), draw.integer(1, 4)
    x = draw.input([draw.open(), draw.extent(), width])
    parts = [draw.weights([directions, gates * hidden, w]) for w in (width, hidden)]
    bias = [draw.weights([directions, 2 * gates * hidden])] if draw.chance(0.5) else []
    direction = "bidirectional" if directions == 2 else draw.pick(["forward", "reverse"])
    draw.node(kind, [x, *parts, *bias], 2, hidden_size=hidden, direction=direction)


class Body:
    """Puts the graph of a step together, over tensors [batch, width]."""

    def __init__(self, draw: Draw, width: int):
        self.draw, self.width = draw, width
        self.nodes: list[onnx.NodeProto] = []

    def node(self, kind: str, inputs: Sequence[str], **attributes) -> str:
        name = f"b{len(self.draw.nodes)}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        return name

    def mixed(self, names: Sequence[str]) -> str:
        """Returns what is made of all of these tensors."""
        y = names[0]
        if self.draw.chance(0.6):
            y = self.node("MatMul", [y, self.draw.weights([self.width, self.width], -0.5, 0.5)])
        for name in names[1:]:
            y = self.node(self.draw.pick(["Add", "Add", "Sub", "Max"]), [y, name])
        if self.draw.chance(0.3):
            y = self.node("Softmax", [y], axis=-1)
        return self.node(self.draw.pick(["Tanh", "Sigmoid", "Tanh"]), [y])

    def graph(self, inputs: dict[str, tuple[int, int]], outputs: dict[str, tuple[int, int]]) -> onnx.GraphProto:
        """Returns the graph; `inputs` and `outputs`: the type and rank of each."""

        def infos(named: dict[str, tuple[int, int]]) -> list[onnx.ValueInfoProto]:
            return [helper.make_tensor_value_info(n, kind, [None] * rank) for n, (kind, rank) in named.items()]

        # Two outputs may be one tensor, which has one name.
        return helper.make_graph(self.nodes, "step", infos(inputs), infos(outputs))


FLOAT_MATRIX = (onnx.TensorProto.FLOAT, 2)


def scan(draw: Draw) -> None:
    width, batch, steps = draw.integer(1, 5), draw.extent(3), draw.open()
    body = Body(draw, width)
    states = [f"h{i}" for i in range(draw.integer(0, 2))]
    scanned = [f"e{i}" for i in range(draw.integer(1, 2))]
    begins = [draw.input([batch, width]) for _ in states]
    axes = draw.integers(len(scanned), 0, 2)
    inputs = []
    for axis in axes:
        extents: list[Extent] = [batch, width]
        extents.insert(axis, steps)
        inputs.append(draw.input(extents))
    now = [*scanned, *states]
    made = {body.mixed(draw.random.permutation(now).tolist()): FLOAT_MATRIX for _ in states}
    rows = {body.node("Neg", [draw.pick([*now, *made])]): FLOAT_MATRIX for _ in range(draw.integer(1, 2))}
    graph = body.graph({name: FLOAT_MATRIX for name in [*states, *scanned]}, made | rows)
    draw.node(
        "Scan",
        [*begins, *inputs],
        len(states) + len(rows),
        body=graph,
        num_scan_inputs=len(scanned),
        scan_input_axes=axes,
        scan_input_directions=draw.integers(len(scanned), 0, 1),
        scan_output_axes=[draw.pick([0, 0, 1, 2, -1]) for _ in rows],
        scan_output_directions=draw.integers(len(rows), 0, 1),
    )


def few_steps(random: np.random.Generator, shape: list[int], _: Sizes) -> np.ndarray:
    return np.asarray(random.integers(-1, 7, shape)).astype(np.int64)


def loop(draw: Draw) -> None:
    """Repeats as often as a size or an input says, or until a sum is large enough."""
    width, batch = draw.integer(1, 5), draw.extent(3)
    body = Body(draw, width)
    begins = [draw.input([batch, width]) for _ in range(draw.integer(1, 2))]
    states = [f"h{i}" for i in range(len(begins))]
    way = draw.pick(["size", "input", "condition"])
    read = draw.input([draw.open(), batch, width])
    most, most_rows = draw.constant(40), 1
    if way == "size":
        draw.takes_empty = False  # without iterations ONNX Runtime gives rows of other shapes
        shape = draw.node("Shape", [read])
        most = draw.node("Gather", [shape, draw.constant(0)])
    elif way == "input":
        most, most_rows = draw.input([], np.int64, few_steps).name, 0
    number = body.node("Cast", ["i"], to=onnx.TensorProto.FLOAT)
    now = [*states, body.node("Mul", [number, draw.constant(0.125, np.float32)])]
    if way == "size":
        now.append(body.node("Gather", [read.name, "i"], axis=0))
    made = {body.mixed(now): FLOAT_MATRIX}
    if len(states) > 1:
        # The second value is what the first one was.
        made[body.node("Identity", ["h0"])] = FLOAT_MATRIX
    goes_on = body.node("Identity", ["c"])
    if way == "condition":
        goes_on = body.node("Less", ["i", draw.pick([draw.constant(n) for n in (-1, 0, 3, 8)])])
    rows = {body.node("Neg", [draw.pick([*states, *made])]): FLOAT_MATRIX for _ in range(most_rows)}
    scalars = {"i": (onnx.TensorProto.INT64, 0), "c": (onnx.TensorProto.BOOL, 0)}
    graph = body.graph(
        scalars | {name: FLOAT_MATRIX for name in states},
        {goes_on: (onnx.TensorProto.BOOL, 0)} | made | rows,
    )
    draw.node("Loop", [most, "", *begins], len(states) + len(rows), body=graph)


def attention(draw: Draw) -> None:
    """Multiplies twice, with a Softmax between."""
    head = [draw.extent(2), draw.integer(1, 3)]
    width, queries, keys = draw.integer(1, 9), draw.extent(), draw.open()
    q, k, v = (draw.input([*head, length, width]) for length in (queries, keys, keys))
    scores = draw.node("MatMul", [q, draw.node("Transpose", [k], perm=[0, 1, 3, 2])])
    if draw.chance(0.5):
        scores = draw.node("Add", [scores, draw.input(draw.like([*head, queries, keys], other=0.02))])
    y = draw.node("MatMul", [draw.node("Softmax", [scores], axis=-1), v])
    y = draw.node("Transpose", [y], perm=[0, 2, 1, 3])
    draw.node("Reshape", [y, draw.constant([0, 0, -1])])


def attention_operator(draw: Draw) -> None:
    draw.opset = 23
    heads, width = draw.integer(1, 3), draw.integer(1, 6)
    batch, queries, keys = draw.extent(2), draw.extent(), draw.open()
    inputs = [draw.input([batch, heads, length, width]) for length in (queries, keys, keys)]
    draw.node("Attention", inputs, is_causal=draw.integer(0, 1))


def pad_conv(draw: Draw) -> None:
    n, h, w = draw.extents(3, 9)
    pads = [0, 0, *draw.integers(2, 0, 2), 0, 0, *draw.integers(2, 0, 2)]
    modes = ["constant", "reflect", "edge"]
    y = draw.node("Pad", [draw.input([n, 2, h, w]), draw.constant(pads)], mode=draw.pick(modes))
    kernel = draw.integers(2, 1, 3)
    draw.node("Conv", [y, draw.weights([3, 2, *kernel])], kernel_shape=kernel, strides=draw.integers(2, 1, 2))


def network(draw: Draw) -> None:
    """Chains a convolution and what follows it in networks."""
    n, h, w = draw.extents(3, 12)
    x = draw.input([n, 3, h, w])
    weights, strides = draw.weights([4, 3, 3, 3]), draw.integers(2, 1, 2)
    y = draw.node("Conv", [x, weights], kernel_shape=[3, 3], pads=[1] * 4, strides=strides)
    y = draw.node("BatchNormalization", [y, *[draw.weights([4], 0.5, 1) for _ in range(4)]])
    y = draw.node("Relu", [y])
    if draw.chance(0.5):
        y = draw.node("MaxPool", [y], kernel_shape=[2, 2], strides=[2, 2], pads=[0, 0, 1, 1])
    y = draw.node("GlobalAveragePool", [y])
    draw.node("Gemm", [draw.node("Flatten", [y]), draw.weights([4, 5])])


def col2im(draw: Draw) -> None:
    """Makes images of blocks, whose number follows from the constant size of the image."""
    draw.opset = max(draw.opset, 18)
    kernel = draw.integers(2, 1, 3)
    sizes = [k + draw.integer(0, 4) for k in kernel]
    blocks = int(np.prod([s - k + 1 for s, k in zip(sizes, kernel)]))
    x = draw.input([draw.open(), draw.integer(1, 3) * int(np.prod(kernel)), blocks])
    draw.node("Col2Im", [x, draw.constant(sizes), draw.constant(kernel)])


def determinant(draw: Draw) -> None:
    n = draw.integer(1, 4)
    draw.node("Det", [draw.input([*draw.extents(draw.integer(1, 2)), n, n])])


def dft(draw: Draw) -> None:
    draw.opset = draw.pick([17, 20])
    n, m = draw.extents(2)
    x = draw.input([n, m, draw.integer(1, 2)])
    draw.limit = 1e-3
    inverse, onesided = draw.pick([(0, 0), (1, 0), (0, 1)])
    if draw.opset == 17:
        draw.node("DFT", [x], axis=1, inverse=inverse, onesided=onesided)
    else:
        draw.node("DFT", [x, "", draw.constant(1)], inverse=inverse, onesided=onesided)


def corners(random: np.random.Generator, shape: list[int], _: Sizes) -> np.ndarray:
    """Returns boxes whose first corner comes before the last."""
    return 8 * np.sort(random.random((*shape[:-1], 2, 2)), -2).reshape(shape).astype(np.float32)


def roi_align(draw: Draw) -> None:
    draw.opset = draw.pick([16, 18, 21])
    n, h, w = draw.extents(3, 9)
    x, count = draw.input([n, draw.integer(1, 3), h, w]), draw.extent(4)
    boxes = draw.input([count, 4], values=corners)
    indices = draw.input([count], np.int64, indices_of(n, low=0))
    draw.node(
        "RoiAlign", [x, boxes, indices], output_height=draw.integer(1, 3), output_width=2, sampling_ratio=2
    )


def stepwise(draw: Draw) -> None:
    """Chains two to four steps."""
    x = draw.tensor(1, 3, np.float32)
    for _ in range(draw.integer(2, 4)):
        step = draw.pick(STEPS)
        if x.rank < (2 if step in (trilu, squared) else 1) or x.rank > 4:
            step = tame_unary
        x = step(draw, x)


def cropped_steps(draw: Draw) -> None:
    """Chains a step, a Slice of it and another step."""
    x = draw.tensor(1, 3, np.float32)
    first, last = (
        draw.pick([pad, concat_with_itself, cumsum, tile, transpose, tame_unary]) for _ in range(2)
    )
    last(draw, slice_(draw, first(draw, x)))


STEPS = [
    slice_,
    slice_,
    pad,
    transpose,
    flatten,
    unsqueeze,
    tile,
    cumsum,
    trilu,
    tame_unary,
    clip,
    concat_with_itself,
    concat_of_slices,
    slices_added,
    strided_halves,
    less_its_mean,
    merged,
    swapped_back,
    reshape_any,
    expand,
    identity,
    gather_constant,
    split,
    squared,
    topk,
    halves_by_shape,
    halves_by_shape,
    windows,
    windows,
    every_other,
    tiled_by_shape,
    weighted_by_ones,
    functools.partial(softmax, "Softmax"),
    functools.partial(reduce, "Sum"),
    functools.partial(reduce, "Max"),
    functools.partial(reduce, "Mean"),
]

OPERATORS: dict[str, Callable[[Draw], object]] = {
    "Slice": of_tensor(slice_),
    "Pad": of_tensor(pad),
    "Transpose": of_tensor(transpose),
    "Flatten": of_tensor(flatten),
    "Unsqueeze": of_tensor(unsqueeze),
    "Tile": of_tensor(tile),
    "Softmax": of_tensor(functools.partial(softmax, "Softmax"), type=np.float32),
    "LogSoftmax": of_tensor(functools.partial(softmax, "LogSoftmax"), type=np.float32),
    "Hardmax": of_tensor(functools.partial(softmax, "Hardmax"), type=np.float32),
    **{
        f"Reduce{kind}": of_tensor(functools.partial(reduce, kind))
        for kind in REDUCTIONS
        if kind not in OF_FLOATS
    },
    "ReduceLogSum": of_tensor(functools.partial(reduce, "LogSum"), type=np.float32),
    "ReduceLogSumExp": of_tensor(functools.partial(reduce, "LogSumExp"), type=np.float32),
    "ReduceProd": product,
    "ArgMax": of_tensor(functools.partial(arg, "ArgMax")),
    "ArgMin": of_tensor(functools.partial(arg, "ArgMin")),
    "CumSum": of_tensor(cumsum),
    "TopK": of_tensor(topk),
    "Split": of_tensor(split),
    "Split+parts": split_in_parts,
    "Gather+constant": of_tensor(gather_constant),
    "Trilu": of_tensor(trilu, 2, 4),
    "Unary": of_tensor(unary, type=np.float32),
    "Clip": of_tensor(clip),
    "Cast": of_tensor(cast),
    "Identity": of_tensor(identity),
    "CenterCropPad": of_tensor(center_crop_pad),
    "Slice+Concat": of_tensor(concat_of_slices),
    "Slice+Add": of_tensor(slices_added),
    "Slice+halves": of_tensor(strided_halves),
    "Slice+Div": of_tensor(halves_by_shape, 1, 3),
    "Reshape+windows": of_tensor(windows, 1, 3, np.float32),
    "Gather+Range": of_tensor(every_other, 1, 3),
    "Tile+Shape": of_tensor(tiled_by_shape, 1, 3),
    "ConstantOfShape+Add": of_tensor(weighted_by_ones, 1, 3),
    "Slice+Shape": crop_to_other,
    "Reshape+merge": of_tensor(merged),
    "Reshape+swap": of_tensor(swapped_back),
    "Reshape+any": of_tensor(reshape_any),
    "Reshape+split": reshape_split,
    "Expand": of_tensor(expand),
    "Expand+Shape": expand_to_other,
    "Gather": gather,
    "GatherElements": gather_elements,
    "GatherND": gather_nd,
    "ScatterElements": scatter_elements,
    "ScatterND": scatter_nd,
    "Concat": concat,
    "Squeeze": squeeze,
    "Where": where,
    "Binary": functools.partial(binary, "Add Sub Mul Div Max Min Mod", None),
    "Binary+float": functools.partial(binary, "Add Mul Pow PRelu Div", np.float32),
    "Compare": functools.partial(binary, "Equal Less Greater LessOrEqual GreaterOrEqual", None),
    "Logic": functools.partial(binary, "And Or Xor", np.bool_),
    "BitShift": functools.partial(binary, "BitShift", np.uint8),
    "Variadic": variadic,
    "MatMul": matmul,
    "Gemm": gemm,
    "Conv": conv,
    "ConvTranspose": conv_transpose,
    "ConvInteger": conv_integer,
    "MatMulInteger": matmul_integer,
    "MaxPool": functools.partial(pool, "MaxPool"),
    "AveragePool": functools.partial(pool, "AveragePool"),
    "LpPool": functools.partial(pool, "LpPool"),
    "GlobalPool": global_pool,
    "BatchNormalization": batch_norm,
    "LayerNormalization": layer_norm,
    "InstanceNormalization": instance_norm,
    "GroupNormalization": group_norm,
    "Normalization": other_norm,
    "DepthToSpace": depth_to_space,
    "SpaceToDepth": space_to_depth,
    "OneHot": one_hot,
    "OneHot+Shape": one_hot_by_shape,
    "Range+Shape": range_by_shape,
    "Range+mask": causal_mask,
    "ConstantOfShape": constant_of_shape,
    "Shape": shape_only,
    "Compress": compress,
    "Unique": unique,
    "NonZero": non_zero,
    "Einsum": einsum,
    "GridSample": grid_sample,
    "ReverseSequence": reverse_sequence,
    "EyeLike": eye_like,
    "Resize+nearest": functools.partial(resize, "nearest"),
    "Resize+linear": functools.partial(resize, "linear"),
    "Resize+cubic": functools.partial(resize, "cubic"),
    "Resize+Shape": resize_to_other,
    "QuantizeLinear": quantize,
    "DynamicQuantizeLinear": quantize_dynamically,
    "QLinearConv": qlinear_conv,
    "Recurrent": recurrent,
    "Scan": scan,
    "Loop": loop,
    "MatMul+Softmax": attention,
    "Attention": attention_operator,
    "Pad+Conv": pad_conv,
    "Network": network,
    "Col2Im": col2im,
    "Det": determinant,
    "DFT": dft,
    "RoiAlign": roi_align,
    "Steps": stepwise,
    "Steps+Slice": cropped_steps,
}


# How many times as often as others these are drawn.
WEIGHTS = {"Slice": 2, "Pad": 2, "Conv": 2, "Steps": 4, "Steps+Slice": 2}


def operator_of(seed: int) -> str:
    names = [name for name in OPERATORS for _ in range(WEIGHTS.get(name, 1))]
    return names[int(np.random.default_rng([seed, 1]).integers(len(names)))]


def drawn(seed: int) -> Draw:
    draw = Draw(seed)
    OPERATORS[operator_of(seed)](draw)
    return draw


def drawn_sizes(draw: Draw) -> list[Sizes]:
    """Returns three or four, in any order: memory has to grow and shrink."""
    every = []
    for _ in range(draw.integer(3, 4)):
        pool = ANY_SIZE if draw.chance(0.3) else SIZES
        every.append(
            {
                key: 0 if draw.takes_empty and draw.chance(EMPTY_SHARE) else draw.pick(pool)
                for key in draw.keys
            }
        )
    return every


@dataclasses.dataclass
class Result:
    """Holds the outcome of a case: `kind` is one of KINDS, "skipped" where ONNX Runtime has no kernel."""

    kind: str
    text: str = ""
    sizes: Sizes = dataclasses.field(default_factory=dict)


def difference(name: str, got: np.ndarray, want: np.ndarray, limit: float, has_mean: bool) -> str:
    """Says how they differ; empty if they agree."""
    if got.dtype != want.dtype or got.shape != want.shape:
        return f"{name} is {got.dtype} {list(got.shape)}, and should be {want.dtype} {list(want.shape)}"
    far = got != want
    if want.dtype.kind == "f" and want.size:
        a, b = got.astype(np.float64), want.astype(np.float64)
        finite = b[np.isfinite(b)]
        scale = float(np.sqrt(np.mean(np.square(finite)))) if finite.size else 0.0
        share = HALF_LIMIT if want.dtype == np.float16 else limit
        with np.errstate(invalid="ignore"):
            near = np.abs(a - b) <= share * np.maximum(np.abs(b), scale) + SMALLEST
            near &= np.isfinite(a) & np.isfinite(b)
        near |= np.isnan(a) & (np.isnan(b) | (has_mean & (b == 0)))
        far = ~((a == b) | near)
    if not np.any(far):
        return ""
    place = tuple(int(i) for i in np.argwhere(far)[0])
    values = f"is {got[place]}, and should be {want[place]}"
    return f"{name}{list(place)} of {list(want.shape)} {values}; {int(np.sum(far))} differ"


class Reference:
    """Runs a model in ONNX Runtime, without its optimizations."""

    def __init__(self, model: onnx.ModelProto):
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 4
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        content, providers = model.SerializeToString(), ["CPUExecutionProvider"]
        self.session = onnxruntime.InferenceSession(content, options, providers=providers)
        self.names = [output.name for output in self.session.get_outputs()]
        self.options = onnxruntime.RunOptions()
        self.options.log_severity_level = 4

    def run(self, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        return dict(zip(self.names, self.session.run(self.names, inputs, self.options)))


def first_line(error: Exception) -> str:
    text = str(error).splitlines()[0] if str(error) else ""
    return f"{type(error).__name__}: " + re.sub(r".*Status Message: (/onnxruntime_src\S* )?", "", text)


class Candidate:
    """Holds the Program, or why there is none."""

    def __init__(self, model: onnx.ModelProto, device: str):
        import tensordsl

        self.refusal = ""
        opened = tensordsl.Device.open(device)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.onnx")
            onnx.save(model, path)
            try:
                program = tensordsl.Model.load(path).compile(tensordsl.CompileTarget(opened))
                self.compiled = tensordsl.CompiledModel(program, opened)
            except tensordsl.Error as error:
                self.refusal = first_line(error).replace(path, "model.onnx")

    def run(self, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray] | str:
        """Returns the outputs, or why there are none."""
        import tensordsl

        if self.refusal:
            return self.refusal
        try:
            return self.compiled.run(inputs)
        except tensordsl.Error as error:
            return first_line(error)


def is_lacking(text: str) -> bool:
    """True if ONNX Runtime has no kernel, which says nothing of the model."""
    return re.search("not.?implemented|not supported", text, re.IGNORECASE) is not None


def judged(got: Outputs | str, want: Outputs | str, draw: Draw, empty: bool) -> Result:
    """Compares two runs. `empty`: some extents are 0, which ONNX Runtime need not take."""
    if isinstance(want, str):
        if isinstance(got, str) and "InternalError" not in got:
            return Result("both refuse", want)
        if is_lacking(want) or empty:
            return Result("skipped", want)
        return Result("wrong", f"there is a result, and ONNX Runtime has none: {want}")
    if isinstance(got, str):
        return Result("wrong" if "InternalError" in got else "refused", got)
    for name, value in want.items():
        text = difference(name, got[name], value, draw.limit, draw.has_mean)
        if text:
            return Result("wrong", text)
    return Result("right")


def results_of(seed: int, device: str, say: Callable[[str], None]) -> list[Result]:
    """Runs the model at all its sizes; `say` is called with each step before it begins."""
    draw = drawn(seed)
    every, model = drawn_sizes(draw), draw.model()
    say("ONNX Runtime's load")
    try:
        reference = Reference(model)
    except Exception as error:
        reference = first_line(error)
    say("compile")
    try:
        candidate = Candidate(model, device)
    except Exception as error:
        return [Result("wrong", first_line(error), sizes) for sizes in every]
    results = []
    for sizes in every:
        inputs = {}
        for given in draw.inputs:
            value = given.values(draw.random, at(given.tensor.extents, sizes), sizes)
            inputs[given.tensor.name] = np.asarray(value, order="C")
        want, got = reference, ""
        if isinstance(reference, Reference):
            say(f"ONNX Runtime's run at {sizes}")
            try:
                want = reference.run(inputs)
            except Exception as error:
                want = first_line(error)
        say(f"run at {sizes}")
        try:
            got = candidate.run(inputs)
        except Exception as error:
            results.append(Result("wrong", first_line(error), sizes))
            continue
        results.append(dataclasses.replace(judged(got, want, draw, 0 in sizes.values()), sizes=sizes))
    return results


def serve(device: str, pipe) -> None:
    """Answers seeds with results, until there are no more."""
    while (seed := pipe.recv()) is not None:
        pipe.send(results_of(seed, device, pipe.send))


class Worker:
    """Runs models in a process, and in another one after each that ended."""

    def __init__(self, device: str):
        self.device = device
        self.start()

    def start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=serve, args=(self.device, other), daemon=True)
        self.process.start()
        other.close()

    def results_of(self, seed: int) -> list[Result]:
        step = "start"
        try:
            self.pipe.send(seed)
            while self.pipe.poll(SECONDS):
                answer = self.pipe.recv()
                if not isinstance(answer, str):
                    return answer
                step = answer
            text = f"no end within {SECONDS} s: {step}"
        except (EOFError, OSError):
            self.process.join()
            text = f"the process ended with {self.process.exitcode}: {step}"
        self.process.kill()
        self.start()
        return [Result("skipped" if "ONNX Runtime" in step else "wrong", text)]

    def stop(self) -> None:
        self.pipe.send(None)
        self.process.join(SECONDS)


def reason_of(text: str) -> str:
    """Returns the text without names and numbers, so that equal refusals of different models are one."""
    text = re.sub(r"model\.onnx: |node '[^']*' (\((\w+)\))?: ?|#\d+", r"\2 ", text)
    text = re.sub(r"'[^']*'|\"[^\"]*\"|\[[^\]]*\]", "..", text)
    text = re.sub(r"\b(x\d+_\d_|n_size|m_size|length|t\d+(_\d+)*|c\d+|x\d+|n|m)\b", "_", text)
    return re.sub(r"-?\d+(\.\d+)?", "#", text).strip()[:160]


KINDS = ["right", "wrong", "refused", "both refuse", "skipped"]


class Tally:
    """Counts the outcomes of each operator."""

    def __init__(self):
        self.counts: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
        self.reasons: dict[str, collections.Counter] = {kind: collections.Counter() for kind in KINDS}
        self.first_seeds: dict[str, int] = {}
        self.cases = 0

    def add(self, seed: int, results: Sequence[Result]) -> None:
        operator = operator_of(seed)
        self.cases += len(results)
        for result in results:
            reason = f"{operator}: {reason_of(result.text)}"
            self.counts[operator][result.kind] += 1
            self.reasons[result.kind][reason] += 1
            self.first_seeds.setdefault(reason, seed)

    def __str__(self) -> str:
        lines = [f"{'operator':24}" + f"{'cases':>8}" + "".join(f"{kind:>13}" for kind in KINDS)]
        total: collections.Counter = collections.Counter()
        for operator in sorted(self.counts):
            total += self.counts[operator]
            lines.append(self.row(operator, self.counts[operator]))
        lines.append(self.row("all", total))
        for kind in KINDS[1:]:
            if self.reasons[kind]:
                lines.append(f"{kind}: how many, the first seed, and why")
                for reason, count in self.reasons[kind].most_common():
                    lines.append(f"{count:7} {self.first_seeds[reason]:8} {reason}")
        return "\n".join(lines)

    @staticmethod
    def row(name: str, counts: collections.Counter) -> str:
        return f"{name:24}{sum(counts.values()):8}" + "".join(f"{counts[kind] or '':>13}" for kind in KINDS)


def seeds_from(first: int, only: str) -> Iterator[int]:
    seed = first
    while True:
        if not only or only in operator_of(seed).split("+"):
            yield seed
        seed += 1


def main() -> int:
    args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    args.add_argument(
        "--cases", type=int, default=500, help="at least so many; a model is run at all its sizes"
    )
    args.add_argument("--seed", type=int, default=0, help="of the first model")
    args.add_argument("--device", default="host")
    args.add_argument("--only", default="", help="an operator, as the table names it")
    args = args.parse_args()
    names = sorted({part for name in OPERATORS for part in name.split("+")})
    if args.only and args.only not in names:
        sys.exit(f"--only: there is no operator {args.only}; there are {', '.join(names)}")
    tally, worker = Tally(), Worker(args.device)
    for seed in seeds_from(args.seed, args.only):
        results = worker.results_of(seed)
        tally.add(seed, results)
        wrong = [result for result in results if result.kind == "wrong"]
        if wrong:
            print(f"seed {seed} {operator_of(seed)}\n{drawn(seed)}")
            for result in wrong:
                print(f"  at {result.sizes}: {result.text}", flush=True)
        if tally.cases >= args.cases:
            break
    worker.stop()
    print(tally)
    return 1 if tally.reasons["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
