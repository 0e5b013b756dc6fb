"""torch.compile(model, backend="tensordsl"): graphs of PyTorch, exported as ONNX, as kernels of tensordsl.

For inference. Options: torch.compile(model, backend="tensordsl", options={"device": "gpu", "precision": "fp16"}),
which are those of tensordsl.compile. The backend is known to PyTorch where the wheel is installed; elsewhere
`import tensordsl.torch_backend` makes it known.
"""

from __future__ import annotations

import tempfile
import threading
import warnings
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy
import torch

from . import _tensordsl as _t
from .compiled_model import CompiledModel
from .compiled_model import compile as _compile
from .torch_compare import Expected, difference
from .torch_export import EXPORTERS, ExportError, export
from .torch_graph import comes_of_floats, is_wrong_in_onnx, limit_of, why_left
from .torch_slow_paths import without_fast_paths


class _WithConstants(torch.nn.Module):
    """A graph some of whose arguments are known: parameters, which become weights of the ONNX model."""

    def __init__(self, graph: torch.nn.Module, constants: dict[int, Any], count: int) -> None:
        super().__init__()
        self.training = False  # of this one alone: modules in the graph are the user's
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


def _is_fixed(value: Any) -> bool:
    """True of a parameter or a buffer of a module: the same tensor in every call."""
    return isinstance(value, torch.nn.Parameter) or getattr(value, "_dynamo_static_input_type", None) is not None


def _states_of_generators(devices: Iterable[torch.device]) -> list[tuple[Any, torch.Tensor]]:
    """Returns the state of each random generator, of the processor and of these devices, with its setter."""
    states: list[tuple[Any, torch.Tensor]] = [(torch.set_rng_state, torch.get_rng_state())]
    for device in devices:
        if device.type in ("cuda", "xpu"):
            of_kind = getattr(torch, device.type)
            states.append((lambda state, d=device, k=of_kind: k.set_rng_state(state, d), of_kind.get_rng_state(device)))
    return states


_COMPUTED = object()

#: Models that a graph keeps at most, each with memory of its own: PyTorch itself compiles a function 8 times at most, and
#: takes what changes from call to call for dynamic then, so that a graph is called with many shapes.
_MOST_COMPILED = 32


def _key_of(argument: Any) -> Any:
    """Returns a key that distinguishes arguments that are compiled separately: 1, True and 1.0 are equal, and so are 0.0 and -0.0."""
    if isinstance(argument, torch.Tensor):
        return tuple(argument.shape), argument.dtype
    return type(argument), repr(argument) if isinstance(argument, (float, complex)) else argument


class _Compiled:
    """A graph for some shapes, numbers and weights."""

    def __init__(self, model: CompiledModel, outputs: Sequence[Any], weights: Sequence[torch.Tensor]) -> None:
        """`outputs`: of PyTorch; those that are not tensors are the same in every call."""
        self.model = model
        self.outputs = [_COMPUTED if isinstance(output, torch.Tensor) else output for output in outputs]
        self._weights = [(weakref.ref(weight), _version_of(weight)) for weight in weights]

    def is_of(self, weights: Sequence[torch.Tensor]) -> bool:
        """True if these are its weights."""
        return all(kept() is now for (kept, _), now in zip(self._weights, weights))

    def is_usable(self) -> bool:
        """True if its weights are still there, unchanged."""
        now = [(kept(), version) for kept, version in self._weights]
        return all(weight is not None and version == _version_of(weight) for weight, version in now)


def _version_of(tensor: torch.Tensor) -> int:
    """How often it was changed in place; those made in inference mode do not count that."""
    return 0 if tensor.is_inference() else tensor._version


