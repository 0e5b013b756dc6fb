"""Graphs of PyTorch as ONNX models, by the exporters of the PyTorch that is installed."""

from __future__ import annotations

import contextlib
import io
import logging
import os
import threading
import warnings
from collections.abc import Iterator, Sequence

import torch

#: In the order in which they are tried. PyTorch is going to drop the one by TorchScript. Before 2.6 the other one was
#: another program, which has each graph compiled again in every call.
EXPORTERS: tuple[str, ...] = ("dynamo", "torchscript")
if tuple(int(part) for part in torch.__version__.split(".")[:2]) < (2, 6):
    EXPORTERS = ("torchscript",)

_LOGGERS = ("onnxscript", "onnx_ir", "torch.onnx", "torch.export")

# Exports of several threads take turns, because an export switches things off for the whole process.
_EXPORTING = threading.Lock()


class ExportError(Exception):
    """An exporter did not make a model of a graph; the text is why, in a line."""


def export(module: torch.nn.Module, arguments: Sequence[torch.Tensor], folder: str, exporter: str) -> str:
    """The path of a model in the folder, with inputs input_0, input_1, .. and without a word on stdout.

    Throws ExportError.
    """
    path = os.path.join(folder, f"{exporter}.onnx")
    names = [f"input_{i}" for i in range(len(arguments))]
    with _EXPORTING, _quiet(), _without_fast_path(), _modes_of(module):
        try:
            torch.onnx.export(
                module, tuple(arguments), path, input_names=names, verbose=False, dynamo=exporter == "dynamo"
            )
        except Exception as error:  # exporters throw whatever their passes do, and ImportError without onnxscript
            raise ExportError(_first_line_of_cause(error)) from error
    return path


@contextlib.contextmanager
def _without_fast_path() -> Iterator[None]:
    """Has modules of attention compute by operators that exporters know: a graph may call them as they are."""
    was_enabled = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)
    try:
        yield
    finally:
        torch.backends.mha.set_fastpath_enabled(was_enabled)


@contextlib.contextmanager
def _modes_of(module: torch.nn.Module) -> Iterator[None]:
    """Restores whether modules train: those in a graph may be the user's, and an exporter has all of them infer."""
    modes = [(part, part.training) for part in module.modules()]
    try:
        yield
    finally:
        for part, mode in modes:
            part.training = mode


def _first_line_of_cause(error: BaseException) -> str:
    """Returns the first error; the errors that wrap it only name the step of the export."""
    while error.__cause__ is not None:
        error = error.__cause__
    return next(iter(str(error).splitlines()), type(error).__name__)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Hides the output, logs and warnings of exporters; the caller gets one warning about the graph."""
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    # The exporter by TorchScript switches on a log of C++ that goes to stdout past Python, and leaves it on.
    switch_log_of_cpp = getattr(torch._C, "_jit_set_onnx_log_enabled", None)
    if switch_log_of_cpp is not None:
        torch._C._jit_set_onnx_log_enabled = lambda _: None
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        if switch_log_of_cpp is not None:
            torch._C._jit_set_onnx_log_enabled = switch_log_of_cpp
        for logger, level in zip(loggers, levels):
            logger.setLevel(level)
