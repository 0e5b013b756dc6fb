// The subcommands of `tensordsl profile`.
#pragma once

#include <string>
#include <vector>

namespace tensordsl::cli {

struct ProfileCommandOptions {
  std::string device, output, plots;
  std::vector<std::string> only;
  bool is_quick = false;
  bool is_json = false;
};

/// Measures a device; each of these gives the exit code.
int measure_profile(const ProfileCommandOptions& options);

/// Prints a saved or bundled profile, and writes its page if `plots` is not empty.
int show_profile(const std::string& name, const std::string& plots, bool is_json);

int compare_profiles(const std::vector<std::string>& names, bool is_json);

}  // namespace tensordsl::cli
