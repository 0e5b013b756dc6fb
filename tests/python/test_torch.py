"""torch.compile(model, backend="tensordsl"), where torch is installed."""

import subprocess
import sys
import unittest
import warnings

try:
    import onnx  # noqa: F401
    import torch
except ImportError as missing:
    print(f"{missing.name} is not installed")
    sys.exit(77)

import support
import tensordsl as td
import tensordsl.torch_backend  # noqa: F401


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 8, 3, padding=1)
        self.norm = torch.nn.BatchNorm2d(8)
        self.linear = torch.nn.Linear(8, 5)

    def forward(self, image):
        features = torch.relu(self.norm(self.conv(image)))
        return self.linear(features.mean((2, 3))), features


class TorchBackend(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(1)
        torch._dynamo.reset()
        self.model = Net().eval()

    def check(self, compiled, *arguments):
        with torch.no_grad():
            for got, expected in zip(compiled(*arguments), self.model(*arguments)):
                self.assertEqual((got.shape, got.dtype), (expected.shape, expected.dtype))
                torch.testing.assert_close(got, expected, rtol=1e-4, atol=1e-5)

    def test_a_model_gives_what_torch_gives_at_every_size(self):
        compiled = torch.compile(self.model, backend="tensordsl")
        for batch, side in [(1, 8), (1, 8), (3, 8), (2, 17), (7, 5)]:
            self.check(compiled, torch.randn(batch, 3, side, side))

    def test_options_are_those_of_compile(self):
        self.check(torch.compile(self.model, backend="tensordsl", options={"device": "cpu"}), torch.randn(1, 3, 4, 4))
        torch._dynamo.reset()  # some versions take what was compiled with other options
        with self.assertRaisesRegex(Exception, "precision is 'half'"), torch.no_grad():
            torch.compile(self.model, backend="tensordsl", options={"precision": "half"})(torch.randn(1, 3, 4, 4))

    def test_a_function_with_numbers_is_a_graph_too(self):
        def function(x, n):
            return torch.softmax(x * n, -1) + n

        compiled = torch.compile(function, backend="tensordsl")
        with torch.no_grad():
            for n in (1, 2, 5):
                x = torch.randn(4, 6)
                torch.testing.assert_close(compiled(x, n), function(x, n), rtol=1e-4, atol=1e-5)

    def test_weights_that_are_changed_count(self):
        compiled = torch.compile(self.model, backend="tensordsl")
        image = torch.randn(2, 3, 6, 6)
        self.check(compiled, image)
        with torch.no_grad():
            self.model.conv.weight.mul_(3)
            self.model.norm.running_mean.add_(1)
        self.check(compiled, image)
        other = Net().eval()
        self.model.load_state_dict(other.state_dict())
        self.check(compiled, image)

    def test_parameters_that_are_replaced_count(self):
        layer = torch.nn.Linear(7, 3)
        compiled = torch.compile(layer, backend="tensordsl")
        x = torch.randn(2, 7)
        with torch.no_grad():
            for _ in range(6):
                layer.weight = None
                layer.weight = torch.nn.Parameter(torch.randn(3, 7))
                torch.testing.assert_close(compiled(x), layer(x), rtol=1e-4, atol=1e-5)

    def told_by(self, function, *calls):
        """Calls a compiled function, compares its results with PyTorch's, and returns what was warned of."""
        compiled = torch.compile(function, backend="tensordsl")
        with torch.no_grad(), warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            for arguments in calls:
                got, expected = compiled(*arguments), function(*arguments)
                torch.testing.assert_close(got, expected, rtol=1e-4, atol=1e-5, equal_nan=True)
        return [str(w.message) for w in told if str(w.message).startswith("tensordsl: ")]

    def test_what_the_export_would_get_wrong_is_left_to_torch_with_one_warning(self):
        images = [(torch.randn(1, 2, 4, 4),)] * 3
        told = self.told_by(lambda x: torch.nn.functional.avg_pool2d(x, 2, divisor_override=3), *images)
        self.assertEqual(len(told), 1)
        self.assertRegex(told[0], r"a graph falls back to PyTorch: output 0 \(\w+\) differs in \d of 8 values: ")
        self.assertRegex(told[0], r"values: .* instead of .* at \[0, 0, 0, 0\], if it is exported as ONNX$")
        told = self.told_by(torch.sign, (torch.tensor([1.0, -3, 0]),), (torch.tensor([1.0, float("nan"), -3]),))
        self.assertEqual(told, ["tensordsl: a graph falls back to PyTorch: the export of sign gives NaN for NaN, where "
                                "PyTorch gives 0"])  # fmt: skip

    def test_what_an_export_gets_wrong_for_some_values_is_right_for_all(self):
        def put(x, i, v):
            return x.index_put((i,), v, accumulate=True)

        def add(x, i, v):
            return x.index_add(0, i, v)

        calls = [(torch.zeros(4), torch.tensor(i), torch.randn(3)) for i in ([0, 1, 2], [1, 1, 2], [3, 3, 3])]
        for function in (put, add):
            self.assertLessEqual(len(self.told_by(function, *calls)), 1)
        integers = torch.tensor([-5, 5, -4], dtype=torch.int32)
        for function in (lambda x: x.cumsum(0), lambda x: x // 2, lambda x: x % 3):
            self.assertLessEqual(len(self.told_by(function, (integers.abs(),), (integers,))), 1)
        quotients = [(torch.randn(5), t) for t in (1.0, 0.7, 0.5, 0.25)]
        self.assertLessEqual(len(self.told_by(lambda x, t: x / t, *quotients)), 1)

    def test_what_changes_its_input_is_left_to_torch(self):
        changed = torch.zeros(3)
        add = torch.compile(lambda x: x.add_(1), backend="tensordsl")
        with torch.no_grad(), self.assertWarnsRegex(UserWarning, "it changes an input or a buffer in place"):
            for i in range(3):
                self.assertEqual(add(changed).tolist(), [i + 1] * 3)
                self.assertEqual(changed.tolist(), [i + 1] * 3)

    def test_random_numbers_are_those_that_torch_draws(self):
        for function in (torch.nn.Dropout(0.5), lambda x: x + torch.rand(64), lambda x: torch.bernoulli(x / 2)):
            compiled = torch.compile(function, backend="tensordsl")
            x = torch.ones(64)
            with torch.no_grad(), warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                torch.manual_seed(5)
                got = [compiled(x) for _ in range(3)]
                torch.manual_seed(5)
                expected = [function(x) for _ in range(3)]
            torch.testing.assert_close(got, expected)
            self.assertFalse(torch.equal(got[0], got[1]))
            self.assertEqual([str(w.message) for w in told if "tensordsl" in str(w.message)],
                             ["tensordsl: a graph falls back to PyTorch: it draws random numbers, which would be others "
                              "than PyTorch's"])  # fmt: skip

    def test_the_fast_path_of_attention_is_undone(self):
        layer = torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
        encoder = torch.nn.TransformerEncoder(layer, 2).eval()
        self.assertEqual(self.told_by(encoder, (torch.randn(2, 5, 8),), (torch.randn(1, 3, 8),)), [])
        self.assertTrue(torch.backends.mha.get_fastpath_enabled())

    def test_less_precision_is_no_difference(self):
        for options in ({"precision": "fp16"}, {"weights": "int8"}):
            compiled = torch.compile(self.model, backend="tensordsl", options=options)
            image = torch.randn(1, 3, 8, 8)
            with torch.no_grad(), warnings.catch_warnings():
                warnings.simplefilter("error")
                torch.testing.assert_close(compiled(image)[0], self.model(image)[0], rtol=0.1, atol=0.1)

    def test_exporters_print_nothing(self):
        script = (
            "import torch, tensordsl.torch_backend\n"
            "with torch.no_grad():\n"
            "    torch.compile(torch.nn.Linear(3, 2), backend='tensordsl')(torch.ones(1, 3))\n"
            "    torch.compile(torch.hypot, backend='tensordsl')(torch.ones(3), torch.ones(3))\n"
        )
        run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stdout), (0, ""), run.stderr)
        self.assertIn("a graph falls back to PyTorch: its export as ONNX failed", run.stderr)

    def test_threads_get_their_own_results(self):
        compiled = torch.compile(torch.nn.Linear(5, 3), backend="tensordsl")
        layer = compiled._orig_mod
        wrong = []

        def work(seed):
            x = torch.full((2, 5), float(seed))
            with torch.no_grad():
                for _ in range(40):
                    if not torch.allclose(compiled(x), layer(x), rtol=1e-4, atol=1e-4):
                        wrong.append(seed)

        with torch.no_grad():
            compiled(torch.zeros(2, 5))
        support.run_in_threads(work, 4)
        self.assertEqual(wrong, [])

    def test_results_may_be_none_and_numbers_and_inputs_integers(self):
        class Embedding(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.table = torch.nn.Embedding(11, 6)
                self.norm = torch.nn.LayerNorm(6)

            def forward(self, tokens):
                return {"rows": self.norm(self.table(tokens)), "none": None, "count": tokens.shape[1]}

        model = Embedding().eval()
        with torch.no_grad():
            tokens = torch.tensor([[1, 5, 10], [0, 0, 7]])
            got, expected = torch.compile(model, backend="tensordsl")(tokens), model(tokens)
        torch.testing.assert_close(got["rows"], expected["rows"], rtol=1e-4, atol=1e-5)
        self.assertEqual((got["none"], got["count"]), (None, 3))

    def test_what_cannot_be_exported_is_left_to_torch(self):
        layer = torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True).eval()
        narrow = torch.nn.Linear(4, 4).to(torch.bfloat16)
        with torch.no_grad(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            x = torch.randn(2, 5, 8)
            torch.testing.assert_close(torch.compile(layer, backend="tensordsl")(x), layer(x), rtol=1e-4, atol=1e-4)
            y = torch.randn(3, 4).to(torch.bfloat16)
            torch.testing.assert_close(torch.compile(narrow, backend="tensordsl")(y), narrow(y))

    def test_blocks_of_one_kind_are_compiled_once_each(self):
        blocks = [torch.nn.Linear(6, 6) for _ in range(20)]
        compiled = [torch.compile(block, backend="tensordsl") for block in blocks]
        x = torch.randn(2, 6)
        with torch.no_grad():
            for _ in range(2):
                for block, made in zip(blocks, compiled):
                    torch.testing.assert_close(made(x), block(x), rtol=1e-4, atol=1e-5)

    def test_a_module_stays_in_the_mode_that_it_is_in(self):
        for mode in (True, False):
            layer = torch.nn.Sequential(torch.nn.Linear(4, 2), torch.nn.ReLU()).train(mode)
            with torch.no_grad():
                torch.compile(layer, backend="tensordsl")(torch.randn(3, 4))
            self.assertEqual([part.training for part in layer.modules()], [mode] * 3)

    def test_there_are_no_modes(self):
        compiled = torch.compile(self.model, backend="tensordsl", mode="max-autotune")
        with torch.no_grad(), self.assertRaisesRegex(Exception, "unsupported mode 'max-autotune'; use options"):
            compiled(torch.randn(1, 3, 4, 4))

    def test_parameters_that_want_gradients_are_warned_of_once(self):
        compiled = torch.compile(torch.nn.Linear(4, 2), backend="tensordsl")
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            for _ in range(2):
                compiled(torch.randn(3, 4))
        self.assertEqual(sum("results have no gradients" in str(w.message) for w in told), 1)

    def test_gradients_are_refused(self):
        compiled = torch.compile(self.model, backend="tensordsl")
        with self.assertRaisesRegex(td.Error, r"call the model under torch.no_grad\(\)"):
            compiled(torch.randn(1, 3, 4, 4, requires_grad=True))


if __name__ == "__main__":
    unittest.main()
