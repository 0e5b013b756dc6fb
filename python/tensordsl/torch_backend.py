"""torch.compile(model, backend="tensordsl"): graphs of PyTorch, exported as ONNX, as kernels of tensordsl.

For inference. Options: torch.compile(model, backend="tensordsl", options={"device": "gpu", "precision": "fp16"}),
which are those of tensordsl.compile. The backend is known to PyTorch where the wheel is installed; elsewhere
`import tensordsl.torch_backend` makes it known.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from typing import Any

import torch

from . import _tensordsl as _t
from .compiled_model import CompiledModel
from .compiled_model import compile as _compile


class _WithConstants(torch.nn.Module):
    """A graph some of whose arguments are known: parameters, which become weights of the ONNX model."""

    def __init__(self, graph: torch.nn.Module, constants: dict[int, Any], count: int) -> None:
        super().__init__()
        self.graph = graph
        self.constants = constants
        self.count = count
        for index, value in constants.items():
            if isinstance(value, torch.Tensor):
                self.register_buffer(f"constant_{index}", value.detach())

    def forward(self, *given: torch.Tensor) -> Any:
        rest = iter(given)
        arguments = []
        for index in range(self.count):
            if index not in self.constants:
                arguments.append(next(rest))
            elif isinstance(self.constants[index], torch.Tensor):
                arguments.append(getattr(self, f"constant_{index}"))
            else:
                arguments.append(self.constants[index])
        # Nothing but tensors is an output of an ONNX model.
        return tuple(value for value in self.graph(*arguments) if isinstance(value, torch.Tensor))


def _export(module: torch.nn.Module, arguments: Sequence[torch.Tensor]) -> bytes:
    names = [f"input_{i}" for i in range(len(arguments))]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "graph.onnx")
        torch.onnx.export(module, tuple(arguments), path, input_names=names, dynamo=False)
        with open(path, "rb") as file:
            return file.read()


def _is_fixed(value: Any) -> bool:
    """Whether it is a parameter or a buffer of a module: the same tensor in every call."""
    return isinstance(value, torch.nn.Parameter) or getattr(value, "_dynamo_static_input_type", None) is not None


class _Graph:
    """A graph, compiled anew for each combination of shapes and numbers that it is called with, and where parameters
    were changed."""

    def __init__(self, graph: torch.nn.Module, fixed: set[int], options: dict[str, Any]) -> None:
        self._graph = graph
        self._fixed = fixed
        self._options = options
        self._compiled: dict[Any, tuple[Any, CompiledModel, list[Any]]] = {}

    def __call__(self, *arguments: Any) -> tuple[Any, ...]:
        if torch.is_grad_enabled() and any(
            isinstance(a, torch.Tensor) and a.requires_grad and not isinstance(a, torch.nn.Parameter)
            for a in arguments
        ):
            raise _t.Error(
                'torch.compile(backend="tensordsl"): an input wants a gradient, and there is none; call the model '
                "under torch.no_grad()"
            )
        key = tuple(
            (tuple(a.shape), a.dtype) if isinstance(a, torch.Tensor) else a for a in arguments
        )
        weights = self._weights(arguments)
        if key not in self._compiled or self._compiled[key][0] != weights:
            self._compiled[key] = (weights, *self._compile(arguments))
        _, model, template = self._compiled[key]
        given = [a for i, a in enumerate(arguments) if isinstance(a, torch.Tensor) and i not in self._fixed]
        inputs = {f"input_{i}": a.detach().cpu().contiguous().numpy() for i, a in enumerate(given)}
        wanted = {value.name for value in model.inputs}
        results = model.run({name: value for name, value in inputs.items() if name in wanted})
        device = next((a.device for a in given), torch.device("cpu"))
        arrays = iter(torch.from_numpy(array).to(device) for array in results.values())
        return tuple(next(arrays) if isinstance(kept, torch.Tensor) else kept for kept in template)

    def _weights(self, arguments: Sequence[Any]) -> tuple[tuple[int, int], ...]:
        """Which tensors the parameters are, and how often they were changed in place."""
        own = [*self._graph.parameters(), *self._graph.buffers()]
        return tuple((id(value), value._version) for value in [*(arguments[i] for i in sorted(self._fixed)), *own])

    def _compile(self, arguments: Sequence[Any]) -> tuple[CompiledModel, list[Any]]:
        constants = {
            i: a for i, a in enumerate(arguments) if not isinstance(a, torch.Tensor) or i in self._fixed
        }
        given = [a for i, a in enumerate(arguments) if i not in constants]
        with torch.no_grad():
            outputs = self._graph(*arguments)
            module = _WithConstants(self._graph, constants, len(arguments)).eval()
            model = _compile(_export(module, given), **self._options)
        return model, list(outputs)


def tensordsl(
    graph: torch.fx.GraphModule, inputs: Sequence[Any], options: dict[str, Any] | None = None
) -> Callable[..., Any]:
    """The backend, as torch.compile calls it."""
    fixed = {i for i, value in enumerate(inputs) if _is_fixed(value)}
    return _Graph(graph, fixed, dict(options or {}))


if "tensordsl" not in torch._dynamo.list_backends(exclude_tags=()):
    torch._dynamo.register_backend(tensordsl, name="tensordsl")
