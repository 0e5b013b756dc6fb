"""Runs the Python of README.md and docs/PYTHON.md in its order, and finds public names that PYTHON.md lacks."""

import contextlib
import io
import os
import re
import tempfile
import unittest

import support
import tensordsl as td


def blocks_of(path):
    text = (support.SOURCE / path).read_text()
    return re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


class Documents(unittest.TestCase):
    def run_blocks(self, path, count):
        blocks = [block for block in blocks_of(path) if "torch." not in block]
        self.assertEqual(len(blocks), count)
        names = {}
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as printed:
            os.symlink(support.SOURCE / "models", os.path.join(folder, "models"))
            before = os.getcwd()
            os.chdir(folder)
            try:
                for block in blocks:
                    exec(compile(block, path, "exec"), names)
            finally:
                os.chdir(before)
        return names, printed.getvalue()

    def test_readme(self):
        names, printed = self.run_blocks("README.md", 1)
        self.assertIn("float32", printed)

    def test_the_reference(self):
        names, _ = self.run_blocks("docs/PYTHON.md", 4)
        self.assertEqual(names["scores"].shape[-1], 1000)
        self.assertEqual(names["result"].mean(), 2)
        self.assertEqual((names["doubled"].tolist(), names["pair"].tolist()), ([2, 4, 6], [8, 10]))

    def test_every_public_name_is_in_the_reference(self):
        text = (support.SOURCE / "docs/PYTHON.md").read_text()
        words = set(re.findall(r"`(\w+)`", text[text.index("## The API") :]))
        self.assertEqual([name for name in td.__all__ if name not in words], [])


if __name__ == "__main__":
    unittest.main()
