#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "apps/tensordsl/autoschedule_report.h"
#include "apps/tensordsl/commands.h"
#include "apps/tensordsl/files.h"
#include "apps/tensordsl/json_text.h"
#include "apps/tensordsl/model.h"
#include "apps/tensordsl/progress.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {
namespace {

struct Options {
  ModelArguments model;
  std::string folder;
  int tries = 0;
};

int run(const Options& options) {
  check_output_folder("-o", options.folder);
  const CompileTarget target = aimed_target(options.model);
  std::shared_ptr<Device> device;
  if (options.tries > 0) {
    if (!target.device) {
      throw Error(
          fmt::format("--tries {}: there is no device to try on; give --device too, or leave it out, so that "
                      "nothing is timed",
                      options.tries));
    }
    device = Device::open(options.model.device);
  }
  const Model model = load_model_file(options.model);
  Warnings warnings;
  warnings.print(model.warnings());
  AutoscheduleOptions choosing;
  choosing.tries = options.tries;
  choosing.device = device.get();
  AutoscheduleReport report;
  Program program;
  {
    Progress progress(options.tries > 0 ? "trying schedules" : "choosing schedules");
    choosing.progress = [&](const std::string&, int done, int total) { progress.update(done, total); };
    program = model.autoschedule(target, choosing, &report);
  }
  warnings.print(program.warnings);
  write_program(program, options.folder);
  if (options.model.json) {
    nlohmann::ordered_json json = to_json(report);
    json["model"] = options.model.model;
    json["for"] = aim_of(options.model, target);
    json["folder"] = options.folder;
    print_json(json);
  } else {
    fmt::print("{}{} kernels ({} launches) in {}, for {}\n", to_text(report), program.kernels.size(),
               program.launches.size(), options.folder, aim_of(options.model, target));
  }
  return 0;
}

}  // namespace

Command add_autoschedule_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  add_model_options(app, options->model);
  describe_aim(app);
  app.get_option("--json")->description("print what was chosen as JSON");
  app.add_option("-o,--output", options->folder,
                 "the folder for program.json, the .cl files and the constants")
      ->required()
      ->check(NotEmpty("a folder's name"));
  app.add_option("--tries", options->tries,
                 "schedules of each kernel that are built, checked and timed on the device; 0, if not said: "
                 "none, and what a model of the device predicts is taken")
      ->check(CLI::Range(0, 1000));
  return [options] { return run(*options); };
}

}  // namespace tensordsl::cli
