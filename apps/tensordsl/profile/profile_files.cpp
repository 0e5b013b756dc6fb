#include "apps/tensordsl/profile/profile_files.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include "apps/tensordsl/console/files.h"
#include "apps/tensordsl/console/page_facts.h"
#include "report/pages/profile_page.h"
#include "tensordsl/error.h"
#include "tensordsl/version.h"

namespace tensordsl::cli {

std::filesystem::path page_in(const std::string& folder) {
  std::error_code failed;
  if (!std::filesystem::is_directory(folder) && !std::filesystem::create_directories(folder, failed))
    throw Error(fmt::format("cannot create the folder {}", folder));
  std::filesystem::path page = std::filesystem::path(folder) / "profile.html";
  check_place(page);
  return page;
}

ProfileFacts measured_facts(const std::string& command) { return page_facts(command); }

ProfileFacts shown_facts(const std::string& name, const std::string& command) {
  struct stat file {};
  const bool is_file = stat(name.c_str(), &file) == 0;
  return {{"profile", is_file ? name : fmt::format("{}, which comes with tensordsl", name)},
          {"date", is_file ? fmt::format("{}, of the file", date_text(file.st_mtime)) : "see the sources"},
          {"host", "not told by the profile"},
          {"version", fmt::format("tensordsl {}", version())},
          {"command", command}};
}

void write_page(const std::filesystem::path& path, const hwprofile::DeviceProfile& profile,
                const ProfileFacts& facts, const std::vector<std::string>& notes) {
  write_file(path, report::to_html(report::profile_page(profile, facts, notes)));
}

}  // namespace tensordsl::cli
