"""Programs, packages and models that are ready to run are pickled."""

import copy
import multiprocessing
import pickle
import unittest

import numpy as np

import support
import tensordsl as td


def doubled(extent=4):
    x = td.Var("x")
    a = td.Input("a", "f32", [extent])
    f = td.Func("f")
    f[x] = a[x] * 2
    f.bound([extent])
    return td.Pipeline(f)


def run_elsewhere(pickled):
    return pickle.loads(pickled)([1, 2, 3, 4])


class Pickle(unittest.TestCase):
    def test_a_program_comes_back_whole(self):
        table = np.arange(1000, dtype=np.float32)
        x = td.Var("x")
        a, b = td.Input("a", "f32", [1000]), td.Input("b", "f32", [1000])
        f = td.Func("f")
        f[x] = a[x] + b[x]
        f.bound([1000])
        program = td.Pipeline(f).set_constant("b", table).compile("host")
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            again = pickle.loads(pickle.dumps(program, protocol))
            self.assertEqual(again.to_json(), program.to_json())
            self.assertEqual([k.text for k in again.kernels], [k.text for k in program.kernels])
        runner = td.Runner(copy.deepcopy(program), "host")
        runner.write("a", table)
        runner.run()
        np.testing.assert_array_equal(runner.read("f"), table * 2)

    def test_a_compiled_model_runs_in_another_process(self):
        model = td.CompiledModel(doubled().compile("host"), td.Device.open("host"))
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            result = pool.apply(run_elsewhere, (pickle.dumps(model),))
        self.assertEqual(result.tolist(), [2, 4, 6, 8])

    def test_a_compiled_model_comes_back_on_its_device_with_its_package_and_params(self):
        for device in support.devices():
            package = td.Package(doubled(td.Param("n")).compile(device), "some.onnx", "some device")
            model = td.CompiledModel(package.program, device, {"n": 4}, package=package)
            again = pickle.loads(pickle.dumps(model))
            self.assertEqual(again.device.info.name, device.info.name)
            self.assertEqual(again.runner.params, {"n": 4})
            self.assertEqual(again([1, 2, 3, 4]).tolist(), [2, 4, 6, 8])
            kept = pickle.loads(pickle.dumps(package))
            self.assertEqual((kept.made_from, kept.compiled_for), ("some.onnx", "some device"))

    def test_what_is_no_package_is_refused(self):
        program = doubled().compile()
        make, arguments, state = program.__reduce_ex__(4)[:3]
        with self.assertRaisesRegex(td.Error, "the pickled package"):
            make(*arguments).__setstate__(state[:-9])


if __name__ == "__main__":
    unittest.main()
