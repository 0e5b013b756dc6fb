"""The type stubs are Python, and say of every class and function what the module has."""

import ast
import inspect
import pathlib
import subprocess
import sys
import tempfile
import unittest

import tensordsl as td

PACKAGE = pathlib.Path(td.__file__).parent


PROGRAM = """\
import numpy as np
import tensordsl as td

y, x = td.Var("y"), td.Var("x")
r = td.RDom([(0, 4)])
a = td.Input("a", np.float32, [4, 4])
product = td.Func("product")
product[y, x] = 0.0
product[y, x] += a[y, r] * a[r, x]
product[y, x] -= 1
product[y, x] *= 2.0
product[y, x] /= 2.0
pair = td.Func("pair")
pair[x] = (x, x + 1)
pair[x][1] += 2
pair[x] += (1, 2)
result: np.ndarray[tuple[int, ...], np.dtype[np.float32]] = td.Pipeline(product.bound([4, 4])).realize({"a": [[1.0]]})
"""


class Stubs(unittest.TestCase):
    def setUp(self):
        self.tree = ast.parse((PACKAGE / "_tensordsl.pyi").read_text())

    def test_every_public_name_has_a_stub(self):
        stubbed = {node.name for node in self.tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        there = {name for name, value in vars(td._tensordsl).items()
                 if not name.startswith("_") and (inspect.isclass(value) or callable(value))}  # fmt: skip
        self.assertGreater(len(there), 80)
        self.assertEqual(there - stubbed, set())

    def test_every_public_method_has_a_text(self):
        bare = []
        for node in self.tree.body:
            if not isinstance(node, ast.ClassDef):
                continue
            functions = [m for m in node.body if isinstance(m, ast.FunctionDef) and not m.name.startswith("_")]
            told = {f.name for f in functions if ast.get_docstring(f)}  # one of several overloads, a property's getter
            bare += [f"{node.name}.{f.name}" for f in functions if f.name not in told]
        self.assertEqual(bare, [])

    def test_no_stub_names_a_type_of_cpp(self):
        text = (PACKAGE / "_tensordsl.pyi").read_text()
        for sign in ("::", "std.", "tensordsl::"):
            self.assertNotIn(sign, text)

    def test_a_type_checker_accepts_the_package(self):
        try:
            import mypy  # noqa: F401
        except ImportError:
            self.skipTest("mypy is not installed")
        run = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", "/dev/null",
                              *(str(PACKAGE / name) for name in ("__init__.py", "compiled_model.py", "notebook.py"))],
                             capture_output=True, text=True)  # fmt: skip
        self.assertEqual(run.returncode, 0, run.stdout)

    def test_a_type_checker_accepts_a_program_and_sees_its_mistakes(self):
        try:
            import mypy.api
        except ImportError:
            self.skipTest("mypy is not installed")
        for mistake, lines in (("", ""), ("product[y, x] += 'a'\n", ":18: "), ("td.Pipeline(3)\n", ":18: ")):
            with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
                file.write(PROGRAM + mistake)
                file.flush()
                out, _, status = mypy.api.run(["--strict", "--cache-dir", "/dev/null", file.name])
            self.assertEqual(status != 0, mistake != "", out)
            self.assertIn(lines, out)


if __name__ == "__main__":
    unittest.main()
