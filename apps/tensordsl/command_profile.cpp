#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <memory>

#include "apps/tensordsl/commands.h"
#include "apps/tensordsl/profile_table.h"
#include "apps/tensordsl/progress.h"
#include "hwprofile/probes/cross_check.h"
#include "hwprofile/probes/profile_device.h"
#include "hwprofile/probes/told_figures.h"
#include "hwprofile/report/report.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {
namespace {

using namespace hwprofile;

struct Options {
  std::string device, output, plots;
  std::vector<std::string> only;
  bool is_quick = false;
};

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) throw Error(fmt::format("cannot write {}", path.string()));
}

int run(const Options& options) {
  const auto device = Device::open(options.device);
  const DeviceInfo& info = device->info();
  // Minutes of measuring are not to end at a folder that cannot be made.
  std::error_code failed;
  if (!options.plots.empty() && !std::filesystem::is_directory(options.plots) && !std::filesystem::create_directories(options.plots, failed)) {
    throw Error(fmt::format("cannot make the folder {}", options.plots));
  }
  ProfileOptions profiling{options.only, options.is_quick ? 30.0 : 180.0, {}};
  if (!options.output.empty()) profiling.checkpoint = options.output + ".partial";
  DeviceProfile found;
  {
    Progress progress("profiling " + info.name);
    found = profile_device(*device, profiling, [&](std::string_view, int done, int total) { progress.update(done, total); });
  }
  if (found.resumed > 0) fmt::print("went on from {}, which had {} measurements\n", profiling.checkpoint.string(), found.resumed);
  for (const ProbeResult& result : found.results) {
    for (const ProbePass& pass : result.passes) {
      if (!pass.error.empty()) fmt::print(stderr, "tensordsl: warning: the probe {} could not be run: {}\n", result.probe, pass.error);
    }
  }
  fmt::print("{} ({})\n{}", info.name, info.driver, profile_table(found.profile, told_figures(info), options.only.empty()));
  for (const std::string& line : cross_checks(found.profile, info)) fmt::print("  {}\n", line);
  if (!options.output.empty()) write_file(options.output, to_json(found.profile));
  if (!options.plots.empty()) {
    const auto page = std::filesystem::path(options.plots) / "profile.html";
    write_file(page, report_page(found));
    fmt::print("wrote {}\n", page.string());
  }
  // Only now nothing can be lost any more.
  if (!profiling.checkpoint.empty()) std::filesystem::remove(profiling.checkpoint, failed);
  return 0;
}

}  // namespace

Command add_profile_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("--device", options->device, "the device: gpu, cpu, P:D or a part of its name");
  app.add_option("-o,--output", options->output, "write the profile, as JSON; a run that was interrupted goes on where it was");
  app.add_option("--only", options->only, "the probes to run, with commas between them")->delimiter(',');
  app.add_option("--plots", options->plots, "write a page with all curves, profile.html, into this folder");
  app.add_flag("--quick", options->is_quick, "take half a minute instead of three");
  return [options] { return run(*options); };
}

}  // namespace tensordsl::cli
