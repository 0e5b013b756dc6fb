"""Puts an ONNX graph together node by node, as the scripts make_*.py in this folder do it.

Large weights are external and not stored: fill_weights.py and `tensordsl run --random-weights` make them from their
names. Every tensor's name follows from its step, so the same script writes the same bytes.
"""
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET = 17


class Graph:
    def __init__(self, name):
        self.name = name
        self.nodes, self.initializers, self.inputs, self.outputs = [], [], [], []
        self.weights_bytes = 0

    def input(self, name, kind, shape):
        self.inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return name

    def output(self, name, kind, shape):
        self.outputs.append(helper.make_tensor_value_info(name, kind, shape))

    def node(self, op, inputs, name, outputs=1, **attributes):
        """The name of its output, or the names of its outputs."""
        names = [name] if outputs == 1 else [f"{name}.{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(op, inputs, names, name=f"{name}/{op}", **attributes))
        return names[0] if outputs == 1 else names

    def constant(self, name, value, dtype=None):
        """In the file. Of the same name it is the same constant."""
        if all(t.name != name for t in self.initializers):
            self.initializers.append(numpy_helper.from_array(np.asarray(value, dtype), name))
        return name

    def ints(self, values):
        text = "_".join(str(v) for v in np.atleast_1d(values))
        return self.constant(f"ints_{'list_' if np.ndim(values) else ''}{text}", values, np.int64)

    def weight(self, name, shape):
        """Of float32, not in the file."""
        length = 4 * int(np.prod(shape))
        tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=shape, data_location=TensorProto.EXTERNAL)
        place = {"location": f"{self.name}.weights.bin", "offset": self.weights_bytes, "length": length}
        for key, value in place.items():
            tensor.external_data.add(key=key, value=str(value))
        self.weights_bytes += (length + 63) // 64 * 64
        self.initializers.append(tensor)
        return name

    def linear(self, x, name, columns_in, columns_out):
        product = self.node("MatMul", [x, self.weight(f"{name}.weight", [columns_in, columns_out])], f"{name}/product")
        return self.node("Add", [product, self.weight(f"{name}.bias", [columns_out])], name)

    def extent(self, x, axis, name):
        """Of one dimension, as a list of one number, as exporters write it."""
        shape = self.node("Shape", [x], f"{name}/shape")
        extent = self.node("Gather", [shape, self.ints(axis)], f"{name}/extent", axis=0)
        return self.node("Unsqueeze", [extent, self.ints([0])], name)

    def reshape(self, x, extents, name):
        """`extents`: numbers, and names of lists of one number."""
        parts = [e if isinstance(e, str) else self.ints([e]) for e in extents]
        shape = self.node("Concat", parts, f"{name}/shape", axis=0)
        return self.node("Reshape", [x, shape], name)

    def save(self, path):
        graph = helper.make_graph(self.nodes, self.name, self.inputs, self.outputs, self.initializers)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8,
                                  producer_name="tensordsl")
        with open(path, "wb") as file:
            file.write(model.SerializeToString(deterministic=True))
