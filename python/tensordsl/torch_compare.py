"""Compares the results of a graph with those of PyTorch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy

#: Limits, by the coarsest type that a graph computes in, of how far a result may be off, as a share of the larger of
#: its own size and its tensor's root mean square. Sums of a thousand terms in another order differ by 1024 units in the
#: last place; those of halves are added up in f32 by both, and each of some 32 layers rounds once.
LIMITS = {"float64": 1024 * 2.0**-52, "float32": 1024 * 2.0**-23, "float16": 32 * 2.0**-10}

#: Integers that are made of floats, as by argmax or rounding, may have one in 1000 on the other side of a threshold.
_SHARE_AT_THRESHOLDS = 1e-3


class Expected(NamedTuple):
    """An output as PyTorch computes it."""

    name: str  #: of the node that makes it
    value: numpy.ndarray
    comes_of_floats: bool  #: some value that it is made of is a float


def difference(found: Sequence[numpy.ndarray], expected: Sequence[Expected], limit: float) -> str:
    """Says in what the results differ; empty if they agree."""
    if len(found) != len(expected):
        return f"it has {len(found)} outputs instead of {len(expected)}"
    for index, (array, wanted) in enumerate(zip(found, expected)):
        text = _difference_of(array, wanted, limit)
        if text:
            return f"output {index} ({wanted.name}) {text}"
    return ""


def _difference_of(found: numpy.ndarray, expected: Expected, limit: float) -> str:
    value = expected.value
    if (found.dtype, found.shape) != (value.dtype, value.shape):
        return f"is {found.dtype} {list(found.shape)} instead of {value.dtype} {list(value.shape)}"
    is_float = value.dtype.kind == "f"
    differs = _is_far(found, value, limit) if is_float else found != value
    count = int(numpy.count_nonzero(differs))
    if count <= (_SHARE_AT_THRESHOLDS * value.size if expected.comes_of_floats and not is_float else 0):
        return ""
    at = tuple(int(i) for i in numpy.argwhere(differs)[0])
    return f"differs in {count} of {value.size} values: {found[at]} instead of {value[at]} at {list(at)}"


def _is_far(found: numpy.ndarray, expected: numpy.ndarray, limit: float) -> numpy.ndarray:
    """Marks where they differ by more than the limit. A NaN equals a NaN, and an infinity equals only itself."""
    a, b = found.astype(numpy.float64), expected.astype(numpy.float64)
    finite = numpy.abs(b[numpy.isfinite(b)])
    largest = float(finite.max(initial=0))
    scale = largest * float(numpy.sqrt(numpy.mean(numpy.square(finite / largest)))) if largest > 0 else 0.0
    with numpy.errstate(invalid="ignore"):
        is_near = numpy.abs(a - b) <= limit * numpy.maximum(numpy.abs(b), scale)
    is_same = (a == b) | (numpy.isnan(a) & numpy.isnan(b))
    return ~(is_same | (is_near & numpy.isfinite(a) & numpy.isfinite(b)))
