"""torch.compile(model, backend="tensordsl"): graphs of PyTorch, exported as ONNX, as kernels of tensordsl.

For inference. Options: torch.compile(model, backend="tensordsl", options={"device": "gpu", "precision": "fp16"}),
which are those of tensordsl.compile. The backend is known to PyTorch where the wheel is installed; elsewhere
`import tensordsl.torch_backend` makes it known.
"""

from __future__ import annotations

import os
import tempfile
import threading
import warnings
import weakref
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


_TYPES = {
    torch.float16,
    torch.float32,
    torch.float64,
    torch.int8,
    torch.int16,
    torch.int32,
    torch.int64,
    torch.uint8,
    torch.bool,
}


def _given_away(graph: torch.fx.GraphModule) -> str:
    """What of the graph its export would get wrong; empty if nothing."""
    for node in graph.graph.nodes:
        name = node.target if isinstance(node.target, str) else getattr(node.target, "__name__", "")
        if name in ("item", "tolist"):
            return "a number is read from a tensor"
        value = node.meta.get("example_value")
        is_tensor = isinstance(value, torch.Tensor)
        if is_tensor and value.dtype not in _TYPES:
            return f"it has tensors of {value.dtype}"
        if is_tensor and name in ("floordiv", "floor_divide", "floor_divide_", "__floordiv__"):
            return "the export of // truncates"
    return ""


class _Compiled:
    """A graph for some shapes, numbers and weights."""

    def __init__(self, model: CompiledModel, outputs: Sequence[Any], weights: Sequence[torch.Tensor]) -> None:
        self.model = model
        self.outputs = outputs
        self._weights = [(weakref.ref(weight), _version_of(weight)) for weight in weights]

    def is_of(self, weights: Sequence[torch.Tensor]) -> bool:
        """Whether these are the weights."""
        return all(kept() is now for (kept, _), now in zip(self._weights, weights))

    def is_usable(self) -> bool:
        """Whether its weights are still there, unchanged."""
        now = [(kept(), version) for kept, version in self._weights]
        return all(weight is not None and version == _version_of(weight) for weight, version in now)


def _version_of(tensor: torch.Tensor) -> int:
    """How often it was changed in place; those made in inference mode do not count that."""
    return 0 if tensor.is_inference() else tensor._version


