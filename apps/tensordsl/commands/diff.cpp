#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "apps/tensordsl/commands/commands.h"
#include "apps/tensordsl/console/files.h"
#include "apps/tensordsl/console/print_json.h"
#include "apps/tensordsl/console/terminal.h"
#include "apps/tensordsl/diff/model_diff.h"
#include "apps/tensordsl/model/loaded_model.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {
namespace {

int run_diff(const DiffArguments& options) {
  if (options.rtol && !(*options.rtol >= 0))
    throw Error(fmt::format("--rtol {}: expected a non-negative number", *options.rtol));
  check_is_no_package(options.model.model);
  const DiffReport report = diff_model(options);
  if (options.model.json) {
    print_json(to_json(report));
  } else {
    fmt::print("{}", to_text(report, terminal_columns(STDOUT_FILENO)));
  }
  return report.holds() ? 0 : 1;
}

}  // namespace

Command add_diff_command(CLI::App& app) {
  auto options = std::make_shared<DiffArguments>();
  const NotEmpty file("a file's name");
  add_model_options(app, options->model);
  add_param_option(app, options->model);
  app.get_option("MODEL")->description("the ONNX model");
  app.add_option("--inputs", options->inputs, "an .npz file with inputs; inputs not in it are generated")
      ->check(file);
  auto* against =
      app.add_option("--against", options->against, "compare with the tensors of this .npz file, by name");
  against->check(file);
  app.add_flag("--onnxruntime", options->onnx_runtime,
               "compare with ONNX Runtime; needs python3 and its package onnxruntime")
      ->excludes(against);
  app.add_option("--rtol", options->rtol,
                 "tolerance: allowed max |difference| relative to the max |expected| of a tensor (default: "
                 "1e-3; for fp16, 2e-2)");
  app.add_flag("--fused", options->fused, "keep kernels fused, and find the wrong tensor by bisection");
  app.add_flag("--all", options->all, "list every compared tensor");
  app.footer(
      R"(Compares the outputs of the compiled Program first. Then compiles the model
with the output of every node as an output, and compares all of them. This
splits kernels that compute several nodes: if only the outputs differ, the
fault is in the fusion of nodes, and --fused finds it. --fused stores one more
tensor at a time and bisects the model, which assumes that all tensors after a
wrong one are wrong too.

Without --against and --onnxruntime the tensors are compared with the
definitions of the operators, computed on the host at about ten million values
per second: an image classifier takes minutes. This finds faults of kernels;
ONNX Runtime also finds faults of the definitions and of the import.)");
  return [options] { return run_diff(*options); };
}

}  // namespace tensordsl::cli
