"""Notebooks and consoles show what an object is."""

import html.parser
import pydoc
import unittest

import numpy as np

import tensordsl as td


def doubled():
    x = td.Var("x")
    a = td.Input("a", "f32", [4])
    f = td.Func("f")
    f[x] = a[x] * 2
    f.bound([4])
    return f


class Tags(html.parser.HTMLParser):
    """The text of a page by its tags; every tag that was opened must be closed."""

    def __init__(self, page):
        super().__init__()
        self.texts, self.opened = {}, []
        self.feed(page)
        assert not self.opened, self.opened

    def handle_starttag(self, tag, attrs):
        self.opened.append(tag)

    def handle_endtag(self, tag):
        assert self.opened.pop() == tag, tag

    def handle_data(self, data):
        self.texts.setdefault(self.opened[-1], []).append(data)


class Shown(unittest.TestCase):
    def test_a_repr_says_what_it_is_of(self):
        f = doubled()
        n = td.Param("n")
        pipeline = td.Pipeline(f)
        host = td.Device.open("host").info.name
        program = pipeline.compile("host")
        for thing, text in (
            (pipeline, "Pipeline(f)"),
            (td.Schedule.of(f), "Schedule(1 directive)"),
            (td.Schedule.of(doubled().vectorize("x", 4)), "Schedule(2 directives)"),
            (pipeline.prepare("host"), f"Runner(f on {host})"),
            (td.RDom([(0, 5), (1, n)], "r"), "RDom(r_0, r_1)"),
            (n, "Param(n: i32)"),
            (td.Param("scale", np.float32), "Param(scale: f32)"),
            (program, "Program(f, 1 kernel)"),
            (td.Package(program), "Package(f)"),
            (td.Package(program, "net.onnx", "a GPU"), "Package(f, of net.onnx, for a GPU)"),
            (td.HwProfile.load("adreno640"), "HwProfile(QUALCOMM Adreno(TM) 640)"),
        ):
            self.assertEqual(repr(thing), text)

    def test_help_lists_classes_and_functions(self):
        for name in ("Pipeline", "Func", "CompiledModel", "compile", "load", "vars", "sin", "as_array", "ShapeError"):
            self.assertIn(name, td.__all__)
        self.assertEqual([name for name in td.__all__ if name.startswith("_") or not hasattr(td, name)], [])
        text = pydoc.plain(pydoc.render_doc(td))
        for name in ("Pipeline", "CompiledModel"):
            self.assertTrue(f"class {name}(" in text, name)

    def test_a_pipeline_has_its_kernels_tensors_and_every_stage(self):
        tags = Tags(td.Pipeline(doubled())._repr_html_())
        self.assertEqual(tags.texts["h4"], ["Pipeline f"])
        self.assertEqual(tags.texts["h5"], ["Kernels", "Tensors"])
        self.assertEqual(tags.texts["td"][0], "f_kernel")
        for value in ("a", "input", "f32 [4]", "f", "output"):
            self.assertIn(value, tags.texts["td"])
        self.assertEqual(tags.texts["summary"], ["definitions", "schedule", "loops", "lowered", "kernel f_kernel"])
        self.assertIn("void f_kernel(", tags.texts["pre"][-1])

    def test_a_program_and_a_model_have_their_kernels(self):
        program = td.Pipeline(doubled()).compile("host")
        self.assertEqual(Tags(program._repr_html_()).texts["summary"], ["kernel f_kernel"])
        model = td.CompiledModel(program, td.Device.open("host"))
        self.assertEqual(model._repr_html_(), program._repr_html_())

    def test_a_profile_has_its_figures(self):
        tags = Tags(td.HwProfile.load("adreno640")._repr_html_())
        self.assertEqual(tags.texts["h4"], ["Hardware profile QUALCOMM Adreno(TM) 640"])
        at = tags.texts["td"].index("registers.per_item")
        self.assertEqual(tags.texts["td"][at : at + 4], ["registers.per_item", "181", "181", "181"])

    def test_a_pipeline_that_does_not_compile_says_why(self):
        x, y = td.vars("x y")
        f = td.Func("f")
        g = td.Func("g")
        g[x] = x
        f[x, y] = g[x] + y
        g.compute_at(f, y)
        f.bound([4, 4]).reorder(y, x).fuse(y, x, "t")
        tags = Tags(td.Pipeline(f)._repr_html_())
        self.assertIn("It does not compile: ", tags.texts["p"][0])
        self.assertEqual(tags.texts["summary"], ["definitions", "schedule"])


if __name__ == "__main__":
    unittest.main()
