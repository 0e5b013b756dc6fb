#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "apps/tensordsl/commands.h"
#include "apps/tensordsl/model.h"
#include "apps/tensordsl/progress.h"
#include "onnx/define_graph.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {
namespace {

struct Options {
  ModelOptions model;
  std::string folder;
  std::string emit;
  std::string kernel;
};

/// Compiling needs no device: without one the schedules take the profile's figures, or general ones.
CompileOptions options_for_device(const ModelOptions& model) {
  const bool has_device = !model.device.empty() || (model.profile.empty() && !Device::list().empty());
  return compile_options(model,
                         has_device ? std::optional(Device::open(model.device)->info()) : std::nullopt);
}

int run(const Options& options) {
  if (options.emit.empty() && options.folder.empty()) {
    throw Error("compile: say where to write the kernels (-o DIR), or which stage to print (--emit STAGE)");
  }
  if (options.model.json)
    throw Error("--json: compile prints stages as text, and writes JSON to the folder of -o; leave it out");
  if (!options.kernel.empty() && options.emit.empty())
    throw Error("--kernel: it picks what --emit prints; give --emit STAGE too");
  if (!options.kernel.empty() && (options.emit == "graph" || options.emit == "program")) {
    throw Error(
        fmt::format("--kernel: the {} is printed whole; use it with --emit classes, groups, layouts, funcs, "
                    "nest, loops, ir or cl",
                    options.emit));
  }
  Graph operators = load_graph(options.model);
  if (options.emit == "graph") fmt::print("{}", to_string(operators));
  const DefinitionGraph graph = define_graph(std::move(operators));
  CompileOptions compile = options_for_device(options.model);
  if (options.emit == "program") {
    fmt::print("{}", to_json(compile_graph(graph, compile)));
  } else if (!options.emit.empty() && options.emit != "graph") {
    const std::string text = emit_stage(graph, compile, options.emit, options.kernel);
    if (text.empty())
      throw Error(fmt::format("--kernel {}: no kernel's name or operators contain that", options.kernel));
    fmt::print("{}", text);
  }
  if (options.folder.empty()) return 0;
  Progress progress("lowering");
  compile.progress = [&](int done, int total) { progress.update(done, total); };
  const Program program = compile_graph(graph, compile);
  write_program(program, options.folder);
  fmt::print("{} kernels ({} launches) in {}\n", program.kernels.size(), program.launches.size(),
             options.folder);
  return 0;
}

}  // namespace

Command add_compile_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  add_model_options(app, options->model);
  app.add_option("-o,--output", options->folder,
                 "the folder for program.json, the .cl files and the constants");
  app.add_option("--emit", options->emit,
                 "print a stage: graph, classes, groups, layouts, funcs, nest, loops, ir, cl or program")
      ->check(CLI::IsMember(
          {"graph", "classes", "groups", "layouts", "funcs", "nest", "loops", "ir", "cl", "program"}));
  app.add_option("--kernel", options->kernel,
                 "with --emit: only kernels whose name or operators contain this");
  return [options] { return run(*options); };
}

}  // namespace tensordsl::cli