class _Graph:
    """A graph, compiled anew for each combination of shapes and numbers that it is called with, and where parameters
    were changed. What its model would compute otherwise than PyTorch does is left to PyTorch."""

    def __init__(self, graph: torch.fx.GraphModule, fixed: set[int], options: dict[str, Any]) -> None:
        self._graph = graph
        self._fixed = fixed
        self._options = options
        self._compiled: dict[Any, list[_Compiled]] = {}
        self._lock = threading.Lock()  # a CompiledModel is for one thread at a time
        self._reason = why_left(graph)
        self._has_told = False
        self._has_told_of_gradients = False

    def __call__(self, *arguments: Any) -> Any:
        if torch.is_grad_enabled() and any(
            isinstance(a, torch.Tensor) and a.requires_grad and not isinstance(a, torch.nn.Parameter)
            for a in arguments
        ):
            raise _t.Error(
                'torch.compile(backend="tensordsl"): an input requires a gradient, which it does not compute; '
                "call the model under torch.no_grad()"
            )
        if torch.is_grad_enabled() and not self._has_told_of_gradients and self._trains(arguments):
            self._has_told_of_gradients = True
            warnings.warn(
                "tensordsl: results have no gradients, although parameters require them; call the model under "
                "torch.no_grad(), or train with another backend",
                stacklevel=2,
            )
        with self._lock:
            compiled = None if self._reason else self._fitting(arguments)
            if compiled is not None:
                return self._run(compiled, arguments)
            has_told, self._has_told = self._has_told, True
        if not has_told:
            warnings.warn(f"tensordsl: a graph falls back to PyTorch: {self._reason}", stacklevel=2)
        return self._graph(*arguments)

    def _trains(self, arguments: Sequence[Any]) -> bool:
        tensors = [*arguments, *self._graph.parameters()]
        return any(isinstance(a, torch.nn.Parameter) and a.requires_grad for a in tensors)

    def _run(self, compiled: _Compiled, arguments: Sequence[Any]) -> tuple[Any, ...]:
        given = self._inputs_among(arguments)
        results = _run_model(compiled.model, given)
        device = next((a.device for a in given), torch.device("cpu"))
        arrays = iter(torch.from_numpy(array).to(device) for array in results)
        return tuple(next(arrays) if kept is _COMPUTED else kept for kept in compiled.outputs)

    def _fitting(self, arguments: Sequence[Any]) -> _Compiled | None:
        """None if the graph is left to PyTorch."""
        key = tuple(_key_of(argument) for argument in arguments)
        weights = [arguments[i] for i in sorted(self._fixed)]
        weights += [*self._graph.parameters(), *self._graph.buffers()]
        known = [compiled for compiled in self._compiled.pop(key, []) if compiled.is_usable()]
        self._compiled[key] = known  # as the one that was used last
        for compiled in known:
            if compiled.is_of(weights):
                return compiled
        with torch.no_grad():
            outputs = self._tried(arguments)
            model = None if self._reason else self._agreeing(arguments, outputs)
        if model is None:
            return None
        known.append(_Compiled(model, outputs, weights))
        self._drop_all_but_the_last()
        return known[-1]

    def _drop_all_but_the_last(self) -> None:
        """Drops the least recently used graphs, and those whose weights no longer exist."""
        for key, known in list(self._compiled.items()):
            known[:] = [compiled for compiled in known if compiled.is_usable()]
            if not known:
                del self._compiled[key]
        while sum(map(len, self._compiled.values())) > _MOST_COMPILED:
            oldest = next(iter(self._compiled))
            self._compiled[oldest].pop(0)
            if not self._compiled[oldest]:
                del self._compiled[oldest]

    def _inputs_among(self, arguments: Sequence[Any]) -> list[torch.Tensor]:
        return [a for i, a in enumerate(arguments) if isinstance(a, torch.Tensor) and i not in self._fixed]

    def _tried(self, arguments: Sequence[Any]) -> list[Any]:
        """Returns what PyTorch computes of copies of all tensors; `_reason` says so if that changes one of them, or if
        random numbers were drawn. Those that are drawn here are drawn again."""
        copies = [a.detach().clone() if isinstance(a, torch.Tensor) else a for a in arguments]
        own = {name: t.detach().clone() for name, t in [*self._graph.named_parameters(), *self._graph.named_buffers()]}
        tensors = [t for t in [*copies, *own.values()] if isinstance(t, torch.Tensor)]
        devices = {t.device for t in tensors}
        versions, states = [_version_of(t) for t in tensors], _states_of_generators(devices)
        outputs = list(torch.func.functional_call(self._graph, own, tuple(copies)))
        if versions != [_version_of(t) for t in tensors]:
            self._reason = "it changes an input or a buffer in place"
        for (restore, before), (_, after) in zip(states, _states_of_generators(devices)):
            if not torch.equal(before, after):
                self._reason = "it draws random numbers, which would be others than PyTorch's"
                restore(before)
        return outputs

    def _agreeing(self, arguments: Sequence[Any], outputs: Sequence[Any]) -> CompiledModel | None:
        """The model of the first exporter whose results are PyTorch's `outputs`. None, with the reason, if none's are,
        as where a graph cannot be exported or has an operator that is not known."""
        constants = {i: a for i, a in enumerate(arguments) if not isinstance(a, torch.Tensor) or i in self._fixed}
        module = _WithConstants(without_fast_paths(self._graph), constants, len(arguments))
        given = self._inputs_among(arguments)
        expected = self._expected(outputs)
        parameters = [a for a in [*arguments, *self._graph.parameters()] if isinstance(a, torch.Tensor)]
        limit = limit_of(self._graph, parameters, bool(self._options.get("allow_narrowing")))
        differences, failures = [], []
        with tempfile.TemporaryDirectory() as folder:
            for exporter in EXPORTERS:
                wrong = is_wrong_in_onnx(self._graph, exporter)
                if wrong:
                    differences.append(wrong)
                    continue
                try:
                    path = export(module, given, folder, exporter)
                    exact = _compile(path, **{**self._options, **_EXACT})
                    found = difference(_run_model(exact, given), expected, limit)
                    if not found:
                        is_exact = all(self._options.get(name, value) == value for name, value in _EXACT.items())
                        return exact if is_exact else _compile(path, **self._options)
                    differences.append(f"{found}, if it is exported as ONNX")
                except ExportError as error:
                    failures.append(f"its export as ONNX failed: {error}")
                except _t.ModelError as error:
                    failures.append(str(error).removeprefix(f"{path}: ").split("; supported: ")[0])
        self._reason = [*differences, *failures][0]
        return None

    def _expected(self, outputs: Sequence[Any]) -> list[Expected]:
        """The tensors among the outputs, with the nodes that they come from."""
        results = next(node for node in self._graph.graph.nodes if node.op == "output").args[0]
        return [
            Expected(node.name, output.detach().cpu().numpy(), comes_of_floats(node))
            for node, output in zip(results, outputs)
            if isinstance(output, torch.Tensor)
        ]


