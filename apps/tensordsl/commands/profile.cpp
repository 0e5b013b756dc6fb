#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "apps/tensordsl/commands/commands.h"
#include "apps/tensordsl/console/files.h"
#include "apps/tensordsl/profile/profile_commands.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {
namespace {

struct ProfileArguments {
  ProfileCommandOptions measured;
  std::string shown, shown_plots;
  std::vector<std::string> compared;
  bool is_shown_json = false, is_compared_json = false;
};

void add_measuring_options(CLI::App& app, ProfileCommandOptions& options) {
  app.add_option("--device", options.device, "the device: gpu, cpu, P:D, or a part of its name");
  app.add_option("-o,--output", options.output,
                 "write the profile as JSON; an interrupted run resumes from it")
      ->check(NotEmpty("a file's name"));
  app.add_option("--only", options.only, "probes to run, separated by commas")->delimiter(',');
  app.add_option("--plots", options.plots, "write a page with all curves, profile.html, into this folder")
      ->check(NotEmpty("a folder's name"));
  app.add_flag("--quick", options.is_quick, "run for half a minute instead of three");
  app.add_flag("--json", options.is_json, "print only the profile, as JSON");
}

/// Refuses options before a subcommand: they apply only to measuring, and would do nothing.
void check_none_given(const CLI::App& app, const std::string& subcommand) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() > 0)
      throw Error(fmt::format(
          "profile {0}: {1} before \"{0}\" applies only to measuring; pass the options of {0} after \"{0}\"",
          subcommand, option->get_name()));
  }
}

}  // namespace

Command add_profile_command(CLI::App& app) {
  auto options = std::make_shared<ProfileArguments>();
  add_measuring_options(app, options->measured);
  app.require_subcommand(0, 1);
  app.footer("Without a subcommand, measures a device.");
  CLI::App* show = app.add_subcommand("show", "print a saved or bundled profile");
  show->add_option("PROFILE", options->shown, "a file, or the name of a bundled profile such as adreno640")
      ->required();
  show->add_option("--plots", options->shown_plots, "write a page, profile.html, into this folder")
      ->check(NotEmpty("a folder's name"));
  show->add_flag("--json", options->is_shown_json, "print the profile as JSON");
  CLI::App* compare = app.add_subcommand("compare", "print profiles side by side");
  compare->add_option("PROFILES", options->compared, "files, or names of bundled profiles such as adreno640")
      ->required();
  compare->add_flag("--json", options->is_compared_json, "print the profiles as JSON");
  return [options, show, compare, &app] {
    if (*show || *compare) check_none_given(app, *show ? "show" : "compare");
    if (*show) return show_profile(options->shown, options->shown_plots, options->is_shown_json);
    if (!*compare) return measure_profile(options->measured);
    if (options->compared.size() < 2) throw Error("profile compare: found one profile; pass two or more");
    return compare_profiles(options->compared, options->is_compared_json);
  };
}

}  // namespace tensordsl::cli
