"""Directives: they are those of C++, return their own object, and change no result."""

import re
import unittest

import numpy as np

import support
import tensordsl as td

def product(n=32, is_bound=True):
    a = td.Input("a", np.float32, [n, n])
    b = td.Input("b", np.float32, [n, n])
    y, x = td.vars("y x")
    k = td.RDom([(0, n)], "k")
    total, out = td.Func("total"), td.Func("out")
    total[y, x] += a[y, k] * b[k, x]
    out[y, x] = td.max(total[y, x], 0)
    if is_bound:
        out.bound([n, n])
    return total, out, k


class Directives(unittest.TestCase):
    def setUp(self):
        random = np.random.default_rng(1)
        self.a = random.random((32, 32), np.float32) - 0.5
        self.b = random.random((32, 32), np.float32) - 0.5
        self.expected = np.maximum(self.a @ self.b, 0)

    def check(self, out):
        for device in support.devices():
            result = td.Pipeline(out).realize({"a": self.a, "b": self.b}, device)
            np.testing.assert_allclose(result, self.expected, rtol=1e-4, atol=1e-5)

    def test_a_tiled_product_is_the_product(self):
        total, out, k = product()
        same = (
            out.tile("y", "x", "yo", "xo", "yi", "xi", 4, 8).unroll("yi").vectorize("xi").gpu_blocks("xo", "yo")
        )
        self.assertIs(same, out)
        total.compute_at(out, "xo").unroll("y").vectorize("x")
        total.update().reorder([k[0], "y", "x"]).unroll("y").vectorize("x")
        self.check(out)
        self.assertIn("float8", td.Pipeline(out).emit("cl"))

    def test_a_product_with_tiles_in_local_memory_is_the_product(self):
        total, out, k = product()
        out.split("y", "yo", "yi", 8).split("x", "xo", "xi", 8).reorder(["yo", "xo", "yi", "xi"])
        out.gpu_blocks("xo", "yo").gpu_threads("xi", "yi")
        total.compute_at(out, "xi")
        total.update().split(k[0], "ko", "ki", 8)
        tile = total.producer("b").in_(total)
        tile.compute_at(total.update(), "ko").store_in(td.Local)
        copied = tile.to_string()
        self.assertIn("store_in(Local)", copied)
        self.check(out)

    def test_a_split_sum_is_the_sum(self):
        total, out, k = product()
        total.compute_root()
        part = td.Var("part")
        total.update().split_k(k[0], 4, part)
        self.check(out)

    def test_a_schedule_is_data(self):
        total, out, k = product()
        out.vectorize("x", 8).gpu_blocks("y")
        text = td.Schedule.of(out).to_json()
        total2, again, k2 = product(is_bound=False)
        td.Schedule.from_json(text).apply(again)
        self.assertEqual(td.Pipeline(again).schedule.to_json(), text)
        self.assertEqual(td.Pipeline(again).emit("cl"), td.Pipeline(out).emit("cl"))
        self.assertIn('vectorize(x, 8', td.Schedule.of(out).to_cpp("schedule"))

    def test_the_library_chooses_a_schedule(self):
        total, out, k = product()
        device = td.Device.open()
        td.Pipeline(out).auto_schedule(device).apply(out)
        self.check(out)

    def test_layouts_and_images_are_directives(self):
        x, y = td.vars("x y")
        a = td.Input("a", np.float32, [8, 8], ["y", "x"])
        f = td.Func("f")
        f[y, x] = a[y, x] + 1
        f.bound([8, 8]).layout("y x/4 x%4").vectorize(x, 4)
        a.layout(td.Layout.parse("y x", ["y", "x"]))
        self.assertEqual(td.Layout.parse("y x/4 x%4", ["y", "x"]).position([1, 5], [8, 8]), 13)
        A = np.arange(64, dtype=np.float32).reshape(8, 8)
        np.testing.assert_array_equal(td.Pipeline(f).realize({"a": A}), A + 1)

    def test_mistakes_have_the_texts_of_the_library(self):
        total, out, k = product()
        with self.assertRaisesRegex(td.ScheduleError, r'out.vectorize\(z\): unknown loop "z"; the loops are y, x'):
            out.vectorize("z")
        with self.assertRaisesRegex(td.ScheduleError, r"out.split"):
            out.split("x", "xo", "xi", 0)
        with self.assertRaises(TypeError):
            out.split("x", "xo", "xi", "4")

    def test_every_directive_of_the_header_is_there(self):
        header = (support.SOURCE / "include/tensordsl/stage.h").read_text()
        names = set(re.findall(r"^  (?:Stage&?|Func) (\w+)\(", header, re.MULTILINE))
        self.assertGreater(len(names), 30)
        self.assertEqual({n for n in names if not hasattr(td.Stage, n)}, set())

    def test_every_function_of_an_expression_is_there(self):
        for file in ("expr.h", "inline_reductions.h"):
            header = (support.SOURCE / "include/tensordsl" / file).read_text()
            names = set(re.findall(r"^(?:Expr|Tuple) (\w+)\(", header, re.MULTILINE)) - {"operator"}
            self.assertGreater(len(names), 3)
            self.assertEqual({n for n in names if not hasattr(td, n)}, set())


if __name__ == "__main__":
    unittest.main()
