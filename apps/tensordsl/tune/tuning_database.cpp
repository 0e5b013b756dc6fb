#include "apps/tensordsl/tune/tuning_database.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "apps/tensordsl/console/files.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {
namespace {

/// Returns a variable of the environment; empty if it is not set.
std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

bool has_default_database() {
  return std::ranges::any_of(std::array{"TENSORDSL_DB", "XDG_DATA_HOME", "HOME"},
                             [](const char* name) { return !environment(name).empty(); });
}

std::string default_database() {
  if (const std::string named = environment("TENSORDSL_DB"); !named.empty()) return named;
  std::filesystem::path folder = environment("XDG_DATA_HOME");
  if (folder.empty()) {
    const std::string home = environment("HOME");
    if (home.empty())
      throw Error("cannot find a home folder for tuning records; name a database with --db or TENSORDSL_DB");
    folder = std::filesystem::path(home) / ".local" / "share";
  }
  folder /= "tensordsl";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw Error(fmt::format(
        "cannot create the folder {} for tuning records: {}; name a database with --db or TENSORDSL_DB",
        folder.string(), error.message()));
  }
  return folder / "tuning.db";
}

void check_is_no_database(const std::string& option, const std::string& path, const std::string& database) {
  if (database.empty()) return;
  check_is_another(option, path, "the database", database);
  for (const char* ending : {"-wal", "-shm"})
    check_is_another(option, path, "a part of the database", database + ending);
}

std::string default_database_text() {
  return "default: $TENSORDSL_DB, or tensordsl/tuning.db in $XDG_DATA_HOME or ~/.local/share";
}

}  // namespace tensordsl::cli
