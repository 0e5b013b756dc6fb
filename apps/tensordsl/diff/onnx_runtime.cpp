#include "apps/tensordsl/diff/onnx_runtime.h"

#include <fmt/format.h>

#include <vector>

#include "apps/support/run_python.h"
#include "apps/support/temporary_folder.h"
#include "model/export_model.h"
#include "runtime/buffer/npz.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {
namespace {

constexpr int kNoPackage = 3;
constexpr const char* kCall = "--onnxruntime";

constexpr const char* kScript = R"(
import os, sys
try:
    import numpy as np
    import onnxruntime as ort
except ImportError as error:
    print(error, file=sys.stderr)
    sys.exit(3)
model, inputs, outputs = sys.argv[1:]
options = ort.SessionOptions()
options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
options.log_severity_level = 3
session = ort.InferenceSession(model, options, providers=['CPUExecutionProvider'])
given = dict(np.load(inputs)) if os.path.exists(inputs) else {}
values = session.run(None, given)
np.savez(outputs, **{str(i): v for i, v in enumerate(values)
                     if isinstance(v, np.ndarray) and v.dtype.kind in 'biuf'})
print(ort.__version__)
)";

constexpr const char* kOtherwise =
    "; or drop --onnxruntime to compare with the operators' definitions, or compare with a file (--against)";

}  // namespace

OnnxRuntimeResult run_onnx_runtime(const std::string& model, bool random_weights, const Arrays& inputs) {
  const apps::TemporaryFolder folder(kCall);
  const auto file = [&](const char* name) { return folder.path() / name; };
  const std::vector<std::string> outputs = export_model(model, folder.path(), random_weights);
  if (!inputs.empty()) runtime::write_npz(file("inputs.npz"), inputs);
  const auto [code, version, error] =
      apps::run_python(kCall, (std::string(" and the package onnxruntime") + kOtherwise).c_str(), kScript,
                       {file("model.onnx"), file("inputs.npz"), file("outputs.npz")});
  if (code == kNoPackage) {
    throw Error(
        fmt::format("--onnxruntime: python3 cannot import its modules ({}); run python3 -m pip install "
                    "onnxruntime for the python3 that is first in PATH{}",
                    error, kOtherwise));
  }
  if (code != 0)
    throw Error(fmt::format("--onnxruntime: ONNX Runtime failed to run {}: {}", model,
                            error.empty() ? "its process ended early" : error));
  OnnxRuntimeResult result{version, {}};
  for (auto& [number, value] : runtime::read_npz(file("outputs.npz")))
    result.tensors.emplace(outputs.at(std::stoul(number)), std::move(value));
  return result;
}

}  // namespace tensordsl::cli
