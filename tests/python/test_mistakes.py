"""Arguments of the wrong kind get an error that says what was found and what is wanted."""

import pathlib
import pickle
import shutil
import subprocess
import sys
import tempfile
import traceback
import unittest

import numpy as np

import tensordsl as td


def doubled(extent=4):
    x = td.Var("x")
    a = td.Input("a", "f32", [extent])
    f = td.Func("f")
    f[x] = a[x] * 2
    f.bound([extent])
    return f


class Mistakes(unittest.TestCase):
    def says(self, kind, text, call):
        with self.assertRaisesRegex(kind, text):
            call()

    def test_names_are_strings(self):
        f = doubled()
        pipeline = td.Pipeline(f)
        one = np.ones(4, np.float32)
        self.says(TypeError, "inputs: expected a str as a name, found 1", lambda: pipeline.realize({1: one}))
        self.says(TypeError, "inputs: expected a mapping such as a dict, found list", lambda: pipeline.realize([one]))
        self.says(TypeError, "params: expected a str as a name, found 2", lambda: pipeline.prepare(params={2: 1}))
        self.says(TypeError, "params: expected a mapping such as a dict, found int", lambda: pipeline.prepare(params=3))
        self.says(TypeError, "expected a Var or its name, found int", lambda: f.reorder([1]))
        self.says(TypeError, "expected a sequence of Vars or their names, found str", lambda: f.rfactor_in_half("x", "y"))

    def test_shapes_are_integers(self):
        for shape, found in ((1.5, "1.5"), ("a", "'a'"), ([2, "b"], "'b'"), ([[1]], r"\[1\]")):
            self.says(TypeError, "empty: expected a shape of integers, found " + found, lambda: td.empty(shape, "f32"))
        self.says(TypeError, "realize: expected a shape of integers", lambda: td.Pipeline(doubled()).realize(shape=[2.5]))
        for shape in (3, [3], (3,), np.int64(3), np.array([3]), [np.int32(3)]):
            self.assertEqual(td.empty(shape, "f32").shape, (3,))

    def test_nothing_is_no_array_and_no_expression(self):
        x = td.Var("x")
        self.says(TypeError, "expected an array, found None", lambda: td.Pipeline(doubled()).realize({"a": None}))
        self.says(TypeError, "unsupported operand", lambda: x + None)
        self.says(TypeError, "unsupported operand", lambda: None * x)
        self.says(TypeError, "not supported between", lambda: x < None)
        self.says(TypeError, "expected a number or an expression, found str", lambda: x + "y")

    def test_what_is_no_array_of_numbers_is_told(self):
        pipeline = td.Pipeline(doubled())
        given = (
            (np.array([1, 2, 3, 4], object), "type object; convert the array to numbers with .astype "),
            ([1, 2, 3, "4a"], "expected an array of numbers, found list: could not convert string to float"),
            ("abc", "expected an array of numbers, found str: "),
            ([[1], [2, 3]], "expected an array of numbers, found list: "),
            (np.array(["a", "b"]), "NumPy type str32; convert the array to numbers with .astype$"),
            (np.ones(4, "complex64"), "unsupported NumPy type complex64"),
            (np.ma.array(np.ones(4, "float32"), mask=[0, 1, 0, 0]), "a masked array has .* with .filled"),
        )
        for value, text in given:
            self.says(td.Error, text, lambda: pipeline.realize({"a": value}))
        unmasked = np.ma.array(np.ones(4, "float32"), mask=[0, 0, 0, 0])
        self.assertEqual(pipeline.realize({"a": unmasked}).tolist(), [2] * 4)
        self.says(td.Error, "integers must fit into 64 bits", lambda: td.as_array([2**70], "i32"))
        self.says(td.Error, "integers must fit into 64 bits", lambda: td.as_array(2**70, "i64"))
        self.says(td.Error, "a masked array cannot be written", lambda: pipeline.prepare().bind("a", unmasked))

    def test_an_output_is_read_behind_a_run(self):
        runner = td.Pipeline(doubled()).prepare()
        self.says(td.Error, 'read: "f" has no value yet; run first', lambda: runner.read("f"))
        runner.write("a", [1, 2, 3, 4])
        runner.run()
        self.assertEqual(runner.read("f").tolist(), [2, 4, 6, 8])

    def test_the_only_output_is_read_without_its_name(self):
        f = doubled()
        runner = td.Pipeline(f).prepare()
        runner.write("a", [1, 2, 3, 4])
        runner.run()
        self.assertEqual(runner.read().tolist(), [2, 4, 6, 8])
        self.assertEqual(runner.read(output="f").tolist(), [2, 4, 6, 8])
        self.says(td.Error, 'read: the program has no output "g"; its outputs are "f"', lambda: runner.read("g"))
        x = td.Var("x")
        g = td.Func("g")
        g[x] = f[x] + 1
        two = td.Pipeline([f, g.bound([4])]).prepare()
        two.write("a", [1, 2, 3, 4])
        two.run()
        self.says(td.Error, 'read: the program has 2 outputs, "f", "g"; name one', two.read)
        self.assertEqual(two.read("g").tolist(), [3, 5, 7, 9])

    def test_exceptions_are_of_the_module_that_is_imported(self):
        names = ["Error", "DefinitionError", "ScheduleError", "ShapeError", "ModelError", "ParseError", "DeviceError"]
        for name in [*names, "WorkGroupError", "InternalError"]:
            kind = getattr(td, name)
            self.assertEqual((kind.__module__, kind.__qualname__), ("tensordsl", name))
            again = pickle.loads(pickle.dumps(kind("a text")))
            self.assertIs(type(again), kind)
            self.assertEqual(str(again), "a text")
        with self.assertRaises(td.ShapeError) as raised:
            td.Pipeline(doubled()).realize({"a": np.ones(3, np.float32)})
        self.assertTrue(traceback.format_exception_only(raised.exception)[0].startswith("tensordsl.ShapeError: "))

    def test_a_bound_array_of_another_size_than_now_is_told(self):
        runner = td.Pipeline(doubled(td.Param("n"))).prepare("host", params={"n": 8})
        source, result = td.empty(8, "f32"), td.empty(8, "f32")
        self.assertTrue(runner.bind("a", source) and runner.bind("f", result))
        runner.set_params({"n": 4})
        self.says(td.ShapeError, r'"a" is now \[4\], but the array bound to it is \[8\]', runner.run)
        source, result = td.empty(4, "f32"), td.empty(4, "f32")
        if runner.bind("a", source) and runner.bind("f", result):
            source[:] = 3
            runner.run()
            self.assertEqual(result.tolist(), [6] * 4)

    def test_a_device_may_be_named(self):
        one = np.ones(4, np.float32)
        self.assertEqual(td.Pipeline(doubled()).realize({"a": one}, "host").tolist(), [2] * 4)
        self.assertEqual(td.Runner(td.Pipeline(doubled()).compile("host"), "host").device.info.backend, "llvm")
        self.says(td.Error, "no device", lambda: td.Pipeline(doubled()).realize({"a": one}, "no device"))
        self.says(TypeError, "incompatible function arguments", lambda: td.Pipeline(doubled()).realize({}, 3))

    def test_several_values_are_taken_apart(self):
        x = td.Var("x")
        f, g, h = td.Func("f"), td.Func("g"), td.Func("h")
        f[x] = (x, x * 10)
        low, high = f[x]
        g[x] = low + high
        self.assertEqual(td.Pipeline(g).realize(shape=3).tolist(), [0, 11, 22])
        h[x] = x
        self.says(TypeError, "an element of a Func with one value is not a sequence", lambda: list(h[x]))

    def test_an_update_is_of_the_same_func_and_not_of_one_of_its_name(self):
        x = td.Var("x")
        f, other = td.Func("f"), td.Func("f")
        f[x] = 0
        other[x] = 1
        with self.assertRaisesRegex(td.DefinitionError, "the right side is the result of an update of f"):
            f[x] = other[x].__iadd__(1)

    def test_extents_and_axes_are_given_one_by_one_or_in_a_list(self):
        for give in (lambda f: f.bound(3, 2), lambda f: f.bound([3, 2])):
            x, y = td.vars("x, y")
            f = td.Func("f")
            f[x, y] = x * 2 + y
            give(f).reorder(y, "x")
            self.assertEqual(td.Pipeline(f).realize().tolist(), [[0, 1], [2, 3], [4, 5]])

    def test_a_list_takes_the_type_of_its_input(self):
        f = doubled()
        self.assertEqual(td.Pipeline(f).set_constant("a", [1, 2, 3, 4]).realize().tolist(), [2, 4, 6, 8])
        self.assertEqual(td.Pipeline(f).interpret({"a": [1, 2, 3, 4]})[0].tolist(), [2, 4, 6, 8])

    def test_a_path_may_be_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder) / "cl"
            td.Pipeline(doubled()).write_cl(bytes(place))
            self.assertTrue((place / "program.json").exists())

    def test_a_folder_without_the_extension_module_says_how_to_get_it(self):
        with tempfile.TemporaryDirectory() as folder:
            package = pathlib.Path(folder) / "tensordsl"
            package.mkdir()
            shutil.copy(td.__file__, package)
            done = subprocess.run([sys.executable, "-c", "import tensordsl"], cwd=folder, env={"PYTHONPATH": folder},
                                  capture_output=True, text=True)  # fmt: skip
        self.assertEqual(done.returncode, 1)
        self.assertIn("has no extension module _tensordsl for Python", done.stderr)
        self.assertIn("python3 -m pip install .", done.stderr)

    def test_what_is_equal_by_its_value_has_no_hash(self):
        for value in (td.Layout.row_major(2), td.Target()):
            self.says(TypeError, "unhashable", lambda: hash(value))
        self.says(td.Error, "the rank must not be negative", lambda: td.Layout.row_major(-1))
        self.says(td.DefinitionError, 'two dimensions are called "n"', lambda: td.Input("a", "f32", [1, 1], ["n", "n"]))


if __name__ == "__main__":
    unittest.main()
