#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "apps/tensordsl/commands/commands.h"
#include "apps/tensordsl/console/files.h"
#include "apps/tensordsl/console/print_json.h"
#include "apps/tensordsl/console/terminal.h"
#include "apps/tensordsl/diff/model_diff.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {
namespace {

int run_diff(const DiffArguments& options) {
  if (options.rtol && !(*options.rtol >= 0))
    throw Error(fmt::format("--rtol {}: expected a number, not below 0", *options.rtol));
  if (std::filesystem::is_directory(options.model.model) ||
      std::filesystem::path(options.model.model).extension() == ".json") {
    throw Error(
        fmt::format("{} is a Program, which does not tell of the model's tensors; give the model's file",
                    options.model.model));
  }
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
  app.add_option("--inputs", options->inputs, "an .npz with the inputs; those not in it are generated")
      ->check(file);
  auto* against =
      app.add_option("--against", options->against, "compare with the tensors of this .npz, by name");
  against->check(file);
  app.add_flag("--onnxruntime", options->onnx_runtime,
               "compare with ONNX Runtime, by python3 and its package onnxruntime")
      ->excludes(against);
  app.add_option(
      "--rtol", options->rtol,
      "allowed max |difference| as a share of max |expected| of a tensor; 1e-3 if not said, 2e-2 of fp16");
  app.add_flag("--fused", options->fused,
               "look for the tensor with kernels as they are, one tensor at a time");
  app.add_flag("--all", options->all, "list every tensor that was compared");
  app.footer(
      R"(First the outputs of the Program that runs are compared. Then every tensor
that a node gives is an output, so that a kernel that computes several
nodes becomes several kernels: where only the outputs differ, the fault is
in how nodes are computed together, and --fused finds where. It stores one
more tensor at a time and halves the model at each step, which takes for
granted that what is wrong stays wrong behind it.

Without --against and --onnxruntime the tensors are compared with the
definitions of the operators, computed on the host, at some ten million
values in a second: an image classifier takes minutes. That finds faults of
kernels; ONNX Runtime finds those of definitions and of the import too.)");
  return [options] { return run_diff(*options); };
}

}  // namespace tensordsl::cli
