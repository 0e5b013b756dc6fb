#!/usr/bin/env python3
"""Writes a block of each kind of network, small enough for a simulator of OpenCL that counts what kernels do.

Each is as exporters write it: swin_block and cswin_block cut a picture into windows by Reshape and Transpose, the
first rolls it by Slice and Concat, and queries, keys and values are parts of one product.

usage: make_blocks.py FOLDER
needs: numpy, onnx
"""
import os
import sys

import numpy as np
from onnx import TensorProto
from onnx_graph import Graph

SIDE, WIDTH, HEADS, WINDOW = 14, 48, 3, 7
TOKENS = SIDE * SIDE


def reshape(g, x, extents, name):
    return g.node("Reshape", [x, g.ints(extents)], name)


def transpose(g, x, order, name):
    return g.node("Transpose", [x], name, perm=order)


def norm(g, x, name):
    weights = [g.weight(f"{name}.weight", [WIDTH]), g.weight(f"{name}.bias", [WIDTH])]
    return g.node("LayerNormalization", [x] + weights, name, axis=-1, epsilon=1e-5)


def cut(g, x, axis, begin, end, name):
    return g.node("Slice", [x, g.ints([begin]), g.ints([end]), g.ints([axis])], name)


def conv(g, x, name, inputs, outputs, kernel=1, groups=1, stride=1):
    shape = [outputs, inputs // groups, kernel, kernel]
    weights = [g.weight(f"{name}.weight", shape), g.weight(f"{name}.bias", [outputs])]
    return g.node("Conv", [x] + weights, name, kernel_shape=[kernel] * 2, strides=[stride] * 2, group=groups,
                  pads=[kernel // 2] * 4)


def gelu(g, x, name):
    by_root = g.node("Div", [x, g.constant("root_of_two", np.sqrt(2), np.float32)], f"{name}/by_root")
    erf = g.node("Erf", [by_root], f"{name}/erf")
    shifted = g.node("Add", [erf, g.constant("one", 1, np.float32)], f"{name}/shifted")
    return g.node("Mul", [g.node("Mul", [x, shifted], f"{name}/twice"), g.constant("half", 0.5, np.float32)], name)


def mlp(g, x, name):
    inner = gelu(g, g.linear(norm(g, x, f"{name}/norm"), f"{name}/wide", WIDTH, 4 * WIDTH), f"{name}/gelu")
    return g.node("Add", [x, g.linear(inner, f"{name}/narrow", 4 * WIDTH, WIDTH)], name)


def heads(g, x, rows, tokens, name):
    """Queries, keys and values [rows, HEADS, tokens, columns] of x [rows, tokens, WIDTH]."""
    wide = g.linear(x, f"{name}/qkv", WIDTH, 3 * WIDTH)
    parts = reshape(g, wide, [rows, tokens, 3, HEADS, WIDTH // HEADS], f"{name}/split")
    parts = transpose(g, parts, [2, 0, 3, 1, 4], f"{name}/parts")
    return [g.node("Gather", [parts, g.ints(i)], f"{name}/part{i}", axis=0) for i in range(3)]


def average(g, query, key, value, name, bias=None):
    columns = WIDTH // HEADS
    scaled = g.node("Mul", [query, g.constant("scale", columns**-0.5, np.float32)], f"{name}/scaled")
    scores = g.node("MatMul", [scaled, transpose(g, key, [0, 1, 3, 2], f"{name}/turned")], f"{name}/scores")
    if bias:
        scores = g.node("Add", [scores, g.weight(f"{name}.bias", bias)], f"{name}/biased")
    return g.node("MatMul", [g.node("Softmax", [scores], f"{name}/shares", axis=-1), value], name)


def attention(g, x, rows, tokens, name, bias=None):
    mixed = average(g, *heads(g, x, rows, tokens, name), f"{name}/mixed", bias)
    joined = reshape(g, transpose(g, mixed, [0, 2, 1, 3], f"{name}/rows"), [rows, tokens, WIDTH], f"{name}/joined")
    return g.linear(joined, f"{name}/out", WIDTH, WIDTH)


def roll(g, x, by, name):
    """Of [1, SIDE, SIDE, WIDTH], rows and columns."""
    for axis in (1, 2):
        end, begin = cut(g, x, axis, by, SIDE, f"{name}/{axis}/end"), cut(g, x, axis, 0, by, f"{name}/{axis}/begin")
        x = g.node("Concat", [end, begin], f"{name}/{axis}", axis=axis)
    return x


def swin_block():
    g = Graph("swin_block")
    x = g.input("x", TensorProto.FLOAT, [1, TOKENS, WIDTH])
    n, inner = SIDE // WINDOW, WINDOW * WINDOW
    h = roll(g, reshape(g, norm(g, x, "norm"), [1, SIDE, SIDE, WIDTH], "picture"), 3, "roll")
    h = transpose(g, reshape(g, h, [1, n, WINDOW, n, WINDOW, WIDTH], "cut"), [0, 1, 3, 2, 4, 5], "windows")
    h = attention(g, reshape(g, h, [n * n, inner, WIDTH], "rows"), n * n, inner, "attention", [1, HEADS, inner, inner])
    h = transpose(g, reshape(g, h, [1, n, n, WINDOW, WINDOW, WIDTH], "uncut"), [0, 1, 3, 2, 4, 5], "together")
    h = roll(g, reshape(g, h, [1, SIDE, SIDE, WIDTH], "whole"), SIDE - 3, "back")
    h = g.node("Add", [x, reshape(g, h, [1, TOKENS, WIDTH], "tokens")], "added")
    return g, mlp(g, h, "mlp"), [1, TOKENS, WIDTH]


def cswin_block():
    """Stripes of WINDOW columns, with the local positions that a convolution of the values adds."""
    g = Graph("cswin_block")
    x = g.input("x", TensorProto.FLOAT, [1, TOKENS, WIDTH])
    n, inner, columns = SIDE // WINDOW, SIDE * WINDOW, WIDTH // HEADS
    wide = reshape(g, g.linear(norm(g, x, "norm"), "qkv", WIDTH, 3 * WIDTH), [1, TOKENS, 3, WIDTH], "split")
    wide = transpose(g, wide, [2, 0, 1, 3], "parts")
    parts = []
    for i in range(3):
        part = transpose(g, g.node("Gather", [wide, g.ints(i)], f"part{i}", axis=0), [0, 2, 1], f"turned{i}")
        part = reshape(g, part, [1, WIDTH, 1, SIDE, n, WINDOW], f"cut{i}")
        part = reshape(g, transpose(g, part, [0, 2, 4, 3, 5, 1], f"stripes{i}"), [n, inner, WIDTH], f"rows{i}")
        if i == 2:
            turned = transpose(g, part, [0, 2, 1], "local/turned")
            local = reshape(g, turned, [n, WIDTH, SIDE, WINDOW], "local/picture")
            local = conv(g, local, "local/conv", WIDTH, WIDTH, kernel=3, groups=WIDTH)
            local = reshape(g, local, [n, HEADS, columns, inner], "local/split")
            local = transpose(g, local, [0, 1, 3, 2], "local")
        part = reshape(g, part, [n, inner, HEADS, columns], f"heads{i}/split")
        parts.append(transpose(g, part, [0, 2, 1, 3], f"heads{i}"))
    h = g.node("Add", [average(g, *parts, "mixed"), local], "with_local")
    h = reshape(g, transpose(g, h, [0, 2, 1, 3], "joined/rows"), [n, inner, WIDTH], "joined")
    h = transpose(g, reshape(g, h, [1, 1, n, SIDE, WINDOW, WIDTH], "uncut"), [0, 1, 3, 2, 4, 5], "together")
    h = g.linear(reshape(g, h, [1, TOKENS, WIDTH], "tokens"), "out", WIDTH, WIDTH)
    return g, mlp(g, g.node("Add", [x, h], "added"), "mlp"), [1, TOKENS, WIDTH]


def bert_layer():
    g = Graph("bert_layer")
    x = g.input("x", TensorProto.FLOAT, [1, 8, WIDTH])
    parts = []
    for part in ("query", "key", "value"):
        split = reshape(g, g.linear(x, part, WIDTH, WIDTH), [1, 8, HEADS, WIDTH // HEADS], f"{part}/split")
        parts.append(transpose(g, split, [0, 2, 1, 3], f"{part}/heads"))
    mixed = transpose(g, average(g, *parts, "mixed"), [0, 2, 1, 3], "rows")
    out = g.linear(reshape(g, mixed, [1, 8, WIDTH], "joined"), "out", WIDTH, WIDTH)
    return g, mlp(g, norm(g, g.node("Add", [x, out], "added"), "norm"), "mlp"), [1, 8, WIDTH]


def picture(name):
    g = Graph(name)
    return g, g.input("x", TensorProto.FLOAT, [1, WIDTH, SIDE, SIDE])


def mobilenet_block():
    g, x = picture("mobilenet_block")
    limits = [g.constant("zero", 0, np.float32), g.constant("six", 6, np.float32)]
    for i, stride in enumerate((1, 2)):
        x = g.node("Clip", [conv(g, x, f"{i}/deep", WIDTH, WIDTH, 3, WIDTH, stride)] + limits, f"{i}/deep/clip")
        x = g.node("Clip", [conv(g, x, f"{i}/wide", WIDTH, WIDTH)] + limits, f"{i}/wide/clip")
    return g, x, [1, WIDTH, SIDE // 2, SIDE // 2]


def resnet_block():
    g, x = picture("resnet_block")
    h = g.node("Relu", [conv(g, x, "first", WIDTH, WIDTH, 3)], "first/relu")
    h = g.node("Add", [conv(g, h, "second", WIDTH, WIDTH, 3), x], "added")
    return g, g.node("Relu", [h], "relu"), [1, WIDTH, SIDE, SIDE]


def regnety_block():
    g, x = picture("regnety_block")
    h = g.node("Relu", [conv(g, x, "first", WIDTH, WIDTH)], "first/relu")
    h = g.node("Relu", [conv(g, h, "grouped", WIDTH, WIDTH, 3, 2)], "grouped/relu")
    mean = g.node("ReduceMean", [h], "mean", axes=[2, 3], keepdims=1)
    gate = g.node("Relu", [conv(g, mean, "squeeze", WIDTH, WIDTH // 4)], "squeeze/relu")
    gate = g.node("Sigmoid", [conv(g, gate, "excite", WIDTH // 4, WIDTH)], "gate")
    h = conv(g, g.node("Mul", [h, gate], "scaled"), "last", WIDTH, WIDTH)
    return g, g.node("Relu", [g.node("Add", [h, x], "added")], "relu"), [1, WIDTH, SIDE, SIDE]


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for block in (swin_block, cswin_block, bert_layer, mobilenet_block, resnet_block, regnety_block):
        g, y, shape = block()
        g.node("Identity", [y], "y")
        g.output("y", TensorProto.FLOAT, shape)
        g.save(os.path.join(folder, f"{g.name}.onnx"))


if __name__ == "__main__":
    main()
