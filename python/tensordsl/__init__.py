"""Tensor computations as fast OpenCL kernels: the language, its schedules, models and packages.

The classes and functions are those of the C++ headers, with the same names:

    import numpy as np
    import tensordsl as td

    x, y = td.vars("x y")
    image = td.Input("image", np.float32, [480, 640])
    brighter = td.Func("brighter")
    brighter[y, x] = td.min(image[y, x] * 1.5, 255)
    brighter.bound([480, 640]).vectorize(x, 8).gpu_blocks(y)
    result = td.Pipeline(brighter).realize({"image": np.ones((480, 640), np.float32)})
"""

import importlib.util as _util
import pathlib as _pathlib
import sys as _sys

if _util.find_spec(f"{__name__}._tensordsl") is None:
    raise ImportError(
        f"{_pathlib.Path(__file__).parent} has no extension module _tensordsl for Python "
        f"{_sys.version_info.major}.{_sys.version_info.minor}; install the wheel with python3 -m pip install ., or add "
        "the folder python of a build, such as build/release/python, to PYTHONPATH"
    )

from . import _tensordsl as _tensordsl
from ._tensordsl import *  # noqa: F403
from .compiled_model import CompiledModel as CompiledModel
from .compiled_model import compile as compile
from .compiled_model import load as load

# Tracebacks and pickles name exceptions by the module that users import them from.
for _value in vars(_tensordsl).values():
    if isinstance(_value, type) and issubclass(_value, BaseException):
        _value.__module__ = __name__

__all__ = [name for name in _tensordsl.__dict__ if not name.startswith("_")]
__all__ += ["CompiledModel", "compile", "load", "vars"]
__version__ = _tensordsl.version


def vars(names: str) -> "tuple[_tensordsl.Var, ...]":
    """Vars of these names, which blanks or commas part: x, y = vars("x y")."""
    return tuple(_tensordsl.Var(name) for name in names.replace(",", " ").split())
