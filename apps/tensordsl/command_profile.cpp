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
#include "hwprofile/probes/reported_by_driver.h"
#include "hwprofile/report/profile_page.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {
namespace {

using namespace hwprofile;

struct Options {
  std::string device, output, plots;
  std::vector<std::string> only;
  bool is_quick = false;
};

/// As a whole or not at all, where there is a file or none; into what is there otherwise, such as a device
/// node.
void write_file(const std::filesystem::path& path, const std::string& text) {
  const bool is_special = std::filesystem::exists(path) && !std::filesystem::is_regular_file(path);
  const std::filesystem::path written = is_special ? path : std::filesystem::path(path.string() + ".new");
  std::ofstream file(written);
  file << text;
  file.close();
  std::error_code failed;
  if (file && !is_special) std::filesystem::rename(written, path, failed);
  if (!file || failed) throw Error(fmt::format("cannot write {}", path.string()));
}

/// Minutes of measuring are not to end at a place that cannot be written.
void check_place(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path))
    throw Error(fmt::format("cannot write {}: it is a folder; name a file in it", path.string()));
  const bool is_new = !std::filesystem::exists(path);
  const bool is_possible = std::ofstream(path, std::ios::app).good();
  std::error_code ignored;
  if (is_new) std::filesystem::remove(path, ignored);
  if (!is_possible) throw Error(fmt::format("cannot write {}", path.string()));
}

int run(const Options& options) {
  const auto device = Device::open(options.device);
  const DeviceInfo& info = device->info();
  std::error_code failed;
  const auto page = std::filesystem::path(options.plots) / "profile.html";
  if (!options.plots.empty() && !std::filesystem::is_directory(options.plots) &&
      !std::filesystem::create_directories(options.plots, failed)) {
    throw Error(fmt::format("cannot make the folder {}", options.plots));
  }
  if (!options.plots.empty()) check_place(page);
  if (!options.output.empty()) check_place(options.output);
  ProfileOptions profiling{options.only, options.is_quick ? 30.0 : 180.0, {}};
  const bool is_special =
      std::filesystem::exists(options.output) && !std::filesystem::is_regular_file(options.output);
  if (!options.output.empty() && !is_special) profiling.checkpoint = options.output + ".partial";
  DeviceProfile found;
  {
    Progress progress("profiling " + info.name);
    found = profile_device(*device, profiling,
                           [&](std::string_view, int done, int total) { progress.update(done, total); });
  }
  if (found.resumed > 0)
    fmt::print("went on from {}, which had {} measurements\n", profiling.checkpoint.string(), found.resumed);
  bool has_failed = false, has_measured = false;
  for (const ProbeResult& result : found.results) {
    std::string last;
    for (const ProbePass& pass : result.passes) {
      has_measured |= !pass.curves.empty();
      if (pass.error.empty()) continue;
      has_failed = true;
      if (pass.error != last)
        fmt::print(stderr, "tensordsl: warning: the probe {} did not end: {}\n", result.probe, pass.error);
      last = pass.error;
    }
  }
  if (has_failed && !has_measured) throw DeviceError("no probe could be run; nothing was written");
  fmt::print("{} ({})\n{}", info.name, info.driver,
             profile_table(found.profile, reported_by_driver(info), options.only.empty()));
  for (const std::string& line : cross_checks(found.profile, info)) fmt::print("  {}\n", line);
  if (!options.output.empty()) write_file(options.output, to_json(found.profile));
  if (!options.plots.empty()) {
    write_file(page, report::to_html(profile_page(found, {})));
    fmt::print("wrote {}\n", page.string());
  }
  if (profiling.checkpoint.empty()) return 0;
  // What did not fail need not be measured again.
  if (has_failed) {
    fmt::print("the same command tries again what failed, and goes on from {}\n",
               profiling.checkpoint.string());
  } else {
    std::filesystem::remove(profiling.checkpoint, failed);
  }
  return 0;
}

}  // namespace

Command add_profile_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("--device", options->device, "the device: gpu, cpu, P:D or a part of its name");
  app.add_option("-o,--output", options->output,
                 "write the profile, as JSON; a run that was interrupted goes on where it was");
  app.add_option("--only", options->only, "the probes to run, with commas between them")->delimiter(',');
  app.add_option("--plots", options->plots, "write a page with all curves, profile.html, into this folder");
  app.add_flag("--quick", options->is_quick, "take half a minute instead of three");
  return [options] { return run(*options); };
}

}  // namespace tensordsl::cli
