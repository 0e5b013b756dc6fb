#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>

#include "apps/tensordsl/commands/command_text.h"
#include "apps/tensordsl/commands/commands.h"
#include "apps/tensordsl/console/files.h"
#include "apps/tensordsl/console/interrupt.h"
#include "apps/tensordsl/console/page_facts.h"
#include "apps/tensordsl/console/print_json.h"
#include "apps/tensordsl/model/loaded_model.h"
#include "apps/tensordsl/model/package_output.h"
#include "apps/tensordsl/tune/autoschedule_report.h"
#include "apps/tensordsl/tune/tuning_database.h"
#include "apps/tensordsl/tune/tuning_progress.h"
#include "apps/tensordsl/tune/worker_commands.h"
#include "base/text/counted.h"
#include "report/pages/tuning_page.h"
#include "search/make_explorer.h"
#include "tensordsl/error.h"

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
  std::string command;  // as it was given, for the page
};

bool tries_any(const AutoscheduleArguments& options) {
  return options.trials > 0 || options.trials_of_kernel > 0 || options.minutes > 0;
}

/// Returns the database of the trials; empty if they are not kept.
std::string kept_trials(const std::string& database) {
  if (database == "none") return "";
  if (!database.empty()) return database;
  if (has_default_database()) return default_database();
  fmt::print(
      stderr,
      "tensordsl: warning: there is no home folder, so trials are not kept; --db or TENSORDSL_DB names "
      "a database\n");
  return "";
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
  tuning.database = kept_trials(options.model.database);
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
      if (interrupts++ > 0) end_interrupted("trials so far are saved; run the same command again to resume");
      say_interrupted(
          "stopping; the best schedules found so far will be written (press Ctrl-C again to quit now)");
    });
  }
  CompileTarget target = aimed_target(options.model);
  // Trials read the database themselves; without trials the compiler takes its records.
  if (tries_any(options) || target.database == "none") target.database.clear();
  if (tries_any(options) && !target.device) {
    throw Error(
        "autoschedule: no device to time schedules on; pass --device, or drop --trials and --minutes to "
        "choose schedules without timing");
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
    PageFacts about{{"model", options.model.model},
                    {"for", aim_of(options.model, target)},
                    {"precision", options.model.precision.empty() ? "fp32" : options.model.precision}};
    std::ranges::move(page_facts(options.command), std::back_inserter(about));
    const tensordsl::report::Page page = tensordsl::report::tuning_page(report, place.stem().string(), about);
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
    fmt::print("{}{} ({}) in {}, for {}\n", to_text(report),
               counted(program.kernels.size(), "kernel", "kernels"),
               counted(program.launches.size(), "launch", "launches"), options.output.place,
               aim_of(options.model, target));
  }
  if (!report.problem.empty()) {
    throw Error(fmt::format("{}; tuning stopped there, and {} holds the best schedules found until then",
                            report.problem, options.output.place));
  }
  return report.was_stopped ? kInterruptedCode : 0;
}

std::string explorers_text() {
  return fmt::format("strategy that picks the schedules to try: {} (default: {})",
                     fmt::join(search::explorer_names(), ", "), search::default_explorer());
}

}  // namespace

Command add_autoschedule_command(CLI::App& app) {
  auto options = std::make_shared<AutoscheduleArguments>();
  add_model_options(app, options->model);
  describe_aim(app);
  app.get_option("--json")->description("print the chosen schedules as JSON");
  add_package_options(app, options->output)->required();
  constexpr std::int64_t kMost = 1'000'000'000;
  app.add_option("--trials", options->trials,
                 "total number of schedules to build, check and time on the device. Without --trials, "
                 "--trials-of-kernel and --minutes nothing is timed, and the schedules that the cost model "
                 "predicts to be fastest are used")
      ->check(CLI::Range(std::int64_t{0}, kMost));
  app.add_option("--trials-of-kernel", options->trials_of_kernel,
                 "as --trials, but the limit for each kernel")
      ->check(CLI::Range(std::int64_t{0}, kMost));
  app.add_option("--minutes", options->minutes, "stop trying schedules after this many minutes")
      ->check(CLI::Range(0.0, 1e6));
  app.get_option("--db")->description(
      "tuning database: trials are saved in it, and trials that it already has are not repeated; \"none\" "
      "saves nothing; " +
      default_database_text());
  app.add_option("--explorer", options->explorer, explorers_text())
      ->check(CLI::IsMember(search::explorer_names()));
  app.add_option("--seed", options->seed, "random seed of the explorer (default: 1)")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 53));
  app.add_option("--workers", options->workers,
                 "devices to measure on, in the form of --device, separated by commas, one process each; "
                 "they must be of the same model. Or dask://HOST:PORT/RESOURCE for Dask workers. Default: "
                 "the device of --device")
      ->delimiter(',')
      ->check(NotEmpty("a device"));
  app.add_option("--worker-timeout", options->worker_silence,
                 "seconds without output after which a measuring process is killed (default: 60)")
      ->check(CLI::Range(1.0, 1e5));
  app.add_option("--report", options->page,
                 "write an HTML page: kernels, speed over trials, roofline, predicted and measured times, "
                 "pruned schedules, schedules as C++")
      ->check(NotEmpty("a file's name"));
  app.add_flag(
      "--unpruned", options->is_unpruned,
      "also try schedules that pruning would reject because of their resource use, to evaluate pruning");
  return [options, &app] {
    options->command = command_text(app);
    return run_autoschedule(*options);
  };
}

}  // namespace tensordsl::cli
