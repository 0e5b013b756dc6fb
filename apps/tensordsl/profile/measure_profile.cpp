#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <atomic>
#include <optional>

#include "apps/tensordsl/console/files.h"
#include "apps/tensordsl/console/interrupt.h"
#include "apps/tensordsl/console/progress.h"
#include "apps/tensordsl/console/quoted.h"
#include "apps/tensordsl/console/terminal.h"
#include "apps/tensordsl/console/text_table.h"
#include "apps/tensordsl/profile/profile_commands.h"
#include "apps/tensordsl/profile/profile_files.h"
#include "apps/tensordsl/profile/profile_table.h"
#include "hwprofile/profiling/checkpoint.h"
#include "hwprofile/profiling/profile_device.h"
#include "hwprofile/profiling/unsteady_lines.h"
#include "hwprofile/reported/cross_check.h"
#include "hwprofile/reported/reported_by_driver.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {
namespace {

using namespace hwprofile;

/// Returns the command that measures the same again.
std::string command_of(const ProfileCommandOptions& options) {
  std::string command = "tensordsl profile";
  if (!options.device.empty()) command += " --device " + quoted(options.device);
  if (!options.only.empty()) command += " --only " + quoted(fmt::format("{}", fmt::join(options.only, ",")));
  if (options.is_quick) command += " --quick";
  if (!options.output.empty()) command += " -o " + quoted(options.output);
  if (!options.plots.empty()) command += " --plots " + quoted(options.plots);
  if (options.is_json) command += " --json";
  return command;
}

/// Prints a note on stderr, so that standard output has only the profile.
void note(const std::string& text) { fmt::print(stderr, "tensordsl: {}\n", text); }

/// Reports the probes that did not end; returns true if there was one. Throws DeviceError if none could be
/// run.
bool tell_failures(const std::vector<ProbeResult>& results) {
  bool has_failed = false, has_measured = false;
  for (const ProbeResult& result : results) {
    std::string last;
    for (const ProbePass& pass : result.passes) {
      has_measured |= !pass.curves.empty();
      if (pass.error.empty()) continue;
      has_failed = true;
      if (pass.error != last) note(fmt::format("warning: probe {} failed: {}", result.probe, pass.error));
      last = pass.error;
    }
  }
  if (has_failed && !has_measured) throw DeviceError("profile: every probe failed; nothing was written");
  return has_failed;
}

/// Compares figures that were measured in different ways, and reports disturbances.
std::vector<std::string> notes_of(const DeviceInfo& info, const DeviceProfile& found) {
  std::vector<std::string> lines = cross_checks(found.profile, info);
  const std::vector<std::string> unsteady = unsteady_lines(found.results);
  lines.insert(lines.end(), unsteady.begin(), unsteady.end());
  return lines;
}

void print_table(const ProfileCommandOptions& options, const DeviceInfo& info, const DeviceProfile& found) {
  const std::optional<int> columns = terminal_columns(STDOUT_FILENO);
  fmt::print("{} ({})\n{}", info.name, info.driver,
             profile_table(found.profile, reported_by_driver(info), options.only.empty(), columns));
  for (const std::string& line : notes_of(info, found))
    fmt::print("  {}", wrapped(line, static_cast<std::size_t>(columns.value_or(100'000)) - 2, 4));
}

}  // namespace

int measure_profile(const ProfileCommandOptions& options) {
  ProfileOptions profiling{options.only, options.is_quick ? 30.0 : 180.0, {}};
  profiling.notice = [](const std::string& text) { note(text); };
  std::atomic<int> done = 0, total = 0;
  const auto interrupted = [&]() -> std::string {
    if (profiling.checkpoint.empty())
      return "no measurement was saved; with -o FILE, an interrupted run can be resumed";
    std::error_code ignored;
    std::filesystem::remove(checkpoint_draft(profiling.checkpoint), ignored);
    return fmt::format("{} has {} of {} measurements; to resume: {}", profiling.checkpoint.string(),
                       done.load(), total.load(), command_of(options));
  };
  const bool is_special =
      std::filesystem::exists(options.output) && !std::filesystem::is_regular_file(options.output);
  std::filesystem::path page;
  if (!options.plots.empty()) page = page_in(options.plots);
  if (!options.output.empty()) check_place(options.output);
  if (!options.output.empty() && !is_special) profiling.checkpoint = options.output + ".partial";
  DeviceProfile found;
  std::shared_ptr<Device> device;
  {
    // A driver starts threads, which are not to get the signal.
    const Interrupt interrupt([&] { end_interrupted(interrupted()); });
    device = Device::open(options.device);
    Progress progress("profiling " + device->info().name);
    found = profile_device(*device, profiling, [&](std::string_view, int now, int all) {
      done = now;
      total = all;
      progress.update(now, all);
    });
  }
  const bool has_failed = tell_failures(found.results);
  // Writes the file first: the reader of standard output may close it, which ends the process.
  if (!options.output.empty()) write_file(options.output, to_json(found.profile));
  if (options.is_json) {
    fmt::print("{}", to_json(found.profile));
  } else {
    print_table(options, device->info(), found);
  }
  if (!page.empty()) {
    write_page(page, found, measured_facts(command_of(options)), notes_of(device->info(), found));
    note("wrote " + page.string());
  }
  if (profiling.checkpoint.empty()) return 0;
  // Advises to resume: successful probes need not be measured again.
  if (has_failed) {
    note("run the same command again to repeat the failed probes; it resumes from " +
         profiling.checkpoint.string());
  } else {
    std::error_code ignored;
    std::filesystem::remove(profiling.checkpoint, ignored);
  }
  return 0;
}

}  // namespace tensordsl::cli
