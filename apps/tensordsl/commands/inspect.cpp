#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>

#include "apps/tensordsl/commands/command_text.h"
#include "apps/tensordsl/commands/commands.h"
#include "apps/tensordsl/console/files.h"
#include "apps/tensordsl/console/page_facts.h"
#include "apps/tensordsl/console/print_json.h"
#include "apps/tensordsl/console/progress.h"
#include "apps/tensordsl/console/terminal.h"
#include "apps/tensordsl/model/loaded_model.h"
#include "apps/tensordsl/report/inspect_package.h"
#include "apps/tensordsl/report/inspect_text.h"
#include "report/pages/inspection_page.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {
namespace {

struct InspectArguments {
  ModelArguments model;
  std::string html;
  std::string command;  // as it was given, for the page
};

void write_inspection_page(const std::string& path, const report::Page& page) {
  std::string text;
  try {
    text = report::to_html(page);
  } catch (const Error& error) {
    throw Error(fmt::format("--html: {}", error.what()));
  }
  write_file(path, text);
}

int run_package(const InspectArguments& options) {
  if (!options.html.empty())
    throw Error(fmt::format(
        "--html: {} is a compiled package, which has no record of its compilation; pass the ONNX model",
        options.model.model));
  check_no_compile_options(options.model);
  const Package package = read_package(options.model.model);
  if (options.model.json) {
    print_json(inspect_json(package, options.model.model));
  } else {
    fmt::print("{}", inspect_text(package, options.model.model, terminal_columns(STDOUT_FILENO)));
  }
  return 0;
}

int run_inspect(const InspectArguments& options) {
  if (is_package(options.model.model)) return run_package(options);
  check_output_file("--html", options.html);
  const Model model = load_model_file(options.model);
  Warnings warnings;
  warnings.print(model.warnings());
  CompileTarget target = aimed_target(options.model);
  const std::vector<std::pair<std::string, std::string>> facts{
      {"model", options.model.model},
      {"for", aim_of(options.model, target)},
      {"precision", options.model.precision.empty() ? "fp32" : options.model.precision}};
  const Inspection inspection = [&] {
    Progress progress("lowering");
    target.progress = [&](int done, int total) { progress.update(done, total); };
    return model.inspect(target);
  }();
  warnings.print(inspection.warnings);
  if (!options.html.empty()) {
    PageFacts about = facts;
    std::ranges::move(page_facts(options.command), std::back_inserter(about));
    write_inspection_page(options.html,
                          report::inspection_page(
                              inspection, std::filesystem::path(options.model.model).stem().string(), about));
  }
  if (options.model.json) {
    std::fputs(to_json(inspection, facts).c_str(), stdout);
  } else {
    fmt::print("{}, for {}\n\n{}", options.model.model, facts[1].second,
               inspect_text(inspection, terminal_columns(STDOUT_FILENO)));
  }
  if (!options.html.empty()) fmt::print(stderr, "tensordsl: wrote {}\n", options.html);
  return 0;
}

}  // namespace

Command add_inspect_command(CLI::App& app) {
  auto options = std::make_shared<InspectArguments>();
  add_model_options(app, options->model);
  describe_aim(app);
  app.get_option("MODEL")->description("the ONNX model, or a package to list");
  app.get_option("--json")->description("print all details as JSON");
  app.add_option("--html", options->html,
                 "write an HTML page with the graph before and after optimization, and all kernels")
      ->check(NotEmpty("a file's name"));
  return [options, &app] {
    options->command = command_text(app);
    return run_inspect(*options);
  };
}

}  // namespace tensordsl::cli
