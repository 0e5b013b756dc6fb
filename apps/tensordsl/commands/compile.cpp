#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <memory>

#include "apps/tensordsl/commands/commands.h"
#include "apps/tensordsl/console/files.h"
#include "apps/tensordsl/console/print_json.h"
#include "apps/tensordsl/console/progress.h"
#include "apps/tensordsl/model/loaded_model.h"
#include "apps/tensordsl/model/package_output.h"
#include "base/text/counted.h"
#include "graph/memory/memory_report.h"
#include "graph/memory/share_memory.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {
namespace {

using std::chrono::duration;
using std::chrono::steady_clock;

struct CompileArguments {
  ModelArguments model;
  PackageOutput output;
  std::string emit;
  std::string kernel;
  std::string explain;
};

double milliseconds_since(steady_clock::time_point start) {
  return duration<double, std::milli>(steady_clock::now() - start).count();
}

Program compiled(const Model& model, CompileTarget target) {
  Progress progress("lowering");
  target.progress = [&](int done, int total) { progress.update(done, total); };
  return model.compile(target);
}

nlohmann::ordered_json memory_json(const graph::MemoryReport& report) {
  nlohmann::ordered_json planned = nlohmann::ordered_json::object();
  for (const auto& [planner, bytes] : report.planned_bytes) planned[planner] = bytes;
  return {{"planner", report.planner}, {"lower_bound", report.lower_bound}, {"planned_bytes", planned}};
}

nlohmann::ordered_json summary(const CompileArguments& options, const Program& program,
                               const graph::MemoryReport& memory, const std::string& aim, double import_ms,
                               double compile_ms) {
  return {{"model", options.model.model},
          {"for", aim},
          {"precision", options.model.precision.empty() ? "fp32" : options.model.precision},
          {"kernels", program.launches.size()},
          {"distinct_kernels", program.kernels.size()},
          {"constant_bytes", program.constants.size},
          {"intermediate_bytes", program.intermediate_bytes()},
          {"memory_plan", memory_json(memory)},
          {"flops", program.flops()},
          {"import_ms", import_ms},
          {"compile_ms", compile_ms},
          {"folder", options.output.place},
          {"files", files_of(options.output)}};
}

int run_compile(const CompileArguments& options) {
  if (options.emit.empty() && options.output.place.empty() && options.explain.empty()) {
    throw Error(
        "compile: nothing to do; pass -o DIR or -o NAME.tdsl to write a package, --emit STAGE to print a "
        "stage, or --explain KERNEL to explain the schedule of a kernel");
  }
  if (options.model.json && !options.emit.empty())
    throw Error("--json: cannot be combined with --emit, which prints the stage as text; drop one of them");
  if (options.model.json && !options.explain.empty())
    throw Error("--json: cannot be combined with --explain, which prints text; drop one of them");
  if (!options.kernel.empty() && options.emit.empty())
    throw Error("--kernel: needs --emit STAGE, whose output it filters");
  if (!options.kernel.empty() && (options.emit == "graph" || options.emit == "program")) {
    throw Error(
        fmt::format("--kernel: cannot be used with --emit {}, which is printed as a whole; use it with "
                    "--emit classes, groups, layouts, funcs, nest, loops, ir or cl",
                    options.emit));
  }
  check_output(options.output, options.model);
  const auto start = steady_clock::now();
  const Model model = load_model_file(options.model);
  const double import_ms = milliseconds_since(start);
  Warnings warnings;
  warnings.print(model.warnings());
  CompileTarget target = aimed_target(options.model);
  if (!target.database.empty() && !target.device)
    throw Error("--db: needs a device, because tuned schedules belong to one; pass --device, or drop --db");
  if (!options.emit.empty()) std::fputs(model.emit(options.emit, target, options.kernel).c_str(), stdout);
  if (!options.explain.empty()) std::fputs(model.explain(target, options.explain).c_str(), stdout);
  if (options.output.place.empty()) return 0;
  const std::string aim = aim_of(options.model, target);
  const auto compile_start = steady_clock::now();
  const graph::MemoryLimits limits = graph::memory_limits(target.device);
  const Program program = compiled(model, target);
  const double compile_ms = milliseconds_since(compile_start);
  warnings.print(program.warnings);
  write_package(options.output, options.model, target, program);
  if (options.model.json) {
    print_json(summary(options, program, graph::report_memory(program, limits), aim, import_ms, compile_ms));
  } else {
    fmt::print("{} ({}) in {}, for {}\n", counted(program.kernels.size(), "kernel", "kernels"),
               counted(program.launches.size(), "launch", "launches"), options.output.place, aim);
  }
  return 0;
}

}  // namespace

Command add_compile_command(CLI::App& app) {
  auto options = std::make_shared<CompileArguments>();
  add_model_options(app, options->model);
  describe_aim(app);
  app.get_option("--json")->description("print a summary of the package that -o writes, as JSON");
  add_package_options(app, options->output);
  app.add_option("--emit", options->emit,
                 "print the result of a compiler stage: graph, classes, groups, layouts, funcs, nest, loops, "
                 "ir, cl or program")
      ->check(CLI::IsMember(
          {"graph", "classes", "groups", "layouts", "funcs", "nest", "loops", "ir", "cl", "program"}));
  app.add_option(
      "--kernel", options->kernel,
      "with --emit: print only the kernels of this node or tensor of the model, or those with this text in "
      "their name, operators, nodes or tensors");
  app.add_option(
         "--explain", options->explain,
         "explain the schedules of the kernels that this selects, as --kernel does: the candidates, why "
         "others were rejected, and the predicted time of the best")
      ->check(NotEmpty("the name of a kernel, node or tensor, or a part of it"));
  return [options] { return run_compile(*options); };
}

}  // namespace tensordsl::cli
