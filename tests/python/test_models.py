"""tensordsl.compile and load: ONNX models and packages on arrays."""

import pathlib
import re
import tempfile
import unittest

import numpy as np

import support
import tensordsl as td

MOBILENET = support.SOURCE / "models/mobilenet_v1.onnx"
TRANSFORMER = support.SOURCE / "models/transformer.onnx"


def expected_of(name):
    return np.load(support.SOURCE / "models" / f"{name}.expected.npz")


class Models(unittest.TestCase):
    def test_a_network_has_the_expected_scores_on_every_device(self):
        expected = expected_of("mobilenet_v1")
        for device in support.devices():
            model = td.compile(MOBILENET, device, random_weights=True)
            arrays = {v.name: td.default_input(v) for v in model.inputs}
            for name, value in model.run(arrays).items():
                np.testing.assert_allclose(value, expected[name], rtol=1e-3, atol=1e-3 * np.abs(expected[name]).max())
        scores = model(*arrays.values())
        self.assertEqual(scores.shape, model.outputs[0].shape)
        self.assertEqual(repr(model.inputs[0]).count("f32"), 1)

    def test_a_model_says_what_it_takes_and_gives(self):
        model = td.Model.load(MOBILENET, random_weights=True)
        x, y = model.inputs[0], model.outputs[0]
        self.assertEqual(
            repr(model), f"Model({x.name}: f32 (1, 3, 224, 224) -> {y.name}: f32 ({', '.join(map(str, y.shape))}))"
        )

    def test_an_array_of_another_type_is_refused_with_the_remedy(self):
        model = td.Model.load(MOBILENET, random_weights=True)
        name = model.inputs[0].name
        with self.assertRaisesRegex(td.ShapeError, rf'"{name}" is f32, but the array is f64; convert it with \.astype'):
            model.interpret({name: np.zeros((1, 3, 224, 224))})

    def test_interpret_gives_constant_outputs_too(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "constants.onnx"
            path.write_bytes(support.model_of_constant_outputs())
            x = np.array([1, -2], np.float32)
            expected = {"y": [-1, 2], "full": [3], "empty": []}
            values = td.Model.load(path).interpret({"x": x})
            self.assertEqual({name: values[name].tolist() for name in expected}, expected)
            compiled = td.compile(path, "host")
            self.assertEqual({name: value.tolist() for name, value in compiled.run({"x": x}).items()}, expected)

    def test_a_package_is_not_taken_for_a_model(self):
        with tempfile.TemporaryDirectory() as folder:
            compiled = td.compile(support.model_of_constant_outputs(), "host")
            for place in ("m.tdsl", "m"):
                path = pathlib.Path(folder) / place
                compiled.save(path)
                text = rf"{re.escape(str(path))}: this is a package, a model that is compiled already; .*tensordsl\.load\(\)"
                for call in (td.compile, td.Model.load):
                    with self.assertRaisesRegex(td.ModelError, text):
                        call(path)

    def test_inputs_give_the_values_that_a_model_has_to_know(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "count.onnx"
            path.write_bytes(support.model_of_range())
            with self.assertRaisesRegex(td.ModelError, "--constant n=VALUE"):
                td.Model.load(path)
            given = {"n": np.array(5)}
            model = td.Model.load(path, inputs=given)
            self.assertEqual(model.overridden, ["n"])
            self.assertEqual(len(model.warnings), 1)
            np.testing.assert_array_equal(td.compile(path, inputs=given)(), np.arange(5))
            np.testing.assert_array_equal(td.compile(path, constants=given)(), np.arange(5))

    def test_inputs_of_compile_fit_the_model(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "count.onnx"
            path.write_bytes(support.model_of_range())
            np.testing.assert_array_equal(td.compile(path, inputs={"n": 5})(), np.arange(5))
            np.testing.assert_array_equal(td.compile(path, inputs={"n": 5.0})(), np.arange(5))

            def says(kind, text, model=path, **options):
                with self.assertRaisesRegex(kind, text):
                    td.compile(model, **options)

            says(TypeError, "inputs: expected a mapping such as a dict, found list", inputs=[np.array(5)])
            says(td.ModelError, "the model has no input 'q', but an array is given", inputs={"q": 5})
            says(td.ModelError, 'inputs: "n" is also among the constants', inputs={"n": 5}, constants={"n": 5})
            says(td.ModelError, r"'n' is i64; .* f64\[\]; convert it with \.astype\(np\.int64\)", inputs={"n": np.array(5.0)})
            says(td.ModelError, "5.5, which is not a whole number", inputs={"n": 5.5})
            says(td.ModelError, "9223372036854775808, which is out of the range of i64", constants={"n": 2**63})
        name = td.Model.load(MOBILENET, random_weights=True).inputs[0].name
        start = f'compile: the input "{name}" is f32 \\[1, 3, 224, 224\\], and inputs has '
        for shape in ([3, 224, 224], [1, 3, 4, 224]):
            given = {name: np.zeros(shape, np.float32)}
            text = start + "f32 " + re.escape(str(shape)) + "$"
            says(td.ShapeError, text, MOBILENET, random_weights=True, inputs=given)
        text = start + r".*; convert it with \.astype\(np\.float32\)"
        says(td.ShapeError, text, MOBILENET, random_weights=True, inputs={name: np.zeros((1, 3, 224, 224))})

    def test_a_package_gives_what_its_model_gives(self):
        model = td.compile(MOBILENET, random_weights=True)
        value = td.default_input(model.inputs[0])
        with tempfile.TemporaryDirectory() as folder:
            for place in ("m.tdsl", "m"):
                path = pathlib.Path(folder) / place
                model.save(path)
                np.testing.assert_array_equal(td.load(path)(value), model(value))
            self.assertEqual(td.Package.read(pathlib.Path(folder) / "m.tdsl").made_from, "mobilenet_v1.onnx")

    def test_precision_and_weights_are_a_choice(self):
        value = None
        results = {}
        for options in ({}, {"precision": "fp16"}, {"weights": "int8"}):
            model = td.compile(MOBILENET, random_weights=True, **options)
            value = td.default_input(model.inputs[0]) if value is None else value
            results[str(options)] = model(value)
        plain = results.pop("{}")
        for result in results.values():
            self.assertFalse(np.array_equal(result, plain))
            self.assertEqual(result.argmax(), plain.argmax())
        with self.assertRaisesRegex(td.Error, "precision is 'f16'; expected 'fp32', 'fp16'"):
            td.compile(MOBILENET, precision="f16")

    def test_open_sizes_come_from_the_arrays(self):
        model = td.compile(TRANSFORMER, random_weights=True)
        names = set(model.program.params)
        self.assertTrue(names)
        with self.assertRaisesRegex(td.Error, "are not known before the first run"):
            model.runner
        results = []
        for size in (2, 5, 3, 5):
            arrays = {}
            for value in model.inputs:
                shape = [size if isinstance(extent, str) else extent for extent in value.shape]
                arrays[value.name] = np.ones(shape, value.dtype)
            results.append(next(iter(model.run(arrays).values())))
        np.testing.assert_array_equal(results[1], results[3])
        self.assertNotEqual(results[0].shape, results[1].shape)

    def test_an_array_of_another_fixed_extent_is_refused_by_the_model_s_shape(self):
        y, x = td.vars("y x")
        n = td.Param("n")
        a, f = td.Input("a", np.float32, [n, 3]), td.Func("f")
        f[y, x] = a[y, x] + 1
        model = td.CompiledModel(td.Pipeline(f.bound([n, 3])).compile("host"), td.Device.open("host"))
        self.assertEqual(model(np.zeros((2, 3), np.float32)).shape, (2, 3))
        for rows in (2, 5):
            text = rf'the input "a" is f32 \[n, 3\], but the array is f32 \[{rows}, 4\]$'
            with self.assertRaisesRegex(td.ShapeError, text):
                model(np.zeros((rows, 4), np.float32))

    def test_sizes_follow_from_sums_multiples_and_quotients(self):
        x = td.Var("x")
        n = td.Param("n")
        for extent, fits, other in ((n * 3, {6: 2, 0: 0}, 7), (n + 2, {5: 3}, None), (n / 4 * 4, {8: 8, 4: 4}, 6)):
            a, f = td.Input("a", np.float32, [extent]), td.Func("f")
            f[x] = a[x] + 1
            device = td.Device.open("host")
            model = td.CompiledModel(td.Pipeline(f.bound([extent])).compile("host"), device)
            for size, value in fits.items():
                np.testing.assert_array_equal(model(np.zeros(size, np.float32)), np.ones(size, np.float32))
                self.assertEqual(model.runner.params["n"], value)
                shapes = {"a": [size]}
                self.assertEqual(td.params_of_shapes(model.program, shapes), {"n": value})
            if other:
                with self.assertRaisesRegex(td.ShapeError, r'the input "a" is \[n.*4?\], but the array is \[[67]\], and no sizes'):
                    model(np.zeros(other, np.float32))

    def test_a_model_may_be_bytes(self):
        model = td.compile(MOBILENET.read_bytes(), random_weights=True)
        self.assertEqual(len(model.inputs), 1)

    def test_the_stages_of_compilation_are_text(self):
        model = td.Model.load(MOBILENET, random_weights=True)
        self.assertIn("Conv", model.emit("graph"))
        self.assertIn("__kernel", model.emit("cl", filter="Conv"))
        program = model.compile(td.CompileTarget(profile=td.HwProfile.load("adreno640")))
        self.assertGreater(len(program.kernels), 10)
        self.assertEqual(model.params, [])

    def test_mistakes_have_the_texts_of_the_library(self):
        with self.assertRaisesRegex(td.ModelError, "nothing.onnx"):
            td.compile("nothing.onnx")
        with self.assertRaises(td.ModelError):
            td.compile(b"no model")
        with self.assertRaisesRegex(TypeError, "the model is a int; pass a path"):
            td.compile(3)
        with self.assertRaisesRegex(td.Error, "nothing.tdsl"):
            td.load("nothing.tdsl")
        model = td.compile(MOBILENET, random_weights=True)
        with self.assertRaisesRegex(td.Error, 'the program has no input "x"; its inputs are "'):
            model.run({"x": 1})
        with self.assertRaisesRegex(td.Error, "no value for the input"):
            model()
        with self.assertRaisesRegex(TypeError, "found 2 arrays, but the model has 1 input$"):
            model(1, 2)
        with self.assertRaisesRegex(TypeError, r"found a mapping in place of an array; pass it to run\(\)"):
            model({"input": 1})
        with self.assertRaisesRegex(td.ShapeError, r"has 4 dimensions, \[1, 3, 224, 224\], but the array has 1, \[3\]"):
            model(np.zeros(3, np.float32))
        with self.assertRaisesRegex(td.ShapeError, r"but the array is f32 \[1, 3, 4, 4\]"):
            model(np.zeros((1, 3, 4, 4), np.float32))
        with self.assertRaisesRegex(TypeError, "is None; pass an array"):
            model(None)
        with self.assertRaisesRegex(td.Error, 'the model has no Param "n"; it has none'):
            td.compile(MOBILENET, random_weights=True, params={"n": 3})
        with self.assertRaisesRegex(td.ModelError, '"n" is not an initializer that the model also lists as an input'):
            td.Model.load(MOBILENET, random_weights=True, initializers={"n": [1.0]})
        with self.assertRaisesRegex(td.ModelError, "the model has no input 'n', for which a constant is given"):
            td.Model.load(MOBILENET, random_weights=True, constants={"n": 1.0})
        with self.assertRaisesRegex(td.Error, "trials is -1; it must not be negative"):
            td.compile(MOBILENET, random_weights=True, trials=-1)

    def test_a_model_of_bytes_has_no_file_in_its_errors(self):
        with self.assertRaisesRegex(td.ModelError, "^the model: the file is damaged, or not an ONNX model"):
            td.compile(b"no model")

    def test_threads_that_share_a_model_take_turns(self):
        model = td.compile(TRANSFORMER, random_weights=True)
        expected, wrong = {}, []

        def arrays_of(size):
            return {
                value.name: np.full([size if isinstance(e, str) else e for e in value.shape], size, value.dtype)
                for value in model.inputs
            }

        for size in (1, 2, 3):
            expected[size] = next(iter(model.run(arrays_of(size)).values()))

        def work(i):
            for turn in range(12):
                size = 1 + (i + turn) % 3
                if not np.array_equal(next(iter(model.run(arrays_of(size)).values())), expected[size]):
                    wrong.append(size)

        support.run_in_threads(work, 3)
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
