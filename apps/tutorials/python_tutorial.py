# %% [markdown]
# # tensordsl from Python
#
# A notebook as a script: run it as a whole (`python apps/tutorials/python_tutorial.py`), or cell by cell in an editor that
# knows `# %%`. It needs the wheel, or the build's module on PYTHONPATH (docs/PYTHON.md). Names are those of C++, so
# that docs/LANGUAGE.md and docs/SCHEDULES.md tell the rest.

# %%
import os
import pathlib
import sys
import tempfile
import time

import numpy as np

import tensordsl as td

for info in td.Device.list():
    print(f"{info.platform_number}:{info.device_number}  {info.name}")
device = td.Device.open()

# %% [markdown]
# ## What is computed
#
# A Func is defined element by element. Vars are its indices, the last one innermost in memory; an Input is an array
# that the caller gives. `bound` says how much is wanted.

# %%
y, x = td.vars("y x")
image = td.Input("image", np.float32, [480, 640])
blur = td.Func("blur")
blur[y, x] = (image[y, x] + image[y, x + 1] + image[y, x + 2]) / 3
blur.bound([480, 638])

# %% [markdown]
# ## Is it right?
#
# The interpreter computes what the definition says, slowly, and has no opinion of its own.

# %%
picture = np.random.default_rng(1).random((480, 640), np.float32)
wanted = (picture[:, :-2] + picture[:, 1:-1] + picture[:, 2:]) / 3
pipeline = td.Pipeline(blur)
by_definition = pipeline.interpret({"image": picture})[0]
np.testing.assert_allclose(by_definition, wanted, rtol=1e-5)

# %% [markdown]
# ## How it is executed
#
# A schedule cuts loops and hands them out: four neighboring pixels are a vector, a work-group has 16 x 4 work-items.
# It changes speed and not what is computed. Vars may be named by their names.

# %%
blur.split(x, "xo", "xi", 4).vectorize("xi").gpu_tile("xo", y, (16, 4))
print(pipeline.print_loop_nest())
print(pipeline.emit("cl"))
result = pipeline.realize({"image": picture}, device)
np.testing.assert_allclose(result, wanted, rtol=1e-5)

# %% [markdown]
# A directive that cannot be obeyed raises an exception with the remedy.

# %%
try:
    blur.vectorize("z")
except td.ScheduleError as error:
    print(error)

# %% [markdown]
# ## A product of matrices
#
# An update runs once for each point of a reduction domain. `product[y, x] += ...` starts from 0.


# %%
def product_of(n):
    a, b = td.Input("a", np.float32, [n, n]), td.Input("b", np.float32, [n, n])
    k = td.RDom([(0, n)], "k")
    product, out = td.Func("product"), td.Func("out")
    product[y, x] += a[y, k] * b[k, x]
    out[y, x] = td.max(product[y, x], 0)
    out.bound([n, n])
    return product, out, k


N = 256
A, B = np.random.default_rng(2).random((2, N, N), np.float32) - 0.5
reference = np.maximum(A @ B, 0)


def microseconds(out):
    """Of a run, by the device's clock, and whether it is right."""
    runner = td.Pipeline(out).prepare(device)
    runner.write("a", A)
    runner.write("b", B)
    times = [sum(runner.run_timed()) / 1e3 for _ in range(10)]
    np.testing.assert_allclose(runner.read("out"), reference, rtol=1e-3, atol=1e-4)
    return sorted(times)[5]


product, plain, _ = product_of(N)
plain.gpu_blocks(x, y)
print(f"one result for each work-item:      {microseconds(plain):9.0f} us")

# Each work-item computes 4 x 8 results, which stay in four vectors of eight.
product, tiled, k = product_of(N)
tiled.tile(y, x, "yo", "xo", "yi", "xi", 4, 8).unroll("yi").vectorize("xi").gpu_blocks("xo", "yo")
product.compute_at(tiled, "xo").unroll(y).vectorize(x)
product.update().reorder([k[0], y, x]).unroll(y).vectorize(x)
print(f"4 x 8 results for each work-item:   {microseconds(tiled):9.0f} us")

# The library chooses.
product, chosen, _ = product_of(N)
td.Pipeline(chosen).auto_schedule(device).apply(chosen)
print(f"what the library chooses:           {microseconds(chosen):9.0f} us")
print(td.Schedule.of(chosen).to_cpp("schedule"))

# %% [markdown]
# ## Without copies
#
# Arrays that `td.empty` makes are at addresses that every kernel can do with. Bound, they are the kernels' own memory,
# where the device shares the host's.

# %%
runner = td.Pipeline(tiled).prepare(device)
a, b, out = (td.empty([N, N], np.float32) for _ in range(3))
if all(runner.bind(name, array) for name, array in (("a", a), ("b", b), ("out", out))):
    a[:], b[:] = A, B
    runner.run()
    np.testing.assert_allclose(out, reference, rtol=1e-3, atol=1e-4)
else:
    print("the device has memory of its own: write() and read() copy")

# %% [markdown]
# ## A model
#
# An ONNX file, or an `onnx.ModelProto`; `random_weights` stands in for weights whose file is not here. A compiled
# model is called with arrays, and is saved as a package, which `libtensordsl_rt` runs on a phone.

# %%
root = pathlib.Path(os.environ.get("TENSORDSL_SOURCE", "."))
path = root / "models/mobilenet_v1.onnx"
if not path.exists():
    print(f"{path} is not there: run this from the root of the repository for the rest")
    sys.exit()

model = td.compile(path, device, random_weights=True)
print(model.inputs, model.outputs)
picture = td.default_input(model.inputs[0])
scores = model(picture)
begin = time.perf_counter()
model(picture)
print(f"class {scores.argmax()}, {1e3 * (time.perf_counter() - begin):.1f} ms")

with tempfile.TemporaryDirectory() as folder:
    model.save(pathlib.Path(folder) / "mobilenet.tdsl")
    again = td.load(pathlib.Path(folder) / "mobilenet.tdsl", device)
    np.testing.assert_array_equal(again(picture), scores)

# %% [markdown]
# ## PyTorch
#
# `torch.compile(model, backend="tensordsl")` exports graphs as ONNX and runs them here, for inference:
#
#     compiled = torch.compile(model.eval(), backend="tensordsl", options={"precision": "fp16"})
#     with torch.no_grad():
#         compiled(image)
