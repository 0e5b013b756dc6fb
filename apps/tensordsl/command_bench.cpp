#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <range/v3/view/zip.hpp>

#include "apps/support/fma_peak.h"
#include "apps/tensordsl/commands.h"
#include "apps/tensordsl/model.h"
#include "apps/tensordsl/progress.h"

namespace tensordsl::cli {
namespace {

using nlohmann::ordered_json;
using std::chrono::duration;
using std::chrono::steady_clock;

constexpr int kWarmUps = 3;

struct Options {
  ModelArguments model;
  int runs = 30;
};

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1) + 0.5)];
}

int run(const Options& options) {
  LoadedModel model = load_model(options.model);
  Runner& runner = *model.runner;
  apps::FmaPeak peak(*model.device);
  const auto inputs = model_inputs(model);
  for (int i = 0; i < kWarmUps; ++i) {
    runner.write_all(inputs);
    runner.run();
  }
  double peak_gflops = peak.measure();
  std::vector<double> times;
  const Program& compiled = *model.program;
  std::vector<std::vector<double>> kernel_times(compiled.launches.size());
  {
    Progress progress("timing");
    for (int i = 0; i < options.runs; ++i) {
      const auto start = steady_clock::now();
      runner.write_all(inputs);
      runner.run();
      times.push_back(duration<double, std::milli>(steady_clock::now() - start).count());
      progress.update(i + 1, options.runs);
    }
    for (int i = 0; i < std::max(5, options.runs / 4); ++i) {
      const auto nanoseconds = runner.run_timed();
      for (std::size_t k = 0; k < nanoseconds.size(); ++k)
        kernel_times[k].push_back(static_cast<double>(nanoseconds[k]) * 1e-6);
    }
  }
  peak_gflops = std::max(peak_gflops, peak.measure());

  const double median_ms = quantile(times, 0.5);
  const double gflops = static_cast<double>(compiled.flops()) / median_ms * 1e-6;
  ordered_json report{{"model", options.model.model},
                      {"device", model.device->info().name},
                      {"precision", options.model.precision},
                      {"runs", options.runs},
                      {"median_ms", median_ms},
                      {"p10_ms", quantile(times, 0.1)},
                      {"p90_ms", quantile(times, 0.9)},
                      {"gflops", gflops},
                      {"fma_peak_gflops", peak_gflops},
                      {"peak_fraction", gflops / peak_gflops},
                      {"kernels", compiled.launches.size()},
                      {"distinct_kernels", compiled.kernels.size()},
                      {"intermediate_bytes", compiled.intermediate_bytes()},
                      {"compile_ms", model.compile_seconds * 1e3},
                      {"build_ms", model.build_seconds * 1e3},
                      {"per_kernel", ordered_json::array()}};
  for (const auto& [launch, measured] : ranges::views::zip(compiled.launches, kernel_times)) {
    const double ms = quantile(measured, 0.5);
    report["per_kernel"].push_back({{"kernel", compiled.kernels[launch.kernel].entry},
                                    {"operators", launch.label},
                                    {"median_ms", ms},
                                    {"gflops", static_cast<double>(launch.flops) / ms * 1e-6}});
  }
  if (options.model.json) {
    fmt::print("{}\n", report.dump(2));
    return 0;
  }
  for (const auto& k : report["per_kernel"]) {
    fmt::print("{:>9.3f} ms {:>8.1f} GFLOPS  {} ({})\n", k["median_ms"].get<double>(),
               k["gflops"].get<double>(), k["kernel"].get<std::string>(), k["operators"].get<std::string>());
  }
  fmt::print("median {:.3f} ms, p10 {:.3f}, p90 {:.3f} ({} runs)\n", median_ms,
             report["p10_ms"].get<double>(), report["p90_ms"].get<double>(), options.runs);
  fmt::print("{:.1f} GFLOPS, {:.1f} % of the measured multiply-add peak of {:.1f}\n", gflops,
             100 * gflops / peak_gflops, peak_gflops);
  fmt::print("{} kernels ({} distinct), intermediates {:.2f} MiB; lowered in {:.0f} ms, built in {:.0f} ms\n",
             compiled.launches.size(), compiled.kernels.size(),
             static_cast<double>(compiled.intermediate_bytes()) / (1 << 20), model.compile_seconds * 1e3,
             model.build_seconds * 1e3);
  return 0;
}

}  // namespace

Command add_bench_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  add_model_options(app, options->model);
  app.add_option("--runs", options->runs, "timed runs after the warm-up")->check(CLI::Range(20, 1000000));
  return [options] { return run(*options); };
}

}  // namespace tensordsl::cli
