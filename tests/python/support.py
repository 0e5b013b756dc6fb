"""Helpers that the tests of the Python module share."""

import os
import pathlib
import struct
import threading

import tensordsl as td

SOURCE = pathlib.Path(os.environ["TENSORDSL_SOURCE"])


def run_in_threads(work, count):
    """work(0) to work(count - 1) at once, each in a thread of its own."""
    threads = [threading.Thread(target=work, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def devices():
    """Every device of this machine, opened."""
    return [td.Device.open(f"{info.platform_number}:{info.device_number}") for info in td.Device.list()]


def _varint(value):
    low = value & 127
    return bytes([low]) if value < 128 else bytes([low | 128]) + _varint(value >> 7)


def _field(number, value):
    """A field of a message of Protocol Buffers: of a number, a text or bytes."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    data = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _value_info(number, name, type, dimensions):
    """The declaration of an input (11) or output (12) of a graph."""
    shape = b"".join(_field(1, _field(1 if isinstance(d, int) else 2, d)) for d in dimensions)
    return _field(number, _field(1, name) + _field(2, _field(1, _field(1, type) + _field(2, shape))))


def model_of_constant_outputs():
    """The file of an ONNX model of f32: x [2] -> y = -x, full = [3], empty, which has no elements."""

    def node(op, read, written):
        return _field(1, _field(1, read) + _field(2, written) + _field(4, op))

    nodes = node("Neg", "x", "y") + node("Identity", "three", "full") + node("Identity", "nothing", "empty")
    three = _field(5, _field(1, 1) + _field(2, 1) + _field(8, "three") + _field(9, struct.pack("<f", 3)))
    nothing = _field(5, _field(1, 0) + _field(2, 1) + _field(8, "nothing"))
    outputs = _value_info(12, "y", 1, [2]) + _value_info(12, "full", 1, [1]) + _value_info(12, "empty", 1, [0])
    graph = nodes + _field(2, "g") + three + nothing + _value_info(11, "x", 1, [2]) + outputs
    return _field(1, 8) + _field(7, graph) + _field(8, _field(2, 13))


def model_of_range():
    """The file of an ONNX model that counts: n i64 [] -> y i64 [n], y = Range(0, n, 1)."""

    def scalar(name, value):
        return _field(5, _field(2, 7) + _field(7, value) + _field(8, name))

    inputs = b"".join(_field(1, name) for name in ("zero", "n", "one"))
    node = _field(1, inputs + _field(2, "y") + _field(4, "Range"))
    graph = node + _field(2, "g") + scalar("zero", 0) + scalar("one", 1) + _value_info(11, "n", 7, []) + _value_info(12, "y", 7, ["m"])
    return _field(1, 8) + _field(7, graph) + _field(8, _field(2, 13))
