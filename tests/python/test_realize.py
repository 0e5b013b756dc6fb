"""Running: Params, symbolic sizes, several outputs, the reference, files."""

import pathlib
import tempfile
import unittest

import numpy as np

import support
import tensordsl as td


def scaled():
    """Any number of elements, times a Param."""
    x = td.Var("x")
    n, factor = td.Param("n"), td.Param("factor", "f32")
    a = td.Input("a", np.float32, [n])
    f = td.Func("f")
    f[x] = a[x] * factor
    f.bound([n])
    return td.Pipeline(f)


class Running(unittest.TestCase):
    def test_params_and_sizes_are_given_when_it_runs(self):
        for device in support.devices():
            for n in (1, 3, 17, 1000):
                a = np.arange(n, dtype=np.float32)
                result = scaled().realize({"a": a}, device, {"n": n, "factor": np.float32(0.5)})
                np.testing.assert_array_equal(result, a / 2)

    def test_a_shape_is_given_when_it_runs(self):
        x, y = td.vars("x y")
        f = td.Func("f")
        f[x, y] = x * 10 + y
        self.assertEqual(td.Pipeline(f).realize(shape=[2, 3]).tolist(), [[0, 1, 2], [10, 11, 12]])
        g = td.Func("g")
        g[x] = x
        outputs = td.Pipeline([f, g]).realize_all(shapes={"f": [1, 2], "g": [3]})
        self.assertEqual([o.tolist() for o in outputs], [[[0, 1]], [0, 1, 2]])

    def test_the_reference_agrees(self):
        a = np.arange(9, dtype=np.float32)
        params = {"n": 9, "factor": 3.0}
        pipeline = scaled()
        expected = pipeline.realize({"a": a}, params=params)
        np.testing.assert_array_equal(pipeline.interpret({"a": a}, params)[0], expected)
        np.testing.assert_array_equal(pipeline.simulate({"a": a}, params)[0], expected)
        self.assertEqual(pipeline.value_at("f", [4], {"a": a}, params)[0].item(), 12)

    def test_a_trace_tells_of_elements(self):
        x = td.Var("x")
        f = td.Func("f")
        f[x] = x + 1
        f.bound([2])
        f.trace_stores()
        lines = []
        td.Pipeline(f).interpret(trace=lines.append)
        self.assertEqual(lines, ["store f(0) = 1", "store f(1) = 2"])

        def fails(line):
            raise KeyError(line)

        with self.assertRaises(KeyError):
            td.Pipeline(f).interpret(trace=fails)

    def test_a_runner_runs_many_times(self):
        runner = scaled().prepare(params={"n": 8, "factor": 2})
        self.assertEqual(runner.shape("f"), (8,))
        for i in range(3):
            runner.write("a", np.full(8, i, np.float32))
            runner.run()
            np.testing.assert_array_equal(runner.read("f"), 2 * i)
        runner.set_params({"n": 5})
        self.assertEqual(runner.params, {"n": 5, "factor": 2.0})
        runner.write("a", np.ones(5, np.float32))
        self.assertEqual(len(runner.run_timed()), 1)
        np.testing.assert_array_equal(runner.read("f"), np.full(5, 2))
        with self.assertRaises(td.ShapeError):
            runner.set_params({"n": 9})

    def test_mistakes_have_the_texts_of_the_library(self):
        a = np.zeros(3, np.float32)
        with self.assertRaisesRegex(td.Error, 'the pipeline has no Param "m"; there are "factor", "n"'):
            scaled().realize({"a": a}, params={"n": 3, "factor": 1, "m": 1})
        with self.assertRaisesRegex(td.Error, "n"):
            scaled().realize({"a": a}, params={"n": 1.5, "factor": 1})
        with self.assertRaisesRegex(TypeError, 'the value of "n" is not a number'):
            scaled().realize({"a": a}, params={"n": "3", "factor": 1})
        with self.assertRaisesRegex(td.DeviceError, "nowhere"):
            td.Device.open("nowhere")
        with self.assertRaisesRegex(td.Error, "the pipeline has 2 outputs; use realize_all"):
            f = td.Func("f")
            f[()] = (1, 2)
            td.Pipeline(f).realize()

    def test_constants_become_part_of_the_program(self):
        x = td.Var("x")
        a, b = td.Input("a", "f32", [3]), td.Input("b", "f32", [3])
        f = td.Func("f")
        f[x] = a[x] + b[x]
        f.bound([3])
        pipeline = td.Pipeline(f).set_constant("b", np.array([10, 20, 30], np.float32))
        self.assertEqual([v.name for v in pipeline.compile().inputs], ["a"])
        self.assertEqual(pipeline.realize({"a": [1, 2, 3]}).tolist(), [11, 22, 33])

    def test_a_program_is_written_and_read(self):
        program = scaled().compile()
        self.assertEqual([(v.name, v.dtype, v.shape) for v in program.inputs], [("a", np.float32, ("n",))])
        self.assertEqual(program.params, {"factor": td.Float(32), "n": td.Int(32)})
        with tempfile.TemporaryDirectory() as folder:
            program.write(pathlib.Path(folder) / "program")
            again = td.Program.read(f"{folder}/program")
            self.assertEqual(again.to_json(), program.to_json())
            td.Package(program, "tests").write(pathlib.Path(folder) / "p.tdsl")
            package = td.Package.read(f"{folder}/p.tdsl")
            self.assertEqual(package.made_from, "tests")
            runner = td.Runner(package.program, params={"n": 2, "factor": 4})
            runner.write("a", np.ones(2, np.float32))
            runner.run()
            self.assertEqual(runner.read("f").tolist(), [4, 4])
            (pathlib.Path(folder) / "p.tdsl").write_bytes(b"no package")
            with self.assertRaisesRegex(td.Error, "p.tdsl"):
                td.Package.read(f"{folder}/p.tdsl")

    def test_threads_run_at_once(self):
        device = td.Device.open()
        program = scaled().compile(device)
        wrong = []

        def work(seed):
            runner = td.Runner(program, device, {"n": 50, "factor": seed})
            for i in range(30):
                a = np.full(50, i, np.float32)
                runner.write("a", a)
                runner.run()
                if not np.array_equal(runner.read("f"), a * seed):
                    wrong.append((seed, i))

        support.run_in_threads(work, 4)
        self.assertEqual(wrong, [])

    def test_figures_of_devices_are_there(self):
        self.assertGreaterEqual(td.Target.of(td.Device.open().info).vector_width, 1)
        self.assertEqual(td.HwProfile.load("adreno640").to_json(),
                         td.HwProfile.from_json(td.HwProfile.load("adreno640").to_json()).to_json())  # fmt: skip
        if any(info.backend == "llvm" for info in td.Device.list()):
            self.assertEqual(td.Target.host(), td.Target.of(td.Device.open("host").info))


if __name__ == "__main__":
    unittest.main()
