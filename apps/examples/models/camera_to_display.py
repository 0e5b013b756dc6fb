#!/usr/bin/env python3
"""Writes camera_to_display.onnx, the model of camera_to_display.cpp: pictures of 64 x 48 pixels to such
pictures, by two convolutions.

usage: camera_to_display.py [-o FOLDER]
needs: numpy, onnx
"""
import argparse
import os

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

ROWS, COLUMNS, HIDDEN = 48, 64, 8


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("-o", default=os.path.dirname(os.path.abspath(__file__)), metavar="FOLDER")
    folder = parser.parse_args().o
    random = np.random.default_rng(1)

    def weights(name, outputs, inputs):
        values = random.normal(scale=1 / np.sqrt(9 * inputs), size=(outputs, inputs, 3, 3))
        return numpy_helper.from_array(values.astype(np.float32), name)

    nodes = [
        helper.make_node("Conv", ["image", "w1"], ["c1"], name="conv1", pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c1"], ["r1"], name="relu1"),
        helper.make_node("Conv", ["r1", "w2"], ["c2"], name="conv2", pads=[1, 1, 1, 1]),
        helper.make_node("Sigmoid", ["c2"], ["styled"], name="sigmoid"),
    ]
    shape = [1, 3, ROWS, COLUMNS]
    graph = helper.make_graph(
        nodes, "camera_to_display",
        [helper.make_tensor_value_info("image", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("styled", TensorProto.FLOAT, shape)],
        [weights("w1", HIDDEN, 3), weights("w2", 3, HIDDEN)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, os.path.join(folder, "camera_to_display.onnx"))


if __name__ == "__main__":
    main()
