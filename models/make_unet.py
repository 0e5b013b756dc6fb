#!/usr/bin/env python3
"""Writes unet.onnx: a small U-Net as diffusion models have it.

A step in time becomes an embedding of sines and cosines that every block adds. GroupNormalization is Reshape,
InstanceNormalization, Reshape, Mul and Add, as exporters write it; SiLU is Sigmoid and Mul. Two levels go down by
strided convolutions, the bottom one has self-attention; up it goes by ConvTranspose, then by Resize, and Concat brings
what was on the way down.

usage: make_unet.py [unet.onnx]
needs: numpy, onnx
"""
import sys

import numpy as np
from onnx import TensorProto
from onnx_graph import Graph

CHANNELS, SIZE, WIDTH, GROUPS, HEADS = 4, 32, 32, 8, 4
TIME = 4 * WIDTH


def silu(g, x, name):
    return g.node("Mul", [x, g.node("Sigmoid", [x], f"{name}/sigmoid")], name)


def conv(g, x, name, inputs, outputs, kernel=3, stride=1):
    weights = [g.weight(f"{name}.weight", [outputs, inputs, kernel, kernel]), g.weight(f"{name}.bias", [outputs])]
    return g.node("Conv", [x] + weights, name, kernel_shape=[kernel] * 2, strides=[stride] * 2, pads=[kernel // 2] * 4)


def group_norm(g, x, name, channels):
    shape = g.node("Shape", [x], f"{name}/shape")
    grouped = g.node("Reshape", [x, g.ints([0, GROUPS, -1])], f"{name}/grouped")
    plain = [g.constant("ones", np.ones(GROUPS), np.float32), g.constant("zeros", np.zeros(GROUPS), np.float32)]
    normal = g.node("InstanceNormalization", [grouped] + plain, f"{name}/normal", epsilon=1e-5)
    back = g.node("Reshape", [normal, shape], f"{name}/back")
    scaled = g.node("Mul", [back, g.weight(f"{name}.weight", [channels, 1, 1])], f"{name}/scaled")
    return g.node("Add", [scaled, g.weight(f"{name}.bias", [channels, 1, 1])], name)


def gemm(g, x, name, inputs, outputs):
    weights = [g.weight(f"{name}.weight", [outputs, inputs]), g.weight(f"{name}.bias", [outputs])]
    return g.node("Gemm", [x] + weights, name, transB=1)


def time_embedding(g, step):
    rates = np.exp(-np.log(10000) * np.arange(WIDTH // 2) / (WIDTH // 2))
    number = g.node("Cast", [step], "time/cast", to=TensorProto.FLOAT)
    column = g.node("Unsqueeze", [number, g.ints([1])], "time/column")
    angles = g.node("Mul", [column, g.constant("time/rates", rates[None], np.float32)], "time/angles")
    waves = [g.node("Sin", [angles], "time/sin"), g.node("Cos", [angles], "time/cos")]
    hidden = gemm(g, g.node("Concat", waves, "time/waves", axis=1), "time/in", WIDTH, TIME)
    return silu(g, gemm(g, silu(g, hidden, "time/silu"), "time/out", TIME, TIME), "time")


def block(g, x, time, name, inputs, outputs):
    h = conv(g, silu(g, group_norm(g, x, f"{name}/norm1", inputs), f"{name}/silu1"), f"{name}/conv1", inputs, outputs)
    shift = g.node("Unsqueeze", [gemm(g, time, f"{name}/time", TIME, outputs), g.ints([2, 3])], f"{name}/shift")
    h = g.node("Add", [h, shift], f"{name}/shifted")
    h = conv(g, silu(g, group_norm(g, h, f"{name}/norm2", outputs), f"{name}/silu2"), f"{name}/conv2", outputs, outputs)
    same = x if inputs == outputs else conv(g, x, f"{name}/same", inputs, outputs, kernel=1)
    return g.node("Add", [same, h], name)


def attention(g, x, name, channels, size):
    flat = g.node("Reshape", [group_norm(g, x, f"{name}/norm", channels), g.ints([0, channels, -1])], f"{name}/flat")
    rows = g.node("Transpose", [flat], f"{name}/rows", perm=[0, 2, 1])
    heads = []
    for part, order in (("q", [0, 2, 1, 3]), ("k", [0, 2, 3, 1]), ("v", [0, 2, 1, 3])):
        wide = g.linear(rows, f"{name}/{part}", channels, channels)
        split = g.node("Reshape", [wide, g.ints([0, -1, HEADS, channels // HEADS])], f"{name}/{part}/split")
        heads.append(g.node("Transpose", [split], f"{name}/{part}/heads", perm=order))
    scale = g.constant("scale_of_head", 1 / np.sqrt(channels // HEADS), np.float32)
    scores = g.node("Mul", [g.node("MatMul", heads[:2], f"{name}/scores"), scale], f"{name}/scaled")
    mixed = g.node("MatMul", [g.node("Softmax", [scores], f"{name}/shares", axis=-1), heads[2]], f"{name}/mixed")
    joined = g.node("Transpose", [mixed], f"{name}/joined", perm=[0, 2, 1, 3])
    joined = g.node("Reshape", [joined, g.ints([0, -1, channels])], f"{name}/joined_rows")
    out = g.node("Transpose", [g.linear(joined, f"{name}/out", channels, channels)], f"{name}/columns", perm=[0, 2, 1])
    image = g.node("Reshape", [out, g.ints([0, channels, size, size])], f"{name}/image")
    return g.node("Add", [x, image], name)


def main():
    g = Graph("unet")
    x = g.input("sample", TensorProto.FLOAT, [1, CHANNELS, SIZE, SIZE])
    time = time_embedding(g, g.input("timestep", TensorProto.INT64, [1]))
    first = conv(g, x, "first", CHANNELS, WIDTH)
    top = block(g, first, time, "top", WIDTH, WIDTH)
    middle = block(g, conv(g, top, "down1", WIDTH, WIDTH, stride=2), time, "middle", WIDTH, 2 * WIDTH)
    x = block(g, conv(g, middle, "down2", 2 * WIDTH, 2 * WIDTH, stride=2), time, "bottom1", 2 * WIDTH, 2 * WIDTH)
    x = block(g, attention(g, x, "attention", 2 * WIDTH, SIZE // 4), time, "bottom2", 2 * WIDTH, 2 * WIDTH)
    up = [g.weight("up1.weight", [2 * WIDTH, WIDTH, 2, 2]), g.weight("up1.bias", [WIDTH])]
    x = g.node("ConvTranspose", [x] + up, "up1", kernel_shape=[2, 2], strides=[2, 2])
    x = block(g, g.node("Concat", [x, middle], "join1", axis=1), time, "up_middle", 3 * WIDTH, WIDTH)
    doubled = g.node("Resize", [x, "", g.constant("scales", [1, 1, 2, 2], np.float32)], "doubled", mode="nearest",
                     coordinate_transformation_mode="asymmetric", nearest_mode="floor")
    x = conv(g, doubled, "up2", WIDTH, WIDTH)
    x = block(g, g.node("Concat", [x, top], "join2", axis=1), time, "up_top", 2 * WIDTH, WIDTH)
    conv(g, silu(g, group_norm(g, x, "last_norm", WIDTH), "last_silu"), "noise", WIDTH, CHANNELS)
    g.output("noise", TensorProto.FLOAT, [1, CHANNELS, SIZE, SIZE])
    g.save(sys.argv[1] if len(sys.argv) > 1 else "unet.onnx")


if __name__ == "__main__":
    main()
