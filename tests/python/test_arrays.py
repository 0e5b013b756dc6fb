"""Arrays of NumPy: which are taken, how, and without a copy where the device allows it."""

import gc
import unittest

import numpy as np

import support
import tensordsl as td

TYPES = [np.float16, np.float32, np.float64, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32,
         np.uint64, np.bool_]  # fmt: skip


def copy_of(type, shape):
    """A pipeline that copies its input."""
    dims = [td.Var(f"x{i}") for i in range(len(shape))]
    a = td.Input("a", type, list(shape))
    f = td.Func("f")
    f[tuple(dims)] = a[tuple(dims)]
    f.bound(list(shape))
    return td.Pipeline(f)


class Arrays(unittest.TestCase):
    def test_every_type_and_odd_shape_comes_back(self):
        random = np.random.default_rng(3)
        for device in support.devices():
            for type in TYPES:
                if type == np.float64 and not device.info.has_fp64:
                    continue
                for shape in [(), (1,), (3, 5), (7, 1, 17), (0,), (4, 0, 2)]:
                    array = (random.random(shape) * 100).astype(type)
                    result = copy_of(type, shape).realize({"a": array}, device)
                    self.assertEqual((result.dtype, result.shape), (array.dtype, array.shape))
                    np.testing.assert_array_equal(result, array)

    def test_strided_reversed_read_only_and_foreign_arrays_are_taken(self):
        whole = np.arange(48, dtype=np.int32).reshape(6, 8)
        read_only = whole[::2, ::2].copy()
        read_only.flags.writeable = False
        for array in (whole[::2, ::2], whole[:3, :4][::-1], whole[:4, :3].T, read_only,
                      whole[:3, :4].astype(">i4"), np.asfortranarray(whole[:3, :4])):  # fmt: skip
            np.testing.assert_array_equal(copy_of("i32", array.shape).realize({"a": array}), array)

    def test_a_list_has_the_type_of_its_input(self):
        result = copy_of("f32", (2, 2)).realize({"a": [[1, 2], [3, 4]]})
        self.assertEqual(result.tolist(), [[1, 2], [3, 4]])

    def test_an_array_of_another_type_is_taken_where_that_loses_nothing(self):
        random = np.random.default_rng(5)
        for wanted in TYPES:
            if wanted == np.float64:
                continue
            pipeline = copy_of(wanted, (5,))
            wide = wanted in (np.float32, np.int64, np.uint64)
            model = td.CompiledModel(pipeline.compile("host"), td.Device.open("host"))
            for type in TYPES:
                array = (random.random(5) * 100).astype(type)
                # NumPy calls it safe to make f64 of i64, and has no other pair that loses.
                if np.can_cast(type, wanted, "safe"):
                    expected = array.astype(wanted)
                    results = [pipeline.realize({"a": array}, "host"), model(array), td.as_array(array, wanted)]
                    if wide:
                        results += [pipeline.interpret({"a": array})[0], pipeline.simulate({"a": array})[0]]
                    for result in results:
                        self.assertEqual(result.dtype, wanted)
                        np.testing.assert_array_equal(result, expected)
                else:
                    remedy = rf"convert it with \.astype\(np\.{np.dtype(wanted).name.replace('bool', 'bool_')}\)$"
                    for call in (lambda: pipeline.realize({"a": array}, "host"), lambda: model(array),
                                 lambda: pipeline.interpret({"a": array})):  # fmt: skip
                        with self.assertRaisesRegex(td.ShapeError, remedy):
                            call()
                    self.assertEqual(td.as_array(array, wanted).dtype, type)

    def test_a_list_whose_numbers_are_not_of_the_type_is_refused(self):
        for type, numbers in [("i32", [1.5, 2]), ("u8", [1, 300]), ("u8", [-1, 3]), ("bool", [0, 2]),
                              ("i32", [2**40, 1]), ("i32", [float("nan"), 1])]:  # fmt: skip
            pipeline = copy_of(type, (2,))
            for call in (pipeline.realize, pipeline.interpret):
                with self.assertRaisesRegex(td.Error, f"the list has numbers that are not values of {type}, the"):
                    call({"a": numbers})
        for type, numbers in [("i32", [1.0, 2]), ("u8", [0, 255]), ("bool", [0, 1]), ("f32", [0.1, 2])]:
            result = copy_of(type, (2,)).realize({"a": numbers})
            np.testing.assert_array_equal(result, np.array(numbers).astype(result.dtype))

    def test_an_array_that_does_not_fit_is_refused(self):
        pipeline = copy_of("f32", (2, 3))
        for array, found in [(np.zeros((2, 3)), r"f64 \[2, 3\]; convert it with \.astype\(np\.float32\)$"),
                             (np.zeros((3, 2), np.float32), r"f32 \[3, 2\]$")]:  # fmt: skip
            with self.assertRaisesRegex(td.ShapeError, r'the input "a" is f32 \[2, 3\], but the array is ' + found):
                pipeline.realize({"a": array})
        with self.assertRaisesRegex(td.Error, 'no value for the input "a"; pass one'):
            pipeline.realize({})
        with self.assertRaisesRegex(td.Error, 'the program has no input "b"; its inputs are "a"'):
            pipeline.realize({"a": np.zeros((2, 3), np.float32), "b": 1})
        with self.assertRaisesRegex(td.Error, "complex64"):
            pipeline.realize({"a": np.zeros((2, 3), np.complex64)})

    def test_one_array_may_be_two_inputs(self):
        x = td.Var("x")
        a, b = td.Input("a", "i32", [5]), td.Input("b", "i32", [5])
        f = td.Func("f")
        f[x] = a[x] * 10 + b[4 - x]
        f.bound([5])
        array = np.arange(5, dtype=np.int32)
        for device in support.devices():
            result = td.Pipeline(f).realize({"a": array, "b": array}, device)
            np.testing.assert_array_equal(result, array * 10 + array[::-1])

    def test_a_result_outlives_all_that_made_it(self):
        results = [copy_of("i32", (100,)).realize({"a": np.full(100, i, np.int32)}) for i in range(20)]
        gc.collect()
        for i, result in enumerate(results):
            np.testing.assert_array_equal(result, i)

    def test_bound_arrays_are_read_and_written_where_they_lie(self):
        for device in support.devices():
            runner = copy_of("f32", (64,)).prepare(device)
            source, result = td.empty(64, "f32"), td.empty([64], np.float32)
            is_bound = runner.bind("a", source), runner.bind("f", result)
            self.assertEqual(is_bound, (device.info.has_unified_memory,) * 2)
            if not all(is_bound):
                continue
            for value in (1, 2, 3):
                source[:] = value
                result[:] = 0
                runner.run()
                np.testing.assert_array_equal(result, value)

    def test_an_array_at_an_odd_address_is_not_bound_but_works(self):
        memory = np.zeros(4 * 64 + 1, np.uint8)
        odd = memory[1:].view(np.float32)
        odd[:] = 5
        for device in support.devices():
            pipeline = copy_of("f32", (64,))
            self.assertFalse(pipeline.prepare(device).bind("a", odd))
            np.testing.assert_array_equal(pipeline.realize({"a": odd}, device), 5)

    def test_what_cannot_be_bound_is_refused(self):
        runner = copy_of("f32", (4,)).prepare()
        with self.assertRaisesRegex(td.Error, 'bind: "c" is not an input or output of the program'):
            runner.bind("c", td.empty(4, "f32"))
        for array, found in [(td.empty(3, "f32"), r"f32 \[3\]"), (td.empty(4, "i32"), r"i32 \[4\]"),
                             (td.empty(16, "u8"), r"u8 \[16\]"), (td.empty([2, 2], "f32"), r"f32 \[2, 2\]")]:  # fmt: skip
            with self.assertRaisesRegex(td.ShapeError, r'"a" is f32 \[4\], but the array is ' + found):
                runner.bind("a", array)
        with self.assertRaisesRegex(td.Error, "must have the machine's byte order"):
            runner.bind("a", np.zeros(4, ">f4"))
        with self.assertRaisesRegex(td.Error, "must be row-major and writable"):
            runner.bind("a", np.zeros(8, np.float32)[::2])
        with self.assertRaises(TypeError):
            runner.bind("a", [1.0] * 4)
        with self.assertRaisesRegex(td.ShapeError, "must not be negative"):
            td.empty([-1], "f32")
        with self.assertRaisesRegex(td.Error, 'the input "a" has no value'):
            runner.run()


if __name__ == "__main__":
    unittest.main()
