#!/usr/bin/env python3
"""Writes gpt.onnx: a small decoder that keeps its keys and values, of the kind of GPT-NeoX and Pythia.

A run takes `sequence` tokens behind the `past` ones whose keys and values it is given, and gives those of all of them:
past_key_0 [batch, heads, past, head] and present_key_0 [batch, heads, past + sequence, head]. Positions are
rotary, over a quarter of each head. Attention and the two products behind it are beside each other in a block. Shapes are
computed from the inputs' while the model runs, as exporters write it.

usage: make_gpt.py [gpt.onnx]
needs: numpy, onnx
"""
import sys

import numpy as np
from onnx import TensorProto
from onnx_graph import Graph

VOCABULARY, WIDTH, HEADS, HIDDEN, BLOCKS = 1000, 128, 4, 512, 3
HEAD = WIDTH // HEADS
ROTARY = HEAD // 4


def norm(g, x, name):
    weights = [g.weight(f"{name}.weight", [WIDTH]), g.weight(f"{name}.bias", [WIDTH])]
    return g.node("LayerNormalization", [x] + weights, name, axis=-1, epsilon=1e-5)


def positions(g, tokens):
    """i64 [sequence, 1] of the queries, i64 [past + sequence] of the keys."""
    past = g.extent("past_key_0", 2, "past")
    new = g.extent(tokens, 1, "sequence")
    ends = [g.node("Squeeze", [size, g.ints([0])], f"{size}/count") for size in (past, new)]
    total = g.node("Add", ends, "total")
    queries = g.node("Range", [ends[0], total, g.ints(1)], "queries")
    return g.node("Unsqueeze", [queries, g.ints([1])], "rows"), g.node("Range", [g.ints(0), total, g.ints(1)], "keys")


def waves(g, rows):
    """cos and sin [sequence, rotary] of the angles of each position."""
    frequencies = 10000.0 ** (-np.arange(0, ROTARY, 2) / ROTARY)
    number = g.node("Cast", [rows], "rotary/positions", to=TensorProto.FLOAT)
    angles = g.node("Mul", [number, g.constant("frequencies", [np.tile(frequencies, 2)], np.float32)], "rotary/angles")
    return g.node("Cos", [angles], "rotary/cos"), g.node("Sin", [angles], "rotary/sin")


def part(g, x, begin, end, name):
    return g.node("Slice", [x, g.ints([begin]), g.ints([end]), g.ints([3])], name)


def rotated(g, x, turn, name):
    """x cos + (-x2, x1) sin of the first columns of each head, and the others as they are."""
    turned, kept = part(g, x, 0, ROTARY, f"{name}/turned"), part(g, x, ROTARY, HEAD, f"{name}/kept")
    low = part(g, turned, 0, ROTARY // 2, f"{name}/low")
    high = g.node("Neg", [part(g, turned, ROTARY // 2, ROTARY, f"{name}/high")], f"{name}/negative")
    swapped = g.node("Concat", [high, low], f"{name}/swapped", axis=-1)
    by_cos = g.node("Mul", [turned, turn[0]], f"{name}/by_cos")
    by_sin = g.node("Mul", [swapped, turn[1]], f"{name}/by_sin")
    return g.node("Concat", [g.node("Add", [by_cos, by_sin], f"{name}/sum"), kept], name, axis=-1)


def attention(g, x, block, turn, seen, name):
    batch, length = g.extent(x, 0, f"{name}/batch"), g.extent(x, 1, f"{name}/length")
    wide = g.linear(x, f"{name}/qkv", WIDTH, 3 * WIDTH)
    split = g.reshape(wide, [batch, length, HEADS, 3 * HEAD], f"{name}/split")
    heads = g.node("Transpose", [split], f"{name}/heads", perm=[0, 2, 1, 3])
    query, key, value = (part(g, heads, i * HEAD, (i + 1) * HEAD, f"{name}/{what}")
                         for i, what in enumerate(("query", "key", "value")))
    query, key = rotated(g, query, turn, f"{name}/query_turned"), rotated(g, key, turn, f"{name}/key_turned")
    keys = g.node("Concat", [f"past_key_{block}", key], f"present_key_{block}", axis=2)
    values = g.node("Concat", [f"past_value_{block}", value], f"present_value_{block}", axis=2)
    scores = g.node("MatMul", [query, g.node("Transpose", [keys], f"{name}/columns", perm=[0, 1, 3, 2])], f"{name}/scores")
    scaled = g.node("Mul", [scores, g.constant("scale", 1 / np.sqrt(HEAD), np.float32)], f"{name}/scaled")
    masked = g.node("Where", [seen, scaled, g.constant("hidden", np.finfo(np.float32).min, np.float32)], f"{name}/masked")
    shares = g.node("Softmax", [masked], f"{name}/shares", axis=-1)
    mixed = g.node("MatMul", [shares, values], f"{name}/mixed")
    rows = g.node("Transpose", [mixed], f"{name}/rows", perm=[0, 2, 1, 3])
    return g.linear(g.reshape(rows, [batch, length, WIDTH], f"{name}/joined"), f"{name}/out", WIDTH, WIDTH)


def gelu(g, x, name):
    by_root = g.node("Div", [x, g.constant("root_of_two", np.sqrt(2), np.float32)], f"{name}/by_root")
    shifted = g.node("Add", [g.node("Erf", [by_root], f"{name}/erf"), g.constant("one", 1, np.float32)], f"{name}/shifted")
    return g.node("Mul", [g.node("Mul", [x, shifted], f"{name}/twice"), g.constant("half", 0.5, np.float32)], name)


def main():
    g = Graph("gpt")
    tokens = g.input("tokens", TensorProto.INT64, ["batch", "sequence"])
    for block in range(BLOCKS):
        for what in ("key", "value"):
            g.input(f"past_{what}_{block}", TensorProto.FLOAT, ["batch", HEADS, "past", HEAD])
    rows, keys = positions(g, tokens)
    seen = g.node("LessOrEqual", [keys, rows], "seen")
    turn = waves(g, rows)
    x = g.node("Gather", [g.weight("words.weight", [VOCABULARY, WIDTH]), tokens], "words")
    for block in range(BLOCKS):
        name = f"block{block}"
        mixed = attention(g, norm(g, x, f"{name}/norm1"), block, turn, seen, f"{name}/attention")
        inner = gelu(g, g.linear(norm(g, x, f"{name}/norm2"), f"{name}/wide", WIDTH, HIDDEN), f"{name}/gelu")
        narrow = g.linear(inner, f"{name}/narrow", HIDDEN, WIDTH)
        x = g.node("Add", [g.node("Add", [mixed, narrow], f"{name}/both"), x], f"{name}/done")
    g.node("MatMul", [norm(g, x, "norm"), g.weight("scores.weight", [WIDTH, VOCABULARY])], "scores")
    g.output("scores", TensorProto.FLOAT, ["batch", "sequence", VOCABULARY])
    for block in range(BLOCKS):
        for what in ("key", "value"):
            g.output(f"present_{what}_{block}", TensorProto.FLOAT, ["batch", HEADS, "past + sequence", HEAD])
    g.save(sys.argv[1] if len(sys.argv) > 1 else "gpt.onnx")


if __name__ == "__main__":
    main()
