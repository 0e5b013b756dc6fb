"""Reads of a graph that PyTorch has recorded what its export needs to know."""

from __future__ import annotations

from collections.abc import Iterable

import torch

from .torch_compare import LIMITS

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

# Functions whose export is wrong for some values only, so that a comparison with PyTorch's results may not show it.
_WRONG_FOR_SOME_VALUES = {
    "dynamo": dict.fromkeys(("sign", "sign_"), "gives NaN for NaN, where PyTorch gives 0"),
    "torchscript": {
        **dict.fromkeys(("sign", "sign_"), "gives NaN for NaN, where PyTorch gives 0"),
        **dict.fromkeys(("floordiv", "floor_divide", "floor_divide_", "__floordiv__"), "truncates"),
        **dict.fromkeys(("index_put", "index_put_", "index_add", "index_add_"), "adds once where indices repeat"),
    },
}


def why_left(graph: torch.fx.GraphModule) -> str:
    """Says why no exporter can make a model of it; empty if one may."""
    for node in graph.graph.nodes:
        if _function_of(node) in ("item", "tolist"):
            return "a number is read from a tensor"
        for tensor in _tensors_of(node):
            if tensor.dtype not in _TYPES:
                return f"it has tensors of {tensor.dtype}"
    return ""


def is_wrong_in_onnx(graph: torch.fx.GraphModule, exporter: str) -> str:
    """Says in what the exporter's model would differ for some values; empty if nothing is known."""
    wrong = _WRONG_FOR_SOME_VALUES[exporter]
    for node in graph.graph.nodes:
        function = _function_of(node)
        if function in wrong and _tensors_of(node):
            return f"the export of {function} {wrong[function]}"
    return ""


def limit_of(graph: torch.fx.GraphModule, tensors: Iterable[torch.Tensor], may_narrow: bool) -> float:
    """Returns how far results may be off, by the coarsest type that the graph and its parameters have. `may_narrow`:
    f64 may be computed in f32."""
    types = {tensor.dtype for node in graph.graph.nodes for tensor in _tensors_of(node)}
    types |= {tensor.dtype for tensor in tensors}
    names = {str(type).removeprefix("torch.") for type in types} - ({"float64"} if may_narrow else set())
    return max((LIMITS[name] for name in names if name in LIMITS), default=LIMITS["float32"])


def comes_of_floats(node: torch.fx.Node) -> bool:
    """True if it, or something that it is made of, is a float."""
    seen, waiting = {node}, [node]
    while waiting:
        one = waiting.pop()
        if any(tensor.dtype.is_floating_point for tensor in _tensors_of(one)):
            return True
        fresh = [before for before in one.all_input_nodes if before not in seen]
        seen.update(fresh)
        waiting += fresh
    return False


def _tensors_of(node: torch.fx.Node) -> list[torch.Tensor]:
    """Examples of what the node gives, as PyTorch has recorded them."""
    value = node.meta.get("example_value")
    values = value if isinstance(value, (tuple, list)) else [value]
    return [example for example in values if isinstance(example, torch.Tensor)]


def _function_of(node: torch.fx.Node) -> str:
    return node.target if isinstance(node.target, str) else getattr(node.target, "__name__", "")
