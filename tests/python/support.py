"""What the tests of the Python module have in common."""

import os
import pathlib
import threading

import tensordsl as td

SOURCE = pathlib.Path(os.environ["TENSORDSL_SOURCE"])


def run_in_threads(work, count):
    """work(0) to work(count - 1) at once, each in a thread of its own."""
    threads = [threading.Thread(target=work, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def devices():
    """Every device of this machine, opened."""
    return [td.Device.open(f"{info.platform_number}:{info.device_number}") for info in td.Device.list()]
