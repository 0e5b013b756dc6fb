#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

#include "apps/tensordsl/commands.h"
#include "apps/tensordsl/compare.h"
#include "apps/tensordsl/model.h"
#include "runtime/npz.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {
namespace {

using nlohmann::ordered_json;
using std::chrono::duration;
using std::chrono::steady_clock;

struct Options {
  ModelArguments model;
  std::string outputs, expect, write_cl;
  double rtol = 1e-3;
  int repeat = 1;
};

struct Score {
  std::int64_t index;
  double value;
};

/// The largest five of a row of scores; empty for any other tensor.
std::vector<Score> top_five(const Buffer& output) {
  if (output.elements() == 0 || output.shape().empty() || output.shape().back() != output.elements())
    return {};
  std::vector<Score> scores;
  for (std::int64_t i = 0; i < output.elements(); ++i) scores.push_back({i, output.get(i)});
  const auto count = std::min<std::size_t>(5, scores.size());
  std::partial_sort(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(count), scores.end(),
                    [](const Score& a, const Score& b) {
                      return a.value > b.value || (a.value == b.value && a.index < b.index);
                    });
  scores.resize(count);
  return scores;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

int run(const Options& options) {
  if (!(options.rtol >= 0))
    throw Error(fmt::format("--rtol {}: expected a number, not below 0", options.rtol));
  LoadedModel model = load_model(options.model);
  Runner& runner = *model.runner;
  const auto inputs = model_inputs(model);
  std::vector<double> times;
  for (int i = 0; i < options.repeat; ++i) {
    const auto start = steady_clock::now();
    runner.write_all(inputs);
    runner.run();
    times.push_back(duration<double, std::milli>(steady_clock::now() - start).count());
  }
  std::map<std::string, Buffer> outputs;
  for (const Program::Value& output : model.program->outputs) outputs[output.name] = runner.read(output.name);
  if (!options.outputs.empty()) write_npz(options.outputs, outputs);
  if (!options.write_cl.empty()) write_program(*model.program, options.write_cl);
  std::vector<Comparison> checks;
  if (!options.expect.empty()) checks = compare(outputs, read_npz(options.expect), options.rtol);
  const bool holds = std::all_of(checks.begin(), checks.end(), [](const Comparison& c) { return c.holds; });

  const Program& compiled = *model.program;
  ordered_json report{{"model", options.model.model},
                      {"device", model.device->info().name},
                      {"precision", options.model.precision},
                      {"median_ms", median(times)},
                      {"runs", options.repeat},
                      {"kernels", compiled.launches.size()},
                      {"distinct_kernels", compiled.kernels.size()},
                      {"compile_ms", model.compile_seconds * 1e3},
                      {"build_ms", model.build_seconds * 1e3},
                      {"outputs", ordered_json::object()},
                      {"checks", ordered_json::array()}};
  for (const auto& [name, value] : outputs) {
    ordered_json& entry = report["outputs"][name] = {{"shape", value.shape()}};
    for (const Score& s : top_five(value)) entry["top5"].push_back({{"index", s.index}, {"value", s.value}});
  }
  for (const Comparison& c : checks) {
    report["checks"].push_back({{"output", c.output},
                                {"max_difference", c.max_difference},
                                {"max_expected", c.max_expected},
                                {"rtol", options.rtol},
                                {"holds", c.holds}});
  }
  if (options.model.json) {
    fmt::print("{}\n", report.dump(2));
    return holds ? 0 : 1;
  }
  fmt::print("device   {}\n", model.device->info().name);
  for (const auto& [name, value] : outputs) {
    fmt::print("output   {} [{}]\n", name, fmt::join(value.shape(), ", "));
    for (const Score& s : top_five(value)) fmt::print("         {:>6}  {:.6f}\n", s.index, s.value);
  }
  fmt::print("time     {:.2f} ms per run (median of {})\n", median(times), options.repeat);
  fmt::print("kernels  {} launches of {} distinct kernels; lowered in {:.0f} ms, built in {:.0f} ms\n",
             compiled.launches.size(), compiled.kernels.size(), model.compile_seconds * 1e3,
             model.build_seconds * 1e3);
  if (!options.write_cl.empty()) fmt::print("files    {}\n", options.write_cl);
  for (const Comparison& c : checks) {
    fmt::print("check    {}: max |difference| {:.3g}, allowed {:.3g} ({:g} of {:.3g}): {}\n", c.output,
               c.max_difference, options.rtol * c.max_expected, options.rtol, c.max_expected,
               c.holds ? "ok" : "FAILED");
  }
  return holds ? 0 : 1;
}

}  // namespace

Command add_run_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  add_model_options(app, options->model);
  app.add_option("--inputs", options->model.inputs, "an .npz with the inputs; those not in it are generated");
  app.add_option("--outputs", options->outputs, "write the outputs to this .npz");
  app.add_option("--expect", options->expect, "compare every output with this .npz; exit 1 if one differs");
  app.add_option("--rtol", options->rtol, "allowed max |difference| as a share of max |expected|");
  app.add_option("--repeat", options->repeat, "run so often and report the median time")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--write-cl", options->write_cl,
                 "write program.json, the kernels and the constants to this folder");
  return [options] { return run(*options); };
}

}  // namespace tensordsl::cli
