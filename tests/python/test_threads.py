"""A Runner is one thread's at a time, and abandoned threads end with the process."""

import subprocess
import sys
import threading
import unittest

import numpy as np

import support
import tensordsl as td

LEFT_BEHIND = """
import threading, time, numpy as np, tensordsl as td
x = td.Var("x")
r = td.RDom([(0, {steps})], "r")
a = td.Input("a", "f32", [4])
f = td.Func("f")
f[x] = td.cast("f32", 0)
f[x] += td.sin(a[x] + r[0])
f.bound([4])
runner = td.Pipeline(f).prepare("{device}")
runner.write("a", np.ones(4, np.float32))
begun = threading.Event()
def work():
    while True:
        begun.set()
        runner.run()
threading.Thread(target=work, daemon=True).start()
begun.wait()
time.sleep(0.01)
print("the end")
"""


def slow(device):
    """A Runner whose run takes a while."""
    x, r = td.Var("x"), td.RDom([(0, 2_000_000)], "r")
    a = td.Input("a", "f32", [4])
    f = td.Func("f")
    f[x] = td.cast("f32", 0)
    f[x] += td.sin(a[x] + r[0])
    f.bound([4])
    runner = td.Pipeline(f).prepare(device)
    runner.write("a", np.ones(4, np.float32))
    return runner


class Threads(unittest.TestCase):
    def test_a_runner_that_another_thread_uses_says_so(self):
        for device in support.devices():
            runner = slow(device)
            refused = []

            def work(_):
                for _ in range(3):
                    try:
                        runner.run()
                    except td.Error as error:
                        refused.append(str(error))

            while not refused:
                support.run_in_threads(work, 2)
            self.assertEqual(set(refused), {"the Runner is in use by another thread; use one Runner per thread"})
            runner.run()
            self.assertEqual(runner.read("f").shape, (4,))

    def test_python_ends_while_a_thread_runs_kernels(self):
        for info in td.Device.list():
            program = LEFT_BEHIND.format(steps=20_000, device=f"{info.platform_number}:{info.device_number}")
            for _ in range(3):
                done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "the end\n", ""))

    def test_a_child_ends_that_was_forked_while_a_thread_runs_kernels(self):
        program = LEFT_BEHIND.format(steps=20_000, device="host").replace(
            'print("the end")',
            "import os, sys\nchild = os.fork()\nif child == 0: sys.exit(7)\n"
            'print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))',
        )
        done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, timeout=300)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "7\n", ""))

    def test_python_goes_on_while_the_reference_computes(self):
        x = td.Var("x")
        r = td.RDom([(0, 300_000)], "r")
        f = td.Func("f")
        f[x] = 0
        f[x] += r[0] % 7
        f.bound([4])
        pipeline = td.Pipeline(f)
        ended, steps = threading.Event(), 0

        def work():
            pipeline.interpret()
            ended.set()

        thread = threading.Thread(target=work)
        thread.start()
        while not ended.wait(0.0001):
            steps += 1
        thread.join()
        self.assertGreater(steps, 1)


if __name__ == "__main__":
    unittest.main()