#: Options of the model that is compared with PyTorch: none that makes it less exact, and no schedule is timed for it.
_EXACT = {"precision": "fp32", "weights": "model", "trials": 0}


def _run_model(model: CompiledModel, given: Sequence[torch.Tensor]) -> list[numpy.ndarray]:
    """Its outputs; an exporter leaves out inputs that nothing reads."""
    arrays = {f"input_{i}": tensor.detach().cpu().contiguous().numpy() for i, tensor in enumerate(given)}
    wanted = {value.name for value in model.inputs}
    return list(model.run({name: array for name, array in arrays.items() if name in wanted}).values())


def tensordsl(
    graph: torch.fx.GraphModule, inputs: Sequence[Any], options: dict[str, Any] | None = None, mode: str | None = None
) -> Callable[..., Any]:
    """The backend, as torch.compile calls it."""
    if mode not in (None, "default"):
        raise _t.Error(
            f'torch.compile(backend="tensordsl"): unsupported mode {mode!r}; use options instead'
        )
    fixed = {i for i, value in enumerate(inputs) if _is_fixed(value)}
    return _Graph(graph, fixed, dict(options or {}))


if "tensordsl" not in torch._dynamo.list_backends(exclude_tags=()):
    torch._dynamo.register_backend(tensordsl, name="tensordsl")
