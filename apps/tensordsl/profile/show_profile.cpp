#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "apps/tensordsl/console/quoted.h"
#include "apps/tensordsl/console/terminal.h"
#include "apps/tensordsl/console/text_table.h"
#include "apps/tensordsl/profile/profile_commands.h"
#include "apps/tensordsl/profile/profile_files.h"
#include "apps/tensordsl/profile/profile_table.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {
namespace {

/// Loads a profile; errors in its contents name the file.
HwProfile load(const std::string& name) {
  try {
    return load_hw_profile(name);
  } catch (const ParseError& e) {
    throw ParseError(fmt::format("{}: {}", name, e.what()));
  }
}

}  // namespace

int show_profile(const std::string& name, const std::string& plots, bool is_json) {
  const HwProfile profile = load(name);
  if (is_json) {
    fmt::print("{}", to_json(profile));
  } else {
    fmt::print("{}{}\n{}", profile.device, profile.driver.empty() ? "" : fmt::format(" ({})", profile.driver),
               profile_table(profile, HwProfile(), true, terminal_columns(STDOUT_FILENO)));
    const auto columns = static_cast<std::size_t>(terminal_columns(STDOUT_FILENO).value_or(100'000));
    for (const std::string& source : profile.sources)
      fmt::print("  {}", wrapped("source: " + source, columns - 2, 4));
  }
  if (plots.empty()) return 0;
  const std::filesystem::path page = page_in(plots);
  const std::string command =
      fmt::format("tensordsl profile show {} --plots {}", quoted(name), quoted(plots));
  write_page(page, {profile, 0, {}}, shown_facts(name, command), {});
  fmt::print(stderr, "tensordsl: wrote {}\n", page.string());
  return 0;
}

int compare_profiles(const std::vector<std::string>& names, bool is_json) {
  std::vector<NamedProfile> profiles;
  for (const std::string& name : names) profiles.emplace_back(name, load(name));
  fmt::print("{}", is_json ? comparison_json(profiles)
                           : comparison_table(profiles, terminal_columns(STDOUT_FILENO)));
  return 0;
}

}  // namespace tensordsl::cli
