"""Stands in for PyTorch where it is not installed: as much as tensordsl.torch_backend needs, on NumPy, with exporters
that a test writes."""

import contextlib
import sys
import types
from typing import NamedTuple

import numpy


class Device(NamedTuple):
    type: str


class Tensor:
    def __init__(self, array):
        self.array = numpy.asarray(array)
        self.device = Device("cpu")
        self.dtype = DTYPES[str(self.array.dtype)]
        self.shape = self.array.shape
        self.requires_grad = False
        self._version = 0

    def is_inference(self):
        return False

    def clone(self):
        return Tensor(self.array.copy())

    def numpy(self):
        return self.array

    def detach(self, *_):
        return self

    cpu = contiguous = to = detach


class DType:
    def __init__(self, name):
        self.name = name
        self.is_floating_point = name.startswith("float")

    def __str__(self):
        return f"torch.{self.name}"


NAMES = ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "bool")
DTYPES = {name: DType(name) for name in NAMES}


class Module:
    def __init__(self):
        self.training = True

    def __call__(self, *arguments):
        return self.forward(*arguments)

    def register_buffer(self, name, value):
        setattr(self, name, value)

    def modules(self):
        return [self]

    def parameters(self):
        return []

    buffers = named_parameters = named_buffers = parameters


class Node:
    meta = {}

    def __init__(self, op, name, arguments=(), before=()):
        self.op, self.name, self.target, self.args, self.all_input_nodes = op, name, name, arguments, list(before)


class Graph(Module):
    """A recorded graph of one node, which computes `function`; `models` are what the exporters make of it: a model of
    ONNX or an exception, each by the exporter's name."""

    def __init__(self, function, models, node="computed"):
        super().__init__()
        self.forward = lambda *arguments: (function(*arguments),)
        self.models = models
        made = Node("call_function", node)
        output = Node("output", "output", ((made,),), [made])
        self.graph = types.SimpleNamespace(nodes=[made, output])
        self.exported_by = []
        self.exported_with_fast_path = False


class Mha:
    """The switch of attention's fast path."""

    is_enabled = True

    def get_fastpath_enabled(self):
        return self.is_enabled

    def set_fastpath_enabled(self, is_enabled):
        self.is_enabled = is_enabled


mha = Mha()


def export(module, arguments, path, *, input_names, verbose, dynamo):
    name = "dynamo" if dynamo else "torchscript"
    print("PyTorch prints", name)
    module.graph.exported_by.append(name)
    module.graph.exported_with_fast_path |= mha.is_enabled
    model = module.graph.models[name]
    if isinstance(model, Exception):
        raise model
    with open(path, "wb") as file:
        file.write(model.SerializeToString())


class Generator:
    """The state of the random number generator."""

    def __init__(self):
        self.drawn = 0

    def get(self):
        return self.drawn

    def set(self, drawn):
        self.drawn = drawn


generator = Generator()


def install():
    """Makes `import torch` this one."""
    torch = types.ModuleType("torch")
    torch.__version__ = "2.6.0"
    torch.Tensor = Tensor
    torch.nn = types.SimpleNamespace(Module=Module, Parameter=type("Parameter", (), {}), functional=None)
    torch.fx = types.SimpleNamespace(GraphModule=Graph)
    torch.func = types.SimpleNamespace(functional_call=lambda graph, own, arguments: graph(*arguments))
    torch.onnx = types.SimpleNamespace(export=export)
    torch.backends = types.SimpleNamespace(mha=mha)
    torch.no_grad = contextlib.nullcontext
    torch.is_grad_enabled = lambda: False
    torch.from_numpy = Tensor
    torch.device = Device
    torch.equal = lambda a, b: a == b
    torch.get_rng_state, torch.set_rng_state = generator.get, generator.set
    torch._native_multi_head_attention = torch._transformer_encoder_layer_fwd = None
    torch._C = types.SimpleNamespace()
    torch._dynamo = types.SimpleNamespace(list_backends=lambda **_: [], register_backend=lambda *_, **__: None)
    for name, dtype in DTYPES.items():
        setattr(torch, name, dtype)
    sys.modules.update({"torch": torch, "torch.nn": torch.nn})
