"""What the tests of the Python module have in common."""

import os
import pathlib

import tensordsl as td

SOURCE = pathlib.Path(os.environ["TENSORDSL_SOURCE"])


def devices():
    """Every device of this machine, opened."""
    return [td.Device.open(f"{info.platform_number}:{info.device_number}") for info in td.Device.list()]
