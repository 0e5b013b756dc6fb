#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>

#include "apps/tensordsl/commands/commands.h"
#include "apps/tensordsl/console/files.h"
#include "apps/tensordsl/console/print_json.h"
#include "apps/tensordsl/console/terminal.h"
#include "apps/tensordsl/model/loaded_model.h"
#include "apps/tensordsl/model/timeline.h"
#include "apps/tensordsl/report/compare_outputs.h"
#include "apps/tensordsl/report/run_report.h"
#include "apps/tensordsl/tune/tuning_database.h"
#include "runtime/buffer/npy.h"
#include "runtime/buffer/npz.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {
namespace {

using std::chrono::duration;
using std::chrono::steady_clock;

struct RunArguments {
  ModelArguments model;
  std::string inputs, outputs, expect, write_cl, trace;
  double rtol = 1e-3;
  int repeat = 1;
};

/// Checks paths and files first, so that mistakes show before minutes of building.
void check_places(const RunArguments& options) {
  if (!(options.rtol >= 0))
    throw Error(fmt::format("--rtol {}: expected a non-negative number", options.rtol));
  for (const auto& [option, path] : {std::pair("--outputs", options.outputs), {"--trace", options.trace}}) {
    check_is_another(option, path, "the model", options.model.model);
    check_is_another(option, path, "the file of --inputs", options.inputs);
    check_is_another(option, path, "the file of --expect", options.expect);
    check_is_no_database(option, path, options.model.database);
  }
  check_is_another("--trace", options.trace, "the file of --outputs", options.outputs);
  check_output_file("--outputs", options.outputs);
  check_output_file("--trace", options.trace);
  check_output_folder("--write-cl", options.write_cl);
}

/// Refuses a .npy for several outputs, before anything is built: it holds one array.
void check_outputs_file(const std::string& file, const Signature& signature) {
  if (!file.ends_with(".npy") || signature.outputs.size() == 1) return;
  throw Error(fmt::format("--outputs: {} holds one array, and the model has {} outputs; name a .npz", file,
                          signature.outputs.size()));
}

void write_outputs(const std::string& file, const Arrays& outputs) {
  if (file.empty()) return;
  if (!file.ends_with(".npy")) return runtime::write_npz(file, outputs);
  const Buffer& output = outputs.begin()->second;
  std::string text = runtime::npy_header(output);
  text.append(reinterpret_cast<const char*>(output.bytes().data()), output.size_bytes());
  write_file(file, text);
}

/// Milliseconds of the run, once the inputs are written.
double timed_run(const LoadedModel& model, const Arrays& inputs, Waiting waiting) {
  Runner& runner = *model.runner;
  write_inputs(model, inputs);
  runner.wait();
  const auto start = steady_clock::now();
  runner.run(waiting);
  return duration<double, std::milli>(steady_clock::now() - start).count();
}

void write_trace(const RunArguments& options, const LoadedModel& model, const Arrays& inputs,
                 std::vector<HostPhase> phases) {
  Timeline timeline{
      "tensordsl run " + options.model.model, model.device->info().name, std::move(phases), {}, {}};
  write_inputs(model, inputs);
  const auto start = steady_clock::now();
  timeline.launches = model.runner->run_intervals();
  timeline.launches_end = steady_clock::now();
  if (!are_in_order(timeline.launches)) {
    fmt::print(stderr,
               "tensordsl: warning: the driver's timestamps show overlapping launches, although launches run "
               "one after another; the timeline may be wrong\n");
  }
  timeline.phases.push_back({"traced run", start, timeline.launches_end});
  write_file(options.trace, to_trace_events(timeline, *model.program, model.runner->params()));
}

/// Returns the signature with the shapes that depend on data.
Signature found_signature(const std::map<std::string, Buffer>& outputs) {
  Signature found;
  for (const auto& [name, value] : outputs) found.outputs.push_back({name, value.type(), value.shape()});
  return found;
}

int run_model(const RunArguments& options) {
  check_places(options);
  RunReport report;
  report.model = options.model.model;
  report.inputs_file = options.inputs;
  report.write_cl = options.write_cl;
  report.trace = options.trace;
  report.rtol = options.rtol;
  report.given = read_arrays("--inputs", options.inputs);
  const Arrays expected = read_arrays("--expect", options.expect);
  ModelArguments arguments = options.model;
  arguments.arrays = report.given;
  const LoadedModel model = load_model(arguments, [&](const Signature& signature) {
    for (const std::string& initializer : signature.initializers) report.given.erase(initializer);
    check_inputs(signature, report.given);
    check_outputs_file(options.outputs, signature);
    if (!options.expect.empty()) check_expectations(signature, expected);
  });
  const Arrays inputs = all_inputs(model.signature, report.given);
  std::vector<HostPhase> phases = model.phases;
  const auto phase = [&](const char* name, const auto& work) {
    const auto start = steady_clock::now();
    work();
    phases.push_back({name, start, steady_clock::now()});
  };
  // The first run of a program has work that the others do not have: drivers finish kernels and memory then.
  phase("warm-up", [&] { report.warm_up_ms = timed_run(model, inputs, options.model.waiting); });
  phase("runs", [&] {
    for (int i = 0; i < options.repeat; ++i)
      report.times_ms.push_back(timed_run(model, inputs, options.model.waiting));
  });
  for (const Program::Value& output : model.program->outputs)
    report.outputs[output.name] = model.runner->read(output.name);
  for (const std::string& warning : not_finite_warnings(inputs, report.outputs, model.precision))
    fmt::print(stderr, "tensordsl: warning: {}\n", warning);
  if (!options.expect.empty()) check_expectations(found_signature(report.outputs), expected);
  if (!options.trace.empty()) write_trace(options, model, inputs, std::move(phases));
  write_outputs(options.outputs, report.outputs);
  if (!options.write_cl.empty()) write_program(*model.program, options.write_cl);
  if (!options.expect.empty()) report.checks = compare(report.outputs, expected, options.rtol);
  if (options.model.json) {
    print_json(to_json(report, model));
  } else {
    fmt::print("{}", to_text(report, model, terminal_columns(STDOUT_FILENO)));
  }
  return report.holds() ? 0 : 1;
}

}  // namespace

Command add_run_command(CLI::App& app) {
  auto options = std::make_shared<RunArguments>();
  const NotEmpty file("a file's name"), folder("a folder's name");
  add_model_options(app, options->model);
  add_param_option(app, options->model);
  app.add_option("--inputs", options->inputs, "an .npz file with inputs; inputs not in it are generated")
      ->check(file);
  app.add_option("--outputs", options->outputs,
                 "write the outputs to this .npz file, or the only one to this .npy file")
      ->check(file);
  app.add_option("--expect", options->expect,
                 "compare every output with this .npz file; exit code 1 if one differs")
      ->check(file);
  app.add_option(
         "--rtol", options->rtol,
         "tolerance: allowed max |difference| relative to max |expected| (default: 1e-3, also for fp16 and "
         "integer weights, which need more)")
      ->needs("--expect");
  app.add_option("--repeat", options->repeat,
                 "number of timed runs after one warm-up run; the median time is reported")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--write-cl", options->write_cl,
                 "write program.json, the kernels and the constants into this folder")
      ->check(folder);
  app.add_option("--trace", options->trace,
                 "write the launches of one more run as a timeline for Perfetto or chrome://tracing")
      ->check(file);
  app.footer("In JSON, non-finite numbers are written as \"NaN\", \"Infinity\" and \"-Infinity\".");
  return [options] { return run_model(*options); };
}

}  // namespace tensordsl::cli
