"""Operators of PyTorch that no exporter knows, by operators that they know.

In inference torch.nn's transformers call one operator for a layer, the fast path of multi-head attention. Where
PyTorch looks into modules, that is chosen while the graph is recorded, before a backend is asked, so the graph is
changed.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, Optional

import torch
from torch.nn import functional

_Tensor = torch.Tensor


def _attention(
    query: _Tensor,
    key: _Tensor,
    value: _Tensor,
    embed_dim: int,
    num_heads: int,
    qkv_weight: _Tensor,
    qkv_bias: _Tensor,
    proj_weight: _Tensor,
    proj_bias: _Tensor,
    mask: Optional[_Tensor] = None,
    need_weights: bool = True,
    average_attn_weights: bool = True,
    mask_type: Optional[int] = None,
) -> tuple[_Tensor, Optional[_Tensor]]:
    """torch._native_multi_head_attention: [batch, length, embed_dim]. The mask is true where nothing is attended to: of
    type 0 it is [length, length], of 1 [batch, length], of 2 [batch, heads, length, length]."""
    batch, length, _ = query.shape
    heads = []
    for tensor, weight, bias in zip((query, key, value), qkv_weight.chunk(3), qkv_bias.chunk(3)):
        projected = functional.linear(tensor, weight, bias)
        heads.append(projected.reshape(batch, -1, num_heads, embed_dim // num_heads).transpose(1, 2))
    scores = (heads[0] * (embed_dim // num_heads) ** -0.5) @ heads[1].transpose(-2, -1)
    if mask is not None:
        hidden = mask.to(torch.bool)
        if mask_type == 1:
            hidden = hidden.reshape(batch, 1, 1, -1)
        scores = scores.masked_fill(hidden, float("-inf"))
    weights = functional.softmax(scores, -1)
    joined = (weights @ heads[2]).transpose(1, 2).reshape(batch, length, embed_dim)
    result = functional.linear(joined, proj_weight, proj_bias)
    if not need_weights:
        return result, None
    return result, weights.mean(1) if average_attn_weights else weights


def _encoder_layer(
    src: _Tensor,
    embed_dim: int,
    num_heads: int,
    qkv_weight: _Tensor,
    qkv_bias: _Tensor,
    proj_weight: _Tensor,
    proj_bias: _Tensor,
    use_gelu: bool,
    norm_first: bool,
    eps: float,
    norm_weight_1: _Tensor,
    norm_bias_1: _Tensor,
    norm_weight_2: _Tensor,
    norm_bias_2: _Tensor,
    ffn_weight_1: _Tensor,
    ffn_bias_1: _Tensor,
    ffn_weight_2: _Tensor,
    ffn_bias_2: _Tensor,
    mask: Optional[_Tensor] = None,
    mask_type: Optional[int] = None,
) -> _Tensor:
    """torch._transformer_encoder_layer_fwd."""

    def normalized(x: _Tensor, weight: _Tensor, bias: _Tensor) -> _Tensor:
        return functional.layer_norm(x, (embed_dim,), weight, bias, eps)

    def attended(x: _Tensor) -> _Tensor:
        projections = (embed_dim, num_heads, qkv_weight, qkv_bias, proj_weight, proj_bias)
        return _attention(x, x, x, *projections, mask, False, True, mask_type)[0]

    def fed_forward(x: _Tensor) -> _Tensor:
        hidden = functional.linear(x, ffn_weight_1, ffn_bias_1)
        hidden = functional.gelu(hidden) if use_gelu else functional.relu(hidden)
        return functional.linear(hidden, ffn_weight_2, ffn_bias_2)

    if norm_first:
        x = src + attended(normalized(src, norm_weight_1, norm_bias_1))
        return x + fed_forward(normalized(x, norm_weight_2, norm_bias_2))
    x = normalized(src + attended(src), norm_weight_1, norm_bias_1)
    return normalized(x + fed_forward(x), norm_weight_2, norm_bias_2)


_SLOW_PATHS: dict[Any, Callable[..., Any]] = {
    torch._native_multi_head_attention: _attention,
    torch._transformer_encoder_layer_fwd: _encoder_layer,
}


def without_fast_paths(graph: torch.fx.GraphModule) -> torch.fx.GraphModule:
    """The graph with its parameters; itself if nothing is to be undone."""
    if not any(node.target in _SLOW_PATHS for node in graph.graph.nodes if node.op == "call_function"):
        return graph
    nodes = copy.deepcopy(graph.graph)
    for node in nodes.nodes:
        if node.op == "call_function":
            node.target = _SLOW_PATHS.get(node.target, node.target)
    return torch.fx.GraphModule(graph, nodes)
