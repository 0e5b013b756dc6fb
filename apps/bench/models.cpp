#include "apps/bench/models.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <numeric>

#include "apps/bench/geometric_mean.h"
#include "apps/bench/timing.h"
#include "apps/support/run_python.h"
#include "runtime/values/evaluate.h"
#include "tensordsl/error.h"
#include "tensordsl/model.h"

namespace tensordsl::bench {
namespace {

constexpr const char* kRunScript = R"(
import sys, time
try:
    import numpy as np
    import onnxruntime as ort
except ImportError as error:
    print(error, file=sys.stderr)
    sys.exit(3)
model, threads, runs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
options = ort.SessionOptions()
options.intra_op_num_threads = threads
options.inter_op_num_threads = 1
options.log_severity_level = 3
session = ort.InferenceSession(model, options, providers=['CPUExecutionProvider'])
kinds = {'tensor(float)': np.float32, 'tensor(int64)': np.int64, 'tensor(int32)': np.int32}
feed = {i.name: np.ones([d if isinstance(d, int) else 1 for d in i.shape], kinds[i.type])
        for i in session.get_inputs()}
start = time.perf_counter()
while time.perf_counter() - start < 0.3:
    session.run(None, feed)
times = []
for run in range(runs):
    begin = time.perf_counter()
    session.run(None, feed)
    times.append(time.perf_counter() - begin)
print(sorted(times)[runs // 2] * 1e3)
)";

/// Returns the median milliseconds of a round of ONNX Runtime's; on a failure nullopt, and its message.
std::optional<double> peer_round(const std::string& model, int threads, int runs, std::string& failure) {
  const apps::PythonResult result = apps::run_python("--peers", apps::kWithOnnxRuntime, kRunScript,
                                                     {model, std::to_string(threads), std::to_string(runs)});
  if (result.code != 0) {
    failure = "ONNX Runtime: " + result.err;
    return std::nullopt;
  }
  return std::stod(result.out);
}

std::map<std::string, Buffer> inputs_of(const Model& model) {
  std::map<std::string, Buffer> inputs;
  for (const ModelTensor& input : model.inputs()) {
    std::vector<std::int64_t> shape;
    for (const Expr& extent : input.shape) shape.push_back(runtime::evaluate(extent, ParamValues()));
    Buffer value(input.type, shape);
    for (std::int64_t i = 0; i < value.elements(); ++i) value.set(i, 1);
    inputs.emplace(input.name, std::move(value));
  }
  return inputs;
}

Program compiled(const Model& model, const ModelBenchOptions& options, Device& device) {
  CompileTarget target;
  target.device = device.info();
  if (options.tries == 0) return model.compile(target);
  return model.autoschedule(target, {.trials_of_kernel = options.tries, .device = &device});
}

double milliseconds_of(Runner& runner) {
  const auto begin = std::chrono::steady_clock::now();
  runner.run();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/// A round begins with runs that do not count, as the peer's does: cores that have waited for the other's
/// round to end are slow for some milliseconds.
double median_run(Runner& runner, int runs) {
  constexpr std::chrono::milliseconds kUncounted(300);
  const auto begin = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - begin < kUncounted) runner.run();
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) times.push_back(milliseconds_of(runner));
  return median(std::move(times));
}

ModelResult measure_model(const std::string& file, const ModelBenchOptions& options, Device& device) {
  ModelResult result;
  result.model = std::filesystem::path(file).stem().string();
  try {
    ModelOptions loading;
    loading.random_weights = true;
    const Model model = Model::load(file, loading);
    const auto program = std::make_shared<const Program>(compiled(model, options, device));
    result.launches = static_cast<int>(program->launches.size());
    Runner runner(program, device);
    runner.write_all(inputs_of(model));
    std::vector<double> ours, theirs, ratios;
    bool has_peer = options.peers;
    for (int round = 0; round < options.rounds; ++round) {
      ours.push_back(median_run(runner, options.runs));
      if (!has_peer) continue;
      const auto peer = peer_round(file, device.info().compute_units, options.runs, result.failure);
      has_peer = peer.has_value();
      if (!has_peer) continue;
      theirs.push_back(*peer);
      ratios.push_back(*peer / ours.back());
    }
    result.ms = median(ours);
    if (!theirs.empty()) {
      result.peer_ms = median(theirs);
      result.ratio = median(ratios);
    }
    std::vector<double> kernels;
    for (int i = 0; i < options.runs; ++i) {
      const std::vector<std::int64_t> times = runner.run_timed();
      kernels.push_back(static_cast<double>(std::accumulate(times.begin(), times.end(), std::int64_t{0})) *
                        1e-6);
    }
    result.kernels_ms = median(kernels);
  } catch (const Error& error) {
    result.failure = error.what();
  }
  return result;
}

}  // namespace

std::vector<ModelResult> run_models(const ModelBenchOptions& options, Device& device,
                                    const std::function<void(const ModelResult&)>& told) {
  std::vector<ModelResult> results;
  for (const std::string& model : options.models) {
    results.push_back(measure_model(model, options, device));
    told(results.back());
  }
  return results;
}

nlohmann::ordered_json to_json(const ModelResult& r) {
  const auto optional = [](const std::optional<double>& number) {
    return number ? nlohmann::ordered_json(*number) : nlohmann::ordered_json();
  };
  nlohmann::ordered_json json{{"model", r.model},
                              {"ms", r.ms},
                              {"kernels_ms", r.kernels_ms},
                              {"launches", r.launches},
                              {"onnxruntime_ms", optional(r.peer_ms)},
                              {"ratio", optional(r.ratio)}};
  if (!r.failure.empty()) json["failure"] = r.failure;
  return json;
}

std::string to_text(const ModelResult& r) {
  if (r.ms == 0) return fmt::format("{:<16} FAILED: {}", r.model, r.failure);
  std::string text =
      fmt::format("{:<16} {:>9.3f} ms, {:>9.3f} in {} kernels", r.model, r.ms, r.kernels_ms, r.launches);
  if (r.ratio) text += fmt::format("; ONNX Runtime {:.3f} ms, ratio {:.3f}", *r.peer_ms, *r.ratio);
  return r.failure.empty() ? text : text + "; " + r.failure;
}

std::string summary_of(const std::vector<ModelResult>& results) {
  GeometricMean ratios;
  for (const ModelResult& r : results) {
    if (r.ratio) ratios.add(*r.ratio);
  }
  if (ratios.count() == 0) return "";
  return fmt::format("{} models, geometric mean of the ratios {:.3f}", ratios.count(), ratios.value());
}

}  // namespace tensordsl::bench
