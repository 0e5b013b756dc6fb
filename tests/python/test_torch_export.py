"""Tests what the backend for PyTorch does with exports that fail or are wrong, without PyTorch."""

import contextlib
import io
import sys
import unittest
import warnings

import numpy as np

try:
    from onnx import TensorProto, helper
except ImportError as missing:
    print(f"{missing.name} is not installed")
    sys.exit(77)

import fake_torch

fake_torch.install()
import tensordsl as td  # noqa: E402
from tensordsl import torch_backend  # noqa: E402
from tensordsl.torch_compare import LIMITS, Expected, difference  # noqa: E402


def model_of(operator, type=TensorProto.FLOAT, to=None):
    node = helper.make_node(operator, ["input_0"], ["y"], **({"to": to} if to else {}))
    x, y = (helper.make_tensor_value_info(name, kind, [3]) for name, kind in (("input_0", type), ("y", to or type)))
    graph = helper.make_graph([node], "graph", [x], [y])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def negated(x):
    return fake_torch.Tensor(-x.array)


class Backend(unittest.TestCase):
    def run_graph(self, function, dynamo, torchscript, options=None, times=1, node="computed"):
        """Returns the backend's result for a tensor, its warnings and output, and the exporters that it called."""
        graph = fake_torch.Graph(function, {"dynamo": dynamo, "torchscript": torchscript}, node)
        x = fake_torch.Tensor(np.array([1, -2, 3], np.float32))
        call = torch_backend.tensordsl(graph, [x], options)
        with warnings.catch_warnings(record=True) as told, contextlib.redirect_stdout(io.StringIO()) as printed:
            warnings.simplefilter("always")
            for _ in range(times):
                (result,) = call(x)
        self.assertEqual(printed.getvalue(), "")
        self.assertFalse(graph.exported_with_fast_path)
        self.assertTrue(fake_torch.mha.is_enabled)
        return result.array.tolist(), [str(w.message) for w in told], graph.exported_by

    def test_a_model_that_agrees_is_run(self):
        self.assertEqual(self.run_graph(negated, model_of("Neg"), None, times=3), ([-1, 2, -3], [], ["dynamo"]))

    def test_where_one_exporter_fails_the_other_is_asked(self):
        for error in (RuntimeError("no such operator"), ImportError("No module named 'onnxscript'"), KeyError(3)):
            self.assertEqual(
                self.run_graph(negated, error, model_of("Neg")), ([-1, 2, -3], [], ["dynamo", "torchscript"])
            )

    def test_where_one_exporter_is_wrong_the_other_is_asked(self):
        self.assertEqual(
            self.run_graph(negated, model_of("Abs"), model_of("Neg")), ([-1, 2, -3], [], ["dynamo", "torchscript"])
        )

    def test_what_both_get_wrong_is_left_with_one_warning(self):
        self.assertEqual(
            self.run_graph(negated, model_of("Abs"), model_of("Abs"), times=3),
            (
                [-1, 2, -3],
                [
                    "tensordsl: a graph falls back to PyTorch: output 0 (computed) differs in 2 of 3 values: 1.0 "
                    "instead of -1.0 at [0], if it is exported as ONNX"
                ],
                ["dynamo", "torchscript"],
            ),
        )

    def test_another_type_is_a_difference(self):
        wrong = model_of("Cast", to=TensorProto.INT32)
        _, told, _ = self.run_graph(lambda x: fake_torch.Tensor(x.array.astype(np.int64)), wrong, wrong)
        self.assertEqual(
            told,
            [
                "tensordsl: a graph falls back to PyTorch: output 0 (computed) is int32 [3] instead of int64 [3], if "
                "it is exported as ONNX"
            ],
        )

    def test_what_no_exporter_knows_is_left_with_the_first_ones_reason(self):
        cause = ValueError("no function for aten.hypot\nmore")
        error = RuntimeError("step 3 of 3 failed")
        error.__cause__ = cause
        result, told, asked = self.run_graph(negated, error, RuntimeError("unknown"))
        self.assertEqual((result, asked), ([-1, 2, -3], ["dynamo", "torchscript"]))
        self.assertEqual(
            told,
            ["tensordsl: a graph falls back to PyTorch: its export as ONNX failed: no function for aten.hypot"],
        )

    def test_an_operator_that_is_not_known_is_named_without_the_list_of_the_others(self):
        unknown = model_of("NoSuchOperator")
        _, told, _ = self.run_graph(negated, unknown, unknown)
        self.assertEqual(len(told), 1)
        self.assertRegex(told[0], r"operator NoSuchOperator \(opset 17\) is not supported$")

    def test_a_graph_that_draws_random_numbers_is_not_compared_and_draws_them_once(self):
        def drawn(x):
            fake_torch.generator.drawn += 1
            return fake_torch.Tensor(x.array + fake_torch.generator.drawn)

        before = fake_torch.generator.drawn
        result, told, asked = self.run_graph(drawn, model_of("Neg"), model_of("Neg"), times=2)
        self.assertEqual((result, asked), ([before + 3, before, before + 5], []))
        self.assertEqual(
            told,
            ["tensordsl: a graph falls back to PyTorch: it draws random numbers, which would be others than PyTorch's"],
        )

    def test_a_graph_that_changes_its_input_is_left(self):
        def changed(x):
            x._version += 1
            return negated(x)

        _, told, asked = self.run_graph(changed, model_of("Neg"), model_of("Neg"))
        self.assertEqual(asked, [])
        self.assertEqual(told, ["tensordsl: a graph falls back to PyTorch: it changes an input or a buffer in place"])

    def test_what_fewer_bits_cost_is_no_difference(self):
        def root(x):
            return fake_torch.Tensor(np.sqrt(np.abs(x.array)))

        nodes = [helper.make_node("Abs", ["input_0"], ["a"]), helper.make_node("Sqrt", ["a"], ["y"])]
        x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [3]) for name in ("input_0", "y"))
        model = helper.make_model(
            helper.make_graph(nodes, "graph", [x], [y]), opset_imports=[helper.make_opsetid("", 17)], ir_version=8
        )
        result, told, _ = self.run_graph(root, model, None, {"precision": "fp16"})
        self.assertEqual(told, [])
        self.assertNotEqual(result, np.sqrt(np.float32([1, 2, 3])).tolist())
        np.testing.assert_allclose(result, np.sqrt([1, 2, 3]), rtol=1e-3)

    def numbered_graph(self):
        """A graph of a tensor and a number, which its model does not need, and the backend's call of it."""
        graph = fake_torch.Graph(lambda x, n: negated(x), {"dynamo": model_of("Neg"), "torchscript": None})
        x = fake_torch.Tensor(np.array([1, -2, 3], np.float32))
        call = torch_backend.tensordsl(graph, [x, 0], None)
        return graph, lambda n: self.assertEqual(call(x, n)[0].array.tolist(), [-1, 2, -3])

    def test_numbers_that_are_equal_but_of_other_types_are_compiled_apart(self):
        graph, call = self.numbered_graph()
        numbers = (1, True, 1.0, 0, False, 0.0, -0.0, float("nan"))
        for _ in range(2):
            for number in numbers:
                call(number)
        self.assertEqual(len(graph.exported_by), len(numbers))

    def test_what_was_not_used_for_the_longest_time_is_compiled_again(self):
        graph, call = self.numbered_graph()
        most = torch_backend._MOST_COMPILED
        for number in range(most):
            call(number)
        call(0)  # which is used again
        self.assertEqual(len(graph.exported_by), most)
        call(most)  # in place of 1
        call(0)
        self.assertEqual(len(graph.exported_by), most + 1)
        call(1)
        self.assertEqual(len(graph.exported_by), most + 2)

    def test_a_wrong_option_is_an_error(self):
        with self.assertRaisesRegex(td.Error, "precision is 'half'"):
            self.run_graph(negated, model_of("Neg"), None, {"precision": "half"})