class _Graph:
    """A graph, compiled anew for each combination of shapes and numbers that it is called with, and where parameters
    were changed. What the export would get wrong is left to PyTorch."""

    def __init__(self, graph: torch.fx.GraphModule, fixed: set[int], options: dict[str, Any]) -> None:
        self._graph = graph
        self._fixed = fixed
        self._options = options
        self._compiled: dict[Any, list[_Compiled]] = {}
        self._lock = threading.Lock()  # a CompiledModel is for one thread at a time
        self._reason = _given_away(graph)
        self._has_told_of_gradients = False

    def __call__(self, *arguments: Any) -> Any:
        if torch.is_grad_enabled() and any(
            isinstance(a, torch.Tensor) and a.requires_grad and not isinstance(a, torch.nn.Parameter)
            for a in arguments
        ):
            raise _t.Error(
                'torch.compile(backend="tensordsl"): an input wants a gradient, and there is none; call the model '
                "under torch.no_grad()"
            )
        if torch.is_grad_enabled() and not self._has_told_of_gradients and self._trains(arguments):
            self._has_told_of_gradients = True
            warnings.warn(
                "tensordsl: results have no gradients, though parameters want them; call the model under "
                "torch.no_grad(), or leave training to another backend",
                stacklevel=2,
            )
        with self._lock:
            compiled = None if self._reason else self._fitting(arguments)
            if compiled is not None:
                return self._run(compiled, arguments)
        warnings.warn(f"tensordsl: a graph is left to PyTorch: {self._reason}", stacklevel=2)
        return self._graph(*arguments)

    def _trains(self, arguments: Sequence[Any]) -> bool:
        tensors = [*arguments, *self._graph.parameters()]
        return any(isinstance(a, torch.nn.Parameter) and a.requires_grad for a in tensors)

    def _run(self, compiled: _Compiled, arguments: Sequence[Any]) -> tuple[Any, ...]:
        given = [a for i, a in enumerate(arguments) if isinstance(a, torch.Tensor) and i not in self._fixed]
        inputs = {f"input_{i}": a.detach().cpu().contiguous().numpy() for i, a in enumerate(given)}
        wanted = {value.name for value in compiled.model.inputs}
        results = compiled.model.run({name: value for name, value in inputs.items() if name in wanted})
        device = next((a.device for a in given), torch.device("cpu"))
        arrays = iter(torch.from_numpy(array).to(device) for array in results.values())
        return tuple(next(arrays) if isinstance(kept, torch.Tensor) else kept for kept in compiled.outputs)

    def _fitting(self, arguments: Sequence[Any]) -> _Compiled | None:
        """None if the graph is left to PyTorch."""
        key = tuple((tuple(a.shape), a.dtype) if isinstance(a, torch.Tensor) else a for a in arguments)
        weights = [arguments[i] for i in sorted(self._fixed)]
        weights += [*self._graph.parameters(), *self._graph.buffers()]
        known = [compiled for compiled in self._compiled.get(key, []) if compiled.is_usable()]
        self._compiled[key] = known
        for compiled in known:
            if compiled.is_of(weights):
                return compiled
        with torch.no_grad():
            outputs = self._tried(arguments)
            if self._reason:
                return None
            model = self._compile(arguments)
        if model is None:
            return None
        known.append(_Compiled(model, outputs, weights))
        return known[-1]

    def _tried(self, arguments: Sequence[Any]) -> list[Any]:
        """What copies of all tensors give; `_reason` says so if that changes one of them."""
        copies = [a.detach().clone() if isinstance(a, torch.Tensor) else a for a in arguments]
        own = {name: t.detach().clone() for name, t in [*self._graph.named_parameters(), *self._graph.named_buffers()]}
        tensors = [t for t in [*copies, *own.values()] if isinstance(t, torch.Tensor)]
        before = [_version_of(t) for t in tensors]
        outputs = list(torch.func.functional_call(self._graph, own, tuple(copies)))
        if before != [_version_of(t) for t in tensors]:
            self._reason = "it changes an input or a buffer in place"
        return outputs

    def _compile(self, arguments: Sequence[Any]) -> CompiledModel | None:
        """None, with the reason, of a graph that cannot be exported, or that has an operator that is not known."""
        constants = {i: a for i, a in enumerate(arguments) if not isinstance(a, torch.Tensor) or i in self._fixed}
        given = [a for i, a in enumerate(arguments) if i not in constants]
        module = _WithConstants(self._graph, constants, len(arguments)).eval()
        try:
            model = _export(module, given)
        except RuntimeError as error:  # those of the exporter too
            self._reason = f"its export as ONNX failed: {_first_line(error)}"
            return None
        try:
            return _compile(model, **self._options)
        except _t.ModelError as error:
            self._reason = _first_line(error)
            return None


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)


def tensordsl(
    graph: torch.fx.GraphModule, inputs: Sequence[Any], options: dict[str, Any] | None = None, mode: str | None = None
) -> Callable[..., Any]:
    """The backend, as torch.compile calls it."""
    if mode not in (None, "default"):
        raise _t.Error(
            f'torch.compile(backend="tensordsl"): there is no mode {mode!r}; what can be chosen is in options'
        )
    fixed = {i for i, value in enumerate(inputs) if _is_fixed(value)}
    return _Graph(graph, fixed, dict(options or {}))


if "tensordsl" not in torch._dynamo.list_backends(exclude_tags=()):
    torch._dynamo.register_backend(tensordsl, name="tensordsl")
