#!/usr/bin/env python3
"""Writes transformer.onnx: a small decoder, of any batch and length, as exporters write it.

Tokens are embedded by Gather, positions counted by Range; two blocks have causal attention with a mask for padding
(tokens below 100), four heads, and a GELU of Erf. Shapes are computed from the input's while the model runs.

usage: make_transformer.py [transformer.onnx]
needs: numpy, onnx
"""
import sys

import numpy as np
from onnx import TensorProto
from onnx_graph import Graph

VOCABULARY, POSITIONS, WIDTH, HEADS, HIDDEN, BLOCKS = 1000, 256, 64, 4, 256, 2
FIRST_WORD = 100  # tokens below it are padding


def norm(g, x, name):
    weights = [g.weight(f"{name}.weight", [WIDTH]), g.weight(f"{name}.bias", [WIDTH])]
    return g.node("LayerNormalization", [x] + weights, name, axis=-1, epsilon=1e-5)


def mask(g, ids):
    """bool [batch, 1, sequence, sequence]: which key a query sees."""
    length = g.node("Squeeze", [g.extent(ids, 1, "mask/length"), g.ints([0])], "mask/count")
    places = g.node("Range", [g.ints(0), length, g.ints(1)], "mask/places")
    rows = g.node("Unsqueeze", [places, g.ints([1])], "mask/rows")
    causal = g.node("LessOrEqual", [places, rows], "mask/causal")
    word = g.node("GreaterOrEqual", [ids, g.ints(FIRST_WORD)], "mask/words")
    word = g.node("Unsqueeze", [word, g.ints([1, 2])], "mask/keys")
    return g.node("And", [causal, word], "mask"), places


def attention(g, x, seen, name):
    batch, length = g.extent(x, 0, f"{name}/batch"), g.extent(x, 1, f"{name}/length")
    wide = g.linear(x, f"{name}/qkv", WIDTH, 3 * WIDTH)
    parts = g.node("Split", [wide, g.ints([WIDTH] * 3)], f"{name}/parts", outputs=3, axis=-1)
    heads = []
    for part, order in zip(parts, ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3])):
        split = g.reshape(part, [batch, length, HEADS, WIDTH // HEADS], f"{part}/split")
        heads.append(g.node("Transpose", [split], f"{part}/heads", perm=order))
    scores = g.node("MatMul", heads[:2], f"{name}/scores")
    scale = g.constant("root_of_head", np.sqrt(WIDTH // HEADS), np.float32)
    scaled = g.node("Div", [scores, scale], f"{name}/scaled")
    hidden = g.constant("hidden", -1e4, np.float32)
    masked = g.node("Where", [seen, scaled, hidden], f"{name}/masked")
    shares = g.node("Softmax", [masked], f"{name}/shares", axis=-1)
    mixed = g.node("MatMul", [shares, heads[2]], f"{name}/mixed")
    rows = g.node("Transpose", [mixed], f"{name}/rows", perm=[0, 2, 1, 3])
    return g.linear(g.reshape(rows, [batch, length, WIDTH], f"{name}/joined"), f"{name}/out", WIDTH, WIDTH)


def gelu(g, x, name):
    by_root = g.node("Div", [x, g.constant("root_of_two", np.sqrt(2), np.float32)], f"{name}/by_root")
    erf = g.node("Erf", [by_root], f"{name}/erf")
    shifted = g.node("Add", [erf, g.constant("one", 1, np.float32)], f"{name}/shifted")
    return g.node("Mul", [g.node("Mul", [x, shifted], f"{name}/twice"), g.constant("half", 0.5, np.float32)], name)


def main():
    g = Graph("transformer")
    ids = g.input("input_ids", TensorProto.INT64, ["batch", "sequence"])
    seen, places = mask(g, ids)
    words = g.node("Gather", [g.weight("words.weight", [VOCABULARY, WIDTH]), ids], "words")
    positions = g.node("Gather", [g.weight("positions.weight", [POSITIONS, WIDTH]), places], "positions")
    x = g.node("Add", [words, positions], "embedded")
    for block in range(BLOCKS):
        name = f"block{block}"
        mixed = attention(g, norm(g, x, f"{name}/norm1"), seen, f"{name}/attention")
        x = g.node("Add", [x, mixed], f"{name}/mixed")
        inner = gelu(g, g.linear(norm(g, x, f"{name}/norm2"), f"{name}/wide", WIDTH, HIDDEN), f"{name}/gelu")
        x = g.node("Add", [x, g.linear(inner, f"{name}/narrow", HIDDEN, WIDTH)], f"{name}/done")
    g.node("Identity", [norm(g, x, "norm")], "states")
    g.output("states", TensorProto.FLOAT, ["batch", "sequence", WIDTH])
    last = g.node("Gather", ["states", g.ints(-1)], "last", axis=1)
    g.linear(last, "scores", WIDTH, VOCABULARY)
    g.output("scores", TensorProto.FLOAT, ["batch", VOCABULARY])
    g.save(sys.argv[1] if len(sys.argv) > 1 else "transformer.onnx")


if __name__ == "__main__":
    main()
