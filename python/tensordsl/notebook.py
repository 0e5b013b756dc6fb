"""Programs, pipelines and profiles as pages for notebooks: a few tables, and every stage as text."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Sequence
from typing import Any, Union

from . import _tensordsl as _t


def html_of(shown: Union[_t.Pipeline, _t.Program, _t.HwProfile]) -> str:
    """A piece of HTML that needs nothing from elsewhere, and runs nothing."""
    if isinstance(shown, _t.HwProfile):
        return _heading("Hardware profile", shown.device) + _figures(json.loads(shown.to_json()))
    if isinstance(shown, _t.Program):
        return _heading("Program", shown.name) + _program(shown)
    return _pipeline(shown)


def _pipeline(pipeline: _t.Pipeline) -> str:
    page = _heading("Pipeline", repr(pipeline)[len("Pipeline(") : -1])
    stages = _text("definitions", pipeline.emit("funcs")) + _text("schedule", pipeline.schedule.to_cpp("schedule"))
    try:
        program = pipeline.compile()
    except _t.Error as error:  # as while a schedule is being written
        return page + f"<p>It does not compile: {html.escape(str(error))}</p>" + stages
    stages += _text("loops", pipeline.emit("nest")) + _text("lowered", pipeline.emit("ir"))
    return page + _program(program, stages)


def _program(program: _t.Program, stages: str = "") -> str:
    data = json.loads(program.to_json())
    tensors = [
        (
            tensor["name"],
            tensor["kind"],
            f"{tensor['type']} [{', '.join(map(str, tensor['extents']))}]",
            tensor.get("layout"),
            tensor.get("bytes"),
        )
        for tensor in data["tensors"]
    ]
    kernels = [
        (
            kernel["entry"],
            _product(kernel["groups"]),
            _product(kernel["group_size"]),
            kernel["local_bytes"],
            kernel["private_bytes"],
            kernel["flops"],
        )
        for kernel in data["kernels"]
    ]
    return (
        _table("Kernels", ("kernel", "work-groups", "work-items", "local bytes", "private bytes", "flops"), kernels)
        + _table("Tensors", ("tensor", "is", "type", "layout", "bytes"), tensors)
        + stages
        + "".join(_text(f"kernel {kernel.entry}", kernel.text) for kernel in program.kernels)
        + "".join(f"<p>{html.escape(warning)}</p>" for warning in program.warnings)
    )


def _figures(profile: dict[str, Any]) -> str:
    rows = list(_figures_in("", profile))
    return _table("Figures", ("figure", "value", "from", "to"), rows)


def _figures_in(path: str, value: Any) -> Iterable[Sequence[Any]]:
    """Every figure below `value`, by the names on the way to it."""
    if not isinstance(value, dict):
        return
    if "value" in value:
        yield path, value["value"], value.get("low"), value.get("high")
        return
    for name, inner in value.items():
        yield from _figures_in(f"{path}.{name}" if path else name, inner)


def _heading(kind: str, name: str) -> str:
    return f"<h4>{kind} {html.escape(name)}</h4>"


def _product(sizes: Iterable[Any]) -> str:
    return " x ".join(map(str, sizes))


def _text(title: str, text: str) -> str:
    return f"<details><summary>{html.escape(title)}</summary><pre>{html.escape(text)}</pre></details>"


def _table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    head = "".join(f"<th>{html.escape(column)}</th>" for column in columns)
    lines = "".join(
        "<tr>" + "".join(f"<td>{'' if cell is None else html.escape(str(cell))}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    return f"<h5>{html.escape(title)}</h5><table><tr>{head}</tr>{lines}</table>"
