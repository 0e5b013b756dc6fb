"""Networks of torchvision with random weights by torch.compile(.., backend="tensordsl"), where it is installed."""

import sys
import unittest
import warnings

try:
    import onnx  # noqa: F401
    import torch
    import torchvision
except ImportError as missing:
    print(f"{missing.name} is not installed")
    sys.exit(77)

import tensordsl.torch_backend  # noqa: F401


class Networks(unittest.TestCase):
    def test_networks_give_what_torch_gives(self):
        for name in ("resnet18", "vit_b_16", "swin_t", "convnext_tiny", "mobilenet_v3_small"):
            with self.subTest(name), torch.no_grad(), warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                torch.manual_seed(7)
                torch._dynamo.reset()
                network = getattr(torchvision.models, name)(weights=None).eval()
                for parameter in network.parameters():
                    if not parameter.any():  # weights that begin at 0 hide errors before them
                        parameter.normal_(std=0.02)
                image = torch.randn(1, 3, 224, 224)
                expected = network(image)
                got = torch.compile(network, backend="tensordsl")(image)
                self.assertEqual([str(w.message) for w in told if "tensordsl" in str(w.message)], [])
                self.assertLess((got - expected).abs().max(), 1e-4 * expected.square().mean().sqrt())


if __name__ == "__main__":
    unittest.main()
