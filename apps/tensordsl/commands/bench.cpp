#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "apps/support/fma_peak.h"
#include "apps/tensordsl/commands/commands.h"
#include "apps/tensordsl/console/files.h"
#include "apps/tensordsl/console/print_json.h"
#include "apps/tensordsl/console/progress.h"
#include "apps/tensordsl/console/terminal.h"
#include "apps/tensordsl/model/data_files.h"
#include "apps/tensordsl/model/loaded_model.h"
#include "apps/tensordsl/report/bench_report.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {
namespace {

using std::chrono::duration;
using std::chrono::steady_clock;

constexpr int kWarmUps = 3;

struct BenchArguments {
  ModelArguments model;
  std::string inputs;
  int runs = 30;
  double seconds = 0;  // 0: a number of runs
};

/// Times as many runs as wanted, or runs until the given time is over, but at least one.
std::vector<TimedRun> timed_runs(const BenchArguments& options, const LoadedModel& model,
                                 const Arrays& inputs) {
  Runner& runner = *model.runner;
  std::vector<TimedRun> runs;
  Progress progress("timing");
  const auto begin = steady_clock::now();
  const auto since_begin = [&] { return duration<double>(steady_clock::now() - begin).count(); };
  const auto is_over = [&] {
    return options.seconds > 0 ? !runs.empty() && since_begin() >= options.seconds
                               : static_cast<int>(runs.size()) >= options.runs;
  };
  while (!is_over()) {
    const double write = since_begin();
    write_inputs(model, inputs);
    runner.wait();
    const double start = since_begin();
    runner.run(options.model.waiting);
    const double end = since_begin();
    runs.push_back({start, (end - start) * 1e3, (start - write) * 1e3});
    if (options.seconds > 0) {
      progress.update(static_cast<int>(std::min(end, options.seconds)),
                      static_cast<int>(std::ceil(options.seconds)));
    } else {
      progress.update(static_cast<int>(runs.size()), options.runs);
    }
  }
  return runs;
}

int run_bench(const BenchArguments& options) {
  if (std::isnan(options.seconds)) throw Error("--seconds nan: expected a number of seconds");
  Arrays given = read_arrays("--inputs", options.inputs);
  ModelArguments arguments = options.model;
  arguments.arrays = given;
  const LoadedModel model = load_model(arguments, [&](const Signature& signature) {
    for (const std::string& initializer : signature.initializers) given.erase(initializer);
    check_inputs(signature, given);
  });
  Runner& runner = *model.runner;
  apps::FmaPeak peak(*model.device);
  const Arrays inputs = all_inputs(model.signature, given);
  for (int i = 0; i < kWarmUps; ++i) {
    write_inputs(model, inputs);
    runner.run(options.model.waiting);
  }
  BenchReport report;
  report.model = options.model.model;
  report.seconds = options.seconds;
  report.fma_peak_gflops = peak.measure();
  report.runs = timed_runs(options, model, inputs);
  constexpr int kFewest = 5, kMost = 25;
  const int most = options.seconds > 0 ? kMost : options.runs;
  const int traced = std::clamp(static_cast<int>(report.runs.size()) / 4, kFewest, std::max(kFewest, most));
  report.kernel_ms.resize(model.program->launches.size());
  for (int i = 0; i < traced; ++i) {
    write_inputs(model, inputs);
    const std::vector<std::int64_t> nanoseconds = runner.run_timed();
    for (std::size_t k = 0; k < nanoseconds.size(); ++k)
      report.kernel_ms[k].push_back(static_cast<double>(nanoseconds[k]) * 1e-6);
  }
  report.fma_peak_gflops = std::max(report.fma_peak_gflops, peak.measure());
  if (options.model.json) {
    print_json(to_json(report, model));
  } else {
    fmt::print("{}", to_text(report, model, terminal_columns(STDOUT_FILENO)));
  }
  return 0;
}

}  // namespace

Command add_bench_command(CLI::App& app) {
  auto options = std::make_shared<BenchArguments>();
  add_model_options(app, options->model);
  add_param_option(app, options->model);
  app.add_option("--inputs", options->inputs, "an .npz file with inputs; inputs not in it are generated")
      ->check(NotEmpty("a file's name"));
  CLI::Option* runs = app.add_option("--runs", options->runs, "number of timed runs after the warm-up")
                          ->check(CLI::Range(20, 1000000));
  app.add_option("--seconds", options->seconds,
                 "run for this many seconds after the warm-up, and report how steady the speed is")
      ->check(CLI::Range(0.1, 1e6))
      ->excludes(runs);
  app.footer("In JSON, non-finite numbers are written as \"NaN\", \"Infinity\" and \"-Infinity\".");
  return [options] { return run_bench(*options); };
}

}  // namespace tensordsl::cli
