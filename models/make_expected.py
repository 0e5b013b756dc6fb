#!/usr/bin/env python3
"""Writes what ONNX Runtime makes of a model here, in float32 on the CPU, with the weights and input of its names.

usage: make_expected.py NAME.onnx NAME.expected.npz [--dim sequence=7]...
needs: numpy, onnx, onnxruntime
"""
import argparse
import os
import tempfile

import numpy as np
import onnxruntime
from fill_weights import add_dim_option, fill


def main() -> None:
    args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    args.add_argument("model")
    args.add_argument("expected")
    add_dim_option(args)
    args = args.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        stem = fill(args.model, folder, args.dim)
        session = onnxruntime.InferenceSession(os.path.join(folder, stem + ".onnx"), providers=["CPUExecutionProvider"])
        inputs = dict(np.load(os.path.join(folder, stem + ".input.npz")))
        names = [output.name for output in session.get_outputs()]
        np.savez_compressed(args.expected, **dict(zip(names, session.run(names, inputs))))


if __name__ == "__main__":
    main()
