#include "apps/bench/halide/halide.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>

#include "apps/bench/geometric_mean.h"
#include "apps/bench/halide/halide_pipelines.h"
#include "apps/bench/halide/halide_script.h"
#include "apps/bench/timing.h"
#include "apps/support/run_python.h"
#include "apps/support/temporary_folder.h"
#include "runtime/buffer/npy.h"
#include "tensordsl/autoschedule.h"
#include "tensordsl/error.h"

namespace tensordsl::bench {
namespace {

/// Runs the script of a file that is next to its arguments' folder, as if it had been named to python3.
constexpr const char* kRunFile =
    "import runpy, sys\nsys.argv = sys.argv[1:]\nrunpy.run_path(sys.argv[0], run_name='__main__')\n";

Buffer read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return runtime::read_npy(std::filesystem::file_size(path), [&](std::span<std::byte> to) {
    if (!file.read(reinterpret_cast<char*>(to.data()), static_cast<std::streamsize>(to.size())))
      throw ModelError(path.string() + " ends too early");
  });
}

/// Returns the share of elements whose difference rounding does not explain: sums are added up in another
/// order.
double different(const Buffer& a, const Buffer& b) {
  if (a.shape() != b.shape()) throw Error("Halide's output has a different shape");
  const double tolerance = a.type().is_float() ? 1e-3 : 1;
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < a.elements(); ++i) {
    const double difference = std::abs(a.get(i) - b.get(i));
    count += difference <= tolerance * (a.type().is_float() ? std::max(1.0, std::abs(b.get(i))) : 1) ? 0 : 1;
  }
  return static_cast<double>(count) / static_cast<double>(a.elements());
}

class HalideSubject {
 public:
  HalideSubject(const HalidePipeline& pipeline, const HalideOptions& options, Device& device)
      : name_(pipeline.name), device_(device), options_(options) {
    const Pipeline all({pipeline.output});
    AutoscheduleOptions trials;
    trials.trials_of_kernel = options.trials_of_kernel;
    const Schedule schedule =
        options.trials_of_kernel > 0 ? all.auto_schedule(device, trials) : all.auto_schedule(device.info());
    schedule.apply({pipeline.output});
    runner_ = all.prepare(device, pipeline.params);
    runner_->write_all(pipeline.inputs);
    runner_->run();
  }

  HalideResult measure() {
    HalideResult result;
    result.name = name_;
    result.kernels = static_cast<int>(runner_->program().launches.size());
    std::vector<double> times;
    time(times);
    if (options_.peer) compare(result);
    time(times);
    result.ms = median(std::move(times));
    return result;
  }

 private:
  double seconds(int count) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i) runner_->start();
    runner_->wait();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  /// Times a pipeline with the method of halide_pipelines.py.
  void time(std::vector<double>& ms) {
    constexpr double kLeast = 0.02;
    int count = 1;
    for (double taken = seconds(1); taken < kLeast; taken = seconds(count)) {
      const int enough = static_cast<int>(std::ceil(count * 1.1 * kLeast / taken));
      count = std::max(count + 1, std::min(10 * count, enough));
    }
    for (int run = 0; run < options_.runs; ++run) ms.push_back(seconds(count) / count * 1e3);
  }

  void compare(HalideResult& result) {
    const apps::TemporaryFolder folder("tensordsl-bench halide");
    const std::filesystem::path script = folder.path() / "halide_pipelines.py";
    std::ofstream file(script);
    file << halide_script().front().text();
    file.close();
    const apps::PythonResult python =
        apps::run_python("tensordsl-bench halide", " and the package halide, or pass --no-peer", kRunFile,
                         {script, folder.path(), name_, "--scale", std::to_string(options_.scale), "--runs",
                          std::to_string(options_.runs), "--device", device_.info().is_gpu ? "gpu" : "cpu",
                          "--platform", device_.info().platform});
    const auto line = nlohmann::json::parse(python.out, nullptr, false);
    if (line.is_discarded() || !line.contains("ms")) {
      result.halide_failure = !line.is_discarded() && line.contains("failure")
                                  ? line["failure"].get<std::string>()
                                  : fmt::format("python3 exited with {}: {}", python.code, python.err);
      return;
    }
    result.halide_ms = line.at("ms").get<double>();
    result.halide_schedule = line.at("schedule").get<std::string>();
    try {
      result.different = different(runner_->read_all().front(), read_file(folder.path() / (name_ + ".npy")));
    } catch (const std::exception& error) {
      result.halide_failure = fmt::format("cannot read its output: {}", error.what());
    }
    // A value that is rounded otherwise may stand on the other side of a step.
    constexpr double kMostDifferent = 1e-3;
    if (result.different > kMostDifferent)
      result.halide_failure = fmt::format("{:.2g} of the elements differ", result.different);
    if (!result.halide_failure.empty()) result.halide_ms.reset();
  }

  std::string name_;
  Device& device_;
  const HalideOptions& options_;
  std::unique_ptr<Runner> runner_;
};

}  // namespace

std::vector<HalideResult> run_halide(const HalideOptions& options, Device& device,
                                     const std::function<void(const HalideResult&)>& told) {
  std::vector<HalideResult> results;
  const std::vector<HalidePipeline> all = halide_pipelines(options.scale);
  for (const std::string& name : options.pipelines) {
    if (std::ranges::find(all, name, &HalidePipeline::name) == all.end()) {
      throw Error(fmt::format(
          "unknown pipeline \"{}\"; the pipelines are blur, unsharp, camera_pipe, local_laplacian, matmul",
          name));
    }
  }
  for (const HalidePipeline& pipeline : all) {
    if (!options.pipelines.empty() && std::ranges::count(options.pipelines, pipeline.name) == 0) continue;
    try {
      results.push_back(HalideSubject(pipeline, options, device).measure());
    } catch (const Error& error) {
      results.push_back({pipeline.name, {}, {}, {}, 0, 0, error.what(), {}});
    }
    told(results.back());
  }
  return results;
}

nlohmann::ordered_json to_json(const HalideResult& r) {
  nlohmann::ordered_json json{{"name", r.name}};
  if (r.ms) json["ms"] = *r.ms;
  json["kernels"] = r.kernels;
  if (r.halide_ms) {
    json["halide_ms"] = *r.halide_ms;
    json["halide_schedule"] = r.halide_schedule;
    json["different"] = r.different;
  }
  if (!r.failure.empty()) json["failure"] = r.failure;
  if (!r.halide_failure.empty()) json["halide_failure"] = r.halide_failure;
  return json;
}

std::string to_text(const HalideResult& r) {
  if (!r.ms) return fmt::format("{:<16} FAILED: {}", r.name, r.failure);
  std::string text = fmt::format("{:<16} {:>9.3f} ms in {} kernels", r.name, *r.ms, r.kernels);
  if (!r.halide_failure.empty()) return text + "; Halide: " + r.halide_failure;
  if (!r.halide_ms) return text;
  return text + fmt::format("; Halide {:.3f} ms ({}), {:.2f} times as fast; {:.2g} of the elements differ",
                            *r.halide_ms, r.halide_schedule, *r.halide_ms / *r.ms, r.different);
}

std::string summary_of(const std::vector<HalideResult>& results) {
  GeometricMean ratios;
  for (const HalideResult& r : results) {
    if (r.ms && r.halide_ms) ratios.add(*r.halide_ms / *r.ms);
  }
  if (ratios.count() == 0) return "";
  return fmt::format("{} pipelines: {:.2f} times as fast as Halide in geometric mean", ratios.count(),
                     ratios.value());
}

}  // namespace tensordsl::bench
