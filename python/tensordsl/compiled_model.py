"""Models and packages, ready to run on arrays."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Union

import numpy
from numpy.typing import ArrayLike

from . import _tensordsl as _t
from .notebook import html_of

_Path = Union[str, "os.PathLike[str]"]

_PRECISIONS = {"fp32": _t.Precision.Float32, "fp16": _t.Precision.Float16}
_WEIGHTS = {
    "model": _t.WeightPrecision.Model,
    "int8": _t.WeightPrecision.Int8,
    "int4": _t.WeightPrecision.Int4,
}


class CompiledModel:
    """A Program on a device. It is called with arrays, in the order of the inputs or by their names.

    Calls from several threads run one after the other. Sizes that the model leaves open are taken from the arrays:
    memory is taken for the largest that came, and anew where one is larger.
    """

    def __init__(
        self,
        program: _t.Program,
        device: _t.Device | None = None,
        params: Mapping[str, float] | None = None,
        *,
        package: _t.Package | None = None,
    ) -> None:
        """`params`: the values of Params that do not follow from the shapes of inputs; those of states are the maximum
        that a state holds. Kernels are built at once if every Param has a value, else at the first run."""
        self._program = program
        self._package = package or _t.Package(program)
        self._device = device if device is not None else _t.Device.open()
        self._package.offer_to(self._device)
        self._given = dict(params or {})
        self._check_params(self._given)
        self._lock = threading.RLock()
        self._runner: _t.Runner | None = None
        if set(program.params) <= set(self._given):
            self._runner = _t.Runner(program, self._device, self._given)

    @property
    def program(self) -> _t.Program:
        """The Program that runs, as data."""
        return self._program

    @property
    def device(self) -> _t.Device:
        """Where it runs."""
        return self._device

    @property
    def inputs(self) -> list[_t.Value]:
        """Names, types and shapes, in order."""
        return self._program.inputs

    @property
    def outputs(self) -> list[_t.Value]:
        """Names, types and shapes, in order."""
        return self._program.outputs

    @property
    def runner(self) -> _t.Runner:
        """The Runner of the last run. Throws Error before the first, if sizes are open."""
        if self._runner is None:
            names = ", ".join(sorted(set(self._program.params) - set(self._given)))
            raise _t.Error(f"runner: the sizes {names} are not known before the first run; pass them as params")
        return self._runner

    def __call__(self, *arrays: ArrayLike, **named: ArrayLike) -> Any:
        """The outputs of a run: one array, or a tuple of them."""
        inputs = self.inputs
        if any(isinstance(array, Mapping) for array in arrays):
            raise TypeError("found a mapping in place of an array; pass it to run(), or as keywords with **")
        if len(arrays) > len(inputs):
            raise TypeError(f"found {len(arrays)} arrays, but the model has {_count_text(len(inputs), 'input')}")
        given = {value.name: array for value, array in zip(inputs, arrays)}
        for name, array in named.items():
            if name in given:
                raise TypeError(f"the input {name!r} is given twice")
            given[name] = array
        results = tuple(self.run(given).values())
        return results[0] if len(results) == 1 else results

    def run(
        self, inputs: Mapping[str, ArrayLike], params: Mapping[str, float] | None = None
    ) -> dict[str, numpy.ndarray]:
        """The outputs of a run by their names. `params`: for this run and later ones."""
        self._check_params(params or {})
        arrays = self._arrays_of(inputs)
        sizes = self._sizes_of(arrays)
        with self._lock:
            runner = self._fitting_runner({**sizes, **(params or {})})
            for name, array in arrays.items():
                runner.write(name, array)
            runner.run()
            return {output.name: runner.read(output.name) for output in self.outputs}

    def save(self, place: _Path) -> None:
        """Writes a package: one file if the name ends in ".tdsl", else a folder."""
        self._package.write(place)

    def clear_states(self) -> None:
        """Resets the states to their values before the first run."""
        with self._lock:
            if self._runner is not None:
                self._runner.clear_states()

    def __reduce__(self) -> tuple[Any, ...]:
        # A copy of it runs on the device of that name, as kernels are for that kind, and has no states yet.
        info = self._device.info
        return _restored, (self._package, "host" if info.backend == "llvm" else info.name, self._given)

    def _repr_html_(self) -> str:
        return html_of(self._program)

    def __repr__(self) -> str:
        return f"CompiledModel({self._program.name!r}, {self._device!r})"

    def _arrays_of(self, inputs: Mapping[str, ArrayLike]) -> dict[str, numpy.ndarray]:
        known = {value.name: value for value in self.inputs}
        for name in inputs:
            if name not in known:
                names = ", ".join(f'"{n}"' for n in known)
                raise _t.Error(f'the program has no input "{name}"; its inputs are {names}')
        if not self._program.has_states:
            for name in known:
                if name not in inputs:
                    raise _t.Error(f'no value for the input "{name}"; pass one')
        arrays = {}
        for name, value in inputs.items():
            if value is None:
                raise TypeError(f'the input "{name}" is None; pass an array')
            arrays[name] = _t.as_array(value, known[name].type)
        return arrays

    def _sizes_of(self, arrays: Mapping[str, numpy.ndarray]) -> dict[str, float]:
        """The Params that follow from the extents of inputs."""
        params = self._program.params
        sizes: dict[str, float] = {}
        for value in self.inputs:
            array = arrays.get(value.name)
            if array is None:
                continue  # the Runner says what is wrong
            if len(value.shape) != array.ndim:
                raise _t.ShapeError(
                    f"the input \"{value.name}\" has {len(value.shape)} dimensions, {_shape_text(value.shape)}, but "
                    f"the array has {array.ndim}, {_shape_text(array.shape)}"
                )
            # The Runner, which refuses these too, would show the sizes of the last run.
            differs = any(isinstance(e, int) and e != size for e, size in zip(value.shape, array.shape))
            if differs and array.dtype == value.type.dtype:
                raise _t.ShapeError(
                    f'the input "{value.name}" is {value.type} {_shape_text(value.shape)}, but the array is '
                    f"{value.type} {_shape_text(array.shape)}"
                )
            for extent, size in zip(value.shape, array.shape):
                if extent not in params:
                    continue
                if sizes.setdefault(str(extent), size) != size:
                    raise _t.ShapeError(
                        f'the input "{value.name}" has {size} for "{extent}", but another has {sizes[str(extent)]:g}'
                    )
        shapes = {name: array.shape for name, array in arrays.items()}
        known = {**self._given, **sizes}
        inferred = _t.params_of_shapes(self._program, shapes, known)
        return {**sizes, **{name: size for name, size in inferred.items() if name not in known}}

    def _check_params(self, given: Mapping[str, float]) -> None:
        params = self._program.params
        for name in given:
            if name not in params:
                known = ", ".join(f'"{param}"' for param in params) or "none"
                raise _t.Error(f'params: the model has no Param "{name}"; it has {known}')

    def _fitting_runner(self, sizes: Mapping[str, float]) -> _t.Runner:
        wanted = {**self._given, **sizes}
        if self._runner is not None and not sizes:
            return self._runner
        if self._runner is not None:
            now = self._runner.params
            if all(now.get(name) == size for name, size in sizes.items()):
                return self._runner
            try:
                self._runner.set_params(sizes)
                return self._runner
            except _t.ShapeError:
                if self._program.has_states:
                    raise
        self._runner = _t.Runner(self._program, self._device, wanted)
        return self._runner


def compile(
    model: Any,
    device: _t.Device | str | None = None,
    *,
    precision: Literal["fp32", "fp16"] = "fp32",
    weights: Literal["model", "int8", "int4"] = "model",
    profile: _t.HwProfile | str | None = None,
    params: Mapping[str, float] | None = None,
    dims: Mapping[str, int] | None = None,
    states: Mapping[str, str] | None = None,
    constants: Mapping[str, ArrayLike] | None = None,
    inputs: Mapping[str, ArrayLike] | None = None,
    trials: int = 0,
    random_weights: bool = False,
    allow_narrowing: bool = False,
    optimizations: _t.Optimizations | None = None,
) -> CompiledModel:
    """An ONNX model for a device: the path of its file, an onnx.ModelProto, or the bytes of one.

    `device`: a Device or what Device.open takes. `precision`: how tensors are stored. `weights`: how those of
    products are. `profile`: what schedules go by, a name or a file. `params`: values of symbolic dimensions, or
    `dims`, which fixes them. `states`: outputs by the inputs whose next values they are. `constants`: values
    of inputs that become constants. `inputs`: inputs as they will be given, from which come sizes and values that the
    model has to know. `trials`: so many schedules are timed on the device, and the fastest are taken. `random_weights`:
    weights whose external file is absent get values. `allow_narrowing`: f64 is computed in f32 on a device that has no f64.
    """
    for name, value, known in (("precision", precision, _PRECISIONS), ("weights", weights, _WEIGHTS)):
        if value not in known:
            raise _t.Error(f"compile: {name} is {value!r}; expected {', '.join(map(repr, known))}")
    if trials < 0:
        raise _t.Error(f"compile: trials is {trials}; it must not be negative")
    opened = _opened(device)
    options = dict(
        random_weights=random_weights,
        dims=dict(dims or {}),
        states=dict(states or {}),
        constants={} if constants is None else constants,
        inputs={} if inputs is None else inputs,
        allow_narrowing=allow_narrowing,
    )
    loaded = _load_model(model, options)
    _check_given(loaded, inputs or {})

    def target(ask_driver: bool) -> _t.CompileTarget:
        return _t.CompileTarget(
            opened,
            _t.HwProfile.load(profile) if isinstance(profile, str) else profile,
            _PRECISIONS[precision],
            _WEIGHTS[weights],
            optimizations or _t.Optimizations(),
            ask_driver=ask_driver,
        )

    def compiled(ask_driver: bool) -> CompiledModel:
        if trials:
            program = loaded.autoschedule(opened, target(ask_driver), trials)
        else:
            program = loaded.compile(target(ask_driver))
        made_from = os.path.basename(os.fspath(model)) if isinstance(model, (str, os.PathLike)) else ""
        package = _t.Package(program, made_from, opened.info.name)
        return CompiledModel(program, opened, params, package=package)

    try:
        return compiled(False)
    except _t.WorkGroupError:
        return compiled(True)


def load(
    place: _Path, device: _t.Device | str | None = None, params: Mapping[str, float] | None = None
) -> CompiledModel:
    """A package that compile(...).save or the command line tool has written: its file or folder."""
    package = _t.Package.read(place)
    opened = _opened(device)
    return CompiledModel(package.program, opened, params, package=package)


def _restored(package: _t.Package, device: str, params: Mapping[str, float]) -> CompiledModel:
    return CompiledModel(package.program, _t.Device.open(device), params, package=package)


def _check_given(model: _t.Model, given: Mapping[str, ArrayLike]) -> None:
    """Throws ShapeError unless `inputs` of compile() fit the types and shapes of the model's inputs."""
    sizes: dict[str, int] = {}
    for value in model.inputs:
        if value.name not in given:
            continue
        array = _t.as_array(given[value.name], value.type)
        found = f"{_t.Type(array.dtype)} {_shape_text(array.shape)}"
        text = f'compile: the input "{value.name}" is {value.type} {_shape_text(value.shape)}, and inputs has {found}'
        if array.dtype != value.type.dtype:
            raise _t.ShapeError(f"{text}; convert it with .astype(np.{value.type.dtype.name})")
        fits = len(value.shape) == array.ndim
        for extent, size in zip(value.shape, array.shape):
            fits = fits and (size == extent if isinstance(extent, int) else sizes.setdefault(extent, size) == size)
        if not fits:
            known = "".join(f"; {name} is {size}" for name, size in sizes.items() if name in value.shape)
            raise _t.ShapeError(text + known)


def _count_text(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _shape_text(shape: Sequence[Any]) -> str:
    return f"[{', '.join(str(extent) for extent in shape)}]"


def _opened(device: _t.Device | str | None) -> _t.Device:
    return device if isinstance(device, _t.Device) else _t.Device.open(device or "")


def _load_model(model: Any, options: Mapping[str, Any]) -> _t.Model:
    if isinstance(model, (str, os.PathLike)):
        return _t.Model.load(model, **options)
    data = model.SerializeToString() if hasattr(model, "SerializeToString") else model
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(
            f"compile: the model is a {type(model).__name__}; pass a path, an onnx.ModelProto, or its bytes"
        )
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.onnx")
        with open(path, "wb") as file:
            file.write(data)
        try:
            return _t.Model.load(path, **options)
        except _t.Error as error:
            raise type(error)(str(error).replace(path, "the model")) from None
