#!/usr/bin/env python3
"""Writes own_operators.onnx, the model of own_operators.cpp: a convolution, and two operators that ONNX
does not have, as an exporter writes them.

usage: own_operators.py [-o FOLDER]
needs: numpy, onnx
"""
import argparse
import os

import numpy as np
import onnx
from onnx import helper

DOMAIN = "com.example"


def model() -> onnx.ModelProto:
    o, i, k = np.indices((4, 2, 3))
    weights = ((o + 2 * i - k) / 8).astype(np.float32)
    alpha = (1 + np.arange(4) / 4).astype(np.float32)
    nodes = [
        helper.make_node("Conv", ["x", "weights"], ["filtered"], "conv", pads=[1, 1]),
        helper.make_node("Snake", ["filtered", "alpha"], ["bent"], "snake", domain=DOMAIN),
        helper.make_node("BlurPool", ["bent"], ["y"], "blur_pool", domain=DOMAIN, stride=2),
    ]
    graph = helper.make_graph(
        nodes,
        "own_operators",
        [helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, ["batch", 2, 33])],
        [helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, ["batch", 4, 17])],
        [onnx.numpy_helper.from_array(weights, "weights"), onnx.numpy_helper.from_array(alpha, "alpha")],
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(DOMAIN, 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("-o", default=".", metavar="FOLDER")
    onnx.save(model(), os.path.join(parser.parse_args().o, "own_operators.onnx"))


if __name__ == "__main__":
    main()
