#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include "apps/tensordsl/commands/commands.h"
#include "apps/tensordsl/console/files.h"
#include "apps/tensordsl/console/interrupt.h"
#include "apps/tensordsl/console/print_json.h"
#include "apps/tensordsl/model/loaded_model.h"
#include "apps/tensordsl/model/package_output.h"
#include "apps/tensordsl/tune/autoschedule_report.h"
#include "apps/tensordsl/tune/tuning_database.h"
#include "apps/tensordsl/tune/tuning_progress.h"
#include "apps/tensordsl/tune/worker_commands.h"
#include "report/pages/tuning_page.h"
#include "search/make_explorer.h"
#include "tensordsl/error.h"
#include "tensordsl/version.h"

namespace tensordsl::cli {
namespace {

struct AutoscheduleArguments {
  ModelArguments model;
  PackageOutput output;
  std::int64_t trials = 0, trials_of_kernel = 0;
  double minutes = 0;
  std::string explorer;
  std::int64_t seed = 1;
  std::vector<std::string> workers;
  double worker_silence = 60;
  bool is_unpruned = false;
  std::string page;
};

bool tries_any(const AutoscheduleArguments& options) {
  return options.trials > 0 || options.trials_of_kernel > 0 || options.minutes > 0;
}

AutoscheduleOptions tuning_of(const AutoscheduleArguments& options) {
  AutoscheduleOptions tuning;
  if (!tries_any(options)) return tuning;
  tuning.trials = options.trials;
  tuning.trials_of_kernel = options.trials_of_kernel;
  if (options.minutes > 0) {
    tuning.time = milliseconds_of(options.minutes * 60);
  }
  if (options.workers.empty()) tuning.workers.push_back(worker_command(options.model.device));
  for (const std::string& worker : options.workers) tuning.workers.push_back(command_of_worker(worker));
  tuning.worker_silence = milliseconds_of(options.worker_silence);
  const std::string& database = options.model.database;
  if (database != "none") tuning.database = database.empty() ? default_database() : database;
  tuning.explorer = options.explorer;
  tuning.seed = static_cast<std::uint64_t>(options.seed);
  tuning.prunes = !options.is_unpruned;
  return tuning;
}

int run_autoschedule(const AutoscheduleArguments& options) {
  check_output(options.output, options.model);
  if (std::isnan(options.minutes) || std::isnan(options.worker_silence))
    throw Error("--minutes and --worker-timeout: expected a number, found nan");
  AutoscheduleOptions tuning = tuning_of(options);
  check_is_another("--report", options.page, "the model", options.model.model);
  check_is_no_database("--report", options.page, tuning.database);
  check_output_file("--report", options.page);
  // The first Ctrl-C ends the trials; drivers start threads, which are not to get it.
  std::atomic<int> interrupts = 0;
  std::optional<Interrupt> interrupt;
  if (tries_any(options)) {
    interrupt.emplace([&] {
      if (interrupts++ > 0) end_interrupted("what was tried is kept; the same command goes on from there");
      say_interrupted("ending with what was found so far; once more ends at once");
    });
  }
  CompileTarget target = aimed_target(options.model);
  // Trials read the database themselves; without trials the compiler takes its records.
  if (tries_any(options) || target.database == "none") target.database.clear();
  if (tries_any(options) && !target.device) {
    throw Error(
        "there is no device to try schedules on; give --device too, or leave out --trials and --minutes, so "
        "that nothing is timed");
  }
  const Model model = load_model_file(options.model);
  Warnings warnings;
  warnings.print(model.warnings());
  AutoscheduleReport report;
  Program program;
  {
    TuningProgressLine line;
    tuning.progress = [&](const TuningProgress& progress) { line.update(progress); };
    tuning.should_stop = [&] { return interrupts > 0; };
    program = model.autoschedule(target, tuning, &report);
  }
  warnings.print(program.warnings);
  write_package(options.output, options.model, target, program);
  if (!options.page.empty()) {
    const std::filesystem::path place = options.model.model;
    const tensordsl::report::Page page = tensordsl::report::tuning_page(
        report, place.stem().string(),
        {{"model", options.model.model},
         {"for", fmt::format("{}, by tensordsl {}", aim_of(options.model, target), version())},
         {"precision", options.model.precision.empty() ? "fp32" : options.model.precision}});
    write_file(options.page, tensordsl::report::to_html(page));
    fmt::print(stderr, "tensordsl: wrote {}\n", options.page);
  }
  if (options.model.json) {
    nlohmann::ordered_json json = to_json(report);
    json["model"] = options.model.model;
    json["for"] = aim_of(options.model, target);
    json["folder"] = options.output.place;
    print_json(json);
  } else {
    fmt::print("{}{} kernels ({} launches) in {}, for {}\n", to_text(report), program.kernels.size(),
               program.launches.size(), options.output.place, aim_of(options.model, target));
  }
  if (!report.problem.empty()) {
    throw Error(fmt::format("{}; the trials ended there, and {} has what they found until then",
                            report.problem, options.output.place));
  }
  return report.was_stopped ? kInterruptedCode : 0;
}

std::string explorers_text() {
  return fmt::format("who says which schedules are tried: {}; {} if not said",
                     fmt::join(search::explorer_names(), ", "), search::default_explorer());
}

}  // namespace

Command add_autoschedule_command(CLI::App& app) {
  auto options = std::make_shared<AutoscheduleArguments>();
  add_model_options(app, options->model);
  describe_aim(app);
  app.get_option("--json")->description("print what was chosen as JSON");
  add_package_options(app, options->output)->required();
  constexpr std::int64_t kMost = 1'000'000'000;
  app.add_option(
         "--trials", options->trials,
         "schedules that are built, checked and timed on the device, of all kernels together. Without "
         "this, --trials-of-kernel and --minutes none is, and what a model of the device predicts is "
         "taken")
      ->check(CLI::Range(std::int64_t{0}, kMost));
  app.add_option("--trials-of-kernel", options->trials_of_kernel, "the same, of each kernel at most")
      ->check(CLI::Range(std::int64_t{0}, kMost));
  app.add_option("--minutes", options->minutes, "how long schedules are tried")->check(CLI::Range(0.0, 1e6));
  app.get_option("--db")->description(
      "the database that trials are kept in, and are not made again that are in it; none: they are not "
      "kept; " +
      default_database_text());
  app.add_option("--explorer", options->explorer, explorers_text())
      ->check(CLI::IsMember(search::explorer_names()));
  app.add_option("--seed", options->seed, "what an explorer draws its random numbers from; 1 if not said")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 53));
  app.add_option(
         "--workers", options->workers,
         "devices to measure on, as of --device, one process each, a comma between them: they are to be "
         "equal; or dask://HOST:PORT/RESOURCE for workers of Dask; the one of --device if not said")
      ->delimiter(',')
      ->check(NotEmpty("a device"));
  app.add_option("--worker-timeout", options->worker_silence,
                 "seconds after which a process that measures, and says nothing, is ended; 60 if not said")
      ->check(CLI::Range(1.0, 1e5));
  app.add_option(
         "--report", options->page,
         "write a page: kernels, speed against trials, roofline, predicted against measured times, what "
         "pruning left, schedules as C++")
      ->check(NotEmpty("a file's name"));
  app.add_flag(
      "--unpruned", options->is_unpruned,
      "also try schedules that ask too much or too little of the device, to see what pruning is worth");
  return [options] { return run_autoschedule(*options); };
}

}  // namespace tensordsl::cli
