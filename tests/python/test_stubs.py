"""The type stubs are Python, and say of every class and function what the module has."""

import ast
import inspect
import pathlib
import subprocess
import sys
import unittest

import tensordsl as td

PACKAGE = pathlib.Path(td.__file__).parent


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
                              str(PACKAGE / "__init__.py"), str(PACKAGE / "compiled_model.py")],
                             capture_output=True, text=True)  # fmt: skip
        self.assertEqual(run.returncode, 0, run.stdout)


if __name__ == "__main__":
    unittest.main()
