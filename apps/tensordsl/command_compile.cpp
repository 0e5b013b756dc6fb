#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "apps/tensordsl/commands.h"
#include "apps/tensordsl/model.h"
#include "apps/tensordsl/progress.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {
namespace {

struct Options {
  ModelArguments model;
  std::string folder;
  std::string emit;
  std::string kernel;
};

/// Compiling needs no device: without one the schedules take the profile's figures, or general ones.
CompileTarget target_of(const ModelArguments& model) {
  const bool has_device = !model.device.empty() || (model.profile.empty() && !Device::list().empty());
  return compile_target(model, has_device ? std::optional(Device::open(model.device)->info()) : std::nullopt);
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
  const Model model = load_model_file(options.model);
  CompileTarget target = target_of(options.model);
  if (!options.emit.empty()) {
    const std::string text = model.emit(options.emit, target, options.kernel);
    if (text.empty())
      throw Error(fmt::format("--kernel {}: no kernel's name or operators contain that", options.kernel));
    fmt::print("{}", text);
  }
  if (options.folder.empty()) return 0;
  Progress progress("lowering");
  target.progress = [&](int done, int total) { progress.update(done, total); };
  const Program program = model.compile(target);
  print_warnings(program);
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