class Difference(unittest.TestCase):
    def of(self, found, expected, comes_of_floats=True, limit=LIMITS["float32"]):
        found, expected = np.asarray(found), np.asarray(expected)
        return difference([found], [Expected("y", expected, comes_of_floats)], limit)

    def test_is_by_the_scale_of_the_output(self):
        value = np.linspace(-1, 1, 101, dtype=np.float32)
        self.assertEqual(self.of(value + np.float32(5e-5), value), "")
        self.assertEqual(self.of(value * 1e-20 + np.float32(5e-25), value * 1e-20), "")
        self.assertIn("differs in 101 of 101 values", self.of(value + np.float32(1e-3), value))
        self.assertIn("differs in 101 of 101 values", self.of(value * 1e-20 + np.float32(1e-23), value * 1e-20))

    def test_is_of_each_value_where_that_is_larger_than_the_others(self):
        value = np.ones(1000, np.float32)
        value[7] = 1e6
        self.assertEqual(self.of(np.where(value > 1, value * np.float32(1.0001), value), value), "")
        self.assertEqual(
            self.of(np.where(value > 1, np.float32(1.5e6), value), value),
            "output 0 (y) differs in 1 of 1000 values: 1500000.0 instead of 1000000.0 at [7]",
        )

    def test_a_nan_equals_a_nan_and_an_infinity_itself(self):
        value = np.float32([np.nan, np.inf, -np.inf, 1])
        self.assertEqual(self.of(value, value), "")
        for wrong in ([0, np.inf, -np.inf, 1], [np.nan, 1e38, -np.inf, 1], [np.nan, -np.inf, -np.inf, 1],
                      [np.nan, np.inf, -np.inf, np.nan], [np.nan, np.inf, -np.inf, np.inf]):  # fmt: skip
            self.assertIn("differs in 1 of 4 values", self.of(np.float32(wrong), value))

    def test_integers_that_no_float_decides_are_equal(self):
        value = np.arange(5000)
        near = value.copy()
        near[:3] += 1
        self.assertEqual(self.of(near, value), "")
        self.assertIn("differs in 3 of 5000 values: 1 instead of 0 at [0]", self.of(near, value, False))
        self.assertIn("differs in 3 of 100 values", self.of(near[:100], value[:100]))

    def test_names_another_shape_type_or_number_of_outputs(self):
        value = np.zeros((2, 3), np.float32)
        self.assertEqual(
            self.of(value[0], value), "output 0 (y) is float32 [3] instead of float32 [2, 3]"
        )
        self.assertEqual(
            self.of(value.astype(np.int32), value), "output 0 (y) is int32 [2, 3] instead of float32 [2, 3]"
        )
        self.assertEqual(difference([], [Expected("y", value, True)], 1), "it has 0 outputs instead of 1")

    def test_an_output_of_zeros_or_of_nothing_is_compared(self):
        zeros = np.zeros(4, np.float32)
        self.assertEqual(self.of(zeros, zeros), "")
        self.assertIn("differs in 4 of 4", self.of(zeros + 1, zeros))
        self.assertEqual(self.of(zeros[:0], zeros[:0]), "")
        self.assertEqual(self.of(np.float32(3), np.float32(3)), "")


if __name__ == "__main__":
    unittest.main()
