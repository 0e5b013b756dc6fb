"""Definitions: what Python's operators and assignments make of Funcs."""

import unittest

import numpy as np

import tensordsl as td


def value_of(expression, **inputs):
    """The expression as a scalar, by the interpreter."""
    func = td.Func("value")
    func[()] = expression
    return td.Pipeline(func).interpret(inputs)[0].item()


class Operators(unittest.TestCase):
    def test_arithmetic_is_that_of_the_language(self):
        four = td.Input("four", "i32", [1])
        given = {"four": np.array([4], np.int32)}
        n = four[0]
        for expression, expected in [
            (n + 3, 7), (3 - n, -1), (n * n, 16), (-n // 3, -2), (-n / 3, -2), (-n % 3, 2), (abs(-n), 4),
            (n & 6, 4), (n | 1, 5), (n ^ 1, 5), (~n, -5), (n << 2, 16), (n >> 1, 2), (n == 4, 1), (n != 4, 0),
            (n > 3, 1), (5 > n, 1), (n <= 3, 0), (td.select(n > 3, 10, 20), 10), (td.min(n, 3), 3),
            (td.clamp(n, 5, 9), 5), (+n, 4), (~(n > 3), 0), ((n > 3) & (n < 9), 1), ((n > 9) | (n < 3), 0),
            ((n > 3) ^ (n > 2), 0),
        ]:  # fmt: skip
            self.assertEqual(value_of(expression, **given), expected, str(expression))

    def test_floats_divide_and_floor_and_have_powers(self):
        x = td.Input("x", "f32", [1])
        given = {"x": np.array([7.5], np.float32)}
        self.assertEqual(value_of(x[0] / 2, **given), 3.75)
        self.assertEqual(value_of(x[0] // 2, **given), 3.0)
        self.assertAlmostEqual(value_of(x[0] ** 2, **given), 56.25, places=4)
        self.assertAlmostEqual(value_of(2 ** (x[0] - 7.5), **given), 1.0, places=6)

    def test_bits_are_those_of_a_number_of_another_type(self):
        x = td.Input("x", "f32", [1])
        self.assertEqual(value_of(td.reinterpret("i32", x[0]), x=np.array([1], np.float32)), 0x3F800000)
        with self.assertRaisesRegex(td.DefinitionError, "reinterpret: f32 has 32 bits, but i64 has 64"):
            td.reinterpret("i64", x[0])

    def test_a_literal_takes_the_type_of_the_other_operand(self):
        bytes_ = td.Input("bytes", "u8", [4])
        self.assertEqual((bytes_[0] + 1).type, td.Type("u8"))
        self.assertEqual((bytes_[0] + np.uint8(1)).type, td.Type("u8"))
        self.assertEqual((np.float32(2) * bytes_[0]).type, td.Float(32))
        self.assertEqual(td.Expr(1 << 40).type, td.Int(64))
        self.assertEqual(td.Expr((1 << 64) - 1).type, td.UInt(64))

    def test_a_number_that_no_type_holds_is_refused(self):
        with self.assertRaisesRegex(td.Error, "the number 36893488147419103232 does not fit into 64 bits"):
            td.Expr(1 << 65)

    def test_an_expression_has_no_truth_value_for_python(self):
        x = td.Var("x")
        for wrong in (lambda: bool(x < 3), lambda: x if x == 1 else 0, lambda: (x < 3) and (x > 1)):
            with self.assertRaisesRegex(TypeError, r"use select\(condition, a, b\) instead of if"):
                wrong()

    def test_what_is_no_expression_is_refused_by_name(self):
        with self.assertRaisesRegex(TypeError, "expected a number or an expression, found str"):
            td.Var("x") + "1"
        with self.assertRaisesRegex(TypeError, "expected a number or an expression, found ndarray"):
            td.Var("x") + np.arange(3)
        with self.assertRaisesRegex(TypeError, "expected a number or an expression, found NoneType"):
            td.Func("f")[None] = 1


class Types(unittest.TestCase):
    def test_a_type_is_given_as_numpy_or_the_language_calls_it(self):
        for given in ("f32", "float32", np.float32, np.dtype("float32"), td.Float(32), td.Type("f32")):
            self.assertEqual(td.Input("a", given, [3]).type, td.Float(32))
        self.assertEqual(td.Input("a", bool, [3]).type, td.Bool())
        self.assertEqual(td.Input("a", float, [3]).type, td.Float(64))
        self.assertEqual(td.Float(16).dtype, np.float16)

    def test_a_type_that_is_not_there_is_refused_with_those_that_are(self):
        for wrong in ("f31", "complex64", "U8", np.complex128, object):
            with self.assertRaisesRegex(td.Error, "f16, f32, f64, i8, i16"):
                td.Input("a", wrong, [3])
        with self.assertRaisesRegex(td.Error, "no type has 288 bits"):
            td.Int(288)


class Definitions(unittest.TestCase):
    def test_updates_run_in_order(self):
        x = td.Var("x")
        r = td.RDom([(0, 3)], "r")
        f = td.Func("f")
        f[x] = x
        f[x] += r + 1
        f[x] *= 2
        f[0] -= 1
        f.bound([3])
        self.assertEqual(f.updates, 3)
        np.testing.assert_array_equal(td.Pipeline(f).realize(), [11, 14, 16])

    def test_a_sum_starts_at_nothing(self):
        x = td.Var("x")
        a = td.Input("a", np.float32, [3, 4])
        r = td.RDom([(0, 4)], "r")
        total, largest = td.Func("total"), td.Func("largest")
        total[x] += a[x, r]
        largest[x].maximize(a[x, r])
        both = td.Func("both")
        both[x] = (total[x], largest[x], td.sum(a[x, r]), td.maximum(r, a[x, r]))
        both.bound([3])
        A = np.arange(12, dtype=np.float32).reshape(3, 4)
        outputs = td.Pipeline(both).realize_all({"a": A})
        for got, expected in zip(outputs, [A.sum(1), A.max(1), A.sum(1), A.max(1)]):
            np.testing.assert_array_equal(got, expected)

    def test_tuples_are_tuples(self):
        x = td.Var("x")
        a = td.Input("a", np.int32, [5])
        r = td.RDom([(0, 5)], "r")
        f = td.Func("f")
        f[()] = td.argmax(a[r])
        f[()][1] += 100
        where, value = td.Pipeline(f).realize_all({"a": np.array([3, 9, 4, 9, 1], np.int32)})
        self.assertEqual((where.item(), value.item()), (1, 109))
        g = td.Func("g")
        g[x] = td.select(x > 0, (x, 2 * x), (7, 8))
        h = td.Func("h")
        h[x] = g[x]
        h[x] += g[x]
        h.bound([2])
        first, second = td.Pipeline(h).realize_all()
        self.assertEqual((first.tolist(), second.tolist()), ([14, 2], [16, 4]))
        self.assertEqual(len(h[x].components()), 2)

    def test_a_domain_has_axes(self):
        outer, inner = td.RDom([(0, 2), (1, 3)], "r")
        self.assertEqual((outer.name, inner.name), ("r_0", "r_1"))
        with self.assertRaisesRegex(td.DefinitionError, r"RDom\[2\]: the axis is out of range; the domain has 2 axes"):
            td.RDom([(0, 2), (1, 3)])[2]
        with self.assertRaisesRegex(TypeError, "expected a range"):
            td.RDom([3, 4])

    def test_a_condition_thins_a_domain_out(self):
        x = td.Var("x")
        r = td.RDom([(0, 4), (0, 4)], "r")
        r.where(r[1] <= r[0])
        f = td.Func("f")
        f[x] += td.cast(td.Int(), r[0] * 0 + 1 + 0 * x)
        f.bound([1])
        self.assertEqual(td.Pipeline(f).realize().item(), 10)

    def test_boundaries_extend_a_tensor(self):
        x = td.Var("x")
        a = td.Input("a", np.int32, [3])
        near = td.BoundaryConditions.repeat_edge(a, [3])
        far = td.BoundaryConditions.constant(a, -1, [3])
        f = td.Func("f")
        f[x] = near[x - 1] * 100 + far[x - 1]
        f.bound([5])
        np.testing.assert_array_equal(
            td.Pipeline(f).realize({"a": np.array([1, 2, 3], np.int32)}), [99, 101, 202, 303, 299]
        )

    def test_mistakes_have_the_texts_of_the_library(self):
        x, y = td.vars("x y")
        a = td.Input("a", np.float32, [3, 4])
        with self.assertRaisesRegex(td.DefinitionError, "a: indexed with 1 index, but it has 2 dimensions"):
            a[x] + 1
        f = td.Func("f")
        with self.assertRaisesRegex(td.DefinitionError, "f"):
            f[x] + 1
        with self.assertRaisesRegex(td.DefinitionError, "a Func cannot be sliced"):
            f[:] = 1
        with self.assertRaisesRegex(td.DefinitionError, 'the Var "x" indexes two dimensions'):
            f[x, x] = 1
        with self.assertRaises(td.DefinitionError):
            td.Var("")
        with self.assertRaises(TypeError):
            iter(f)
        g = td.Func("g")
        g[x] = 1
        made = g[x]
        made += 1
        with self.assertRaisesRegex(td.DefinitionError, "the right side is the result of an update of g"):
            f[x] = made
        self.assertTrue(issubclass(td.DefinitionError, td.Error))

    def test_functions_of_numpy_name_the_languages(self):
        x, n, r = td.Var("x"), td.Param("n", "f32"), td.RDom([(0, 4)])
        f = td.Func("f")
        f[x] = (n, x)
        for expression in (x + 1, x, n, r, f[x], f[x][0]):
            for function, ours in [(np.sin, "sin"), (np.sqrt, "sqrt"), (np.absolute, "abs"), (np.arctan, "atan"),
                                   (np.isnan, "is_nan"), (np.rint, "round"), (np.exp2, "exp2")]:  # fmt: skip
                text = rf"numpy\.{function.__name__} needs arrays, but an expression has no value before kernels run; "
                with self.assertRaisesRegex(TypeError, text + rf"write td\.{ours}$"):
                    function(expression)
                self.assertTrue(hasattr(td, ours))
        for call, ours in [(lambda: np.maximum(x, 1), "max"), (lambda: np.minimum(1, x), "min"),
                           (lambda: np.arctan2(x, x), "atan2"), (lambda: np.fmod(x, 3), "fmod")]:  # fmt: skip
            with self.assertRaisesRegex(TypeError, rf"write td\.{ours}$"):
                call()
        with self.assertRaisesRegex(TypeError, "numpy.spacing needs arrays, but .* value before kernels run$"):
            np.spacing(x)

    def test_operators_of_numpy_are_those_of_expressions(self):
        x = td.Var("x")
        two = np.int32(2)
        for made, meant in [(two + x, 2 + x), (two - x, 2 - x), (x * two, x * 2), (two / x, 2 / x), (two // x, 2 // x),
                            (two % x, 2 % x), (two << x, 2 << x), (two < x, x > 2), (two >= x, x <= 2),
                            (two == x, x == 2), (np.add(x, 1), x + 1), (np.power(x, two), x**2), (np.float32(2) * x, 2.0 * x)]:  # fmt: skip
            self.assertTrue(td.same(made, meant), (made, meant))
        for call in (lambda: np.arange(3) + x, lambda: x + np.arange(3), lambda: np.multiply(np.ones(2), x)):
            with self.assertRaisesRegex(TypeError, "expected a number or an expression, found nd|unsupported operand"):
                call()


if __name__ == "__main__":
    unittest.main()
