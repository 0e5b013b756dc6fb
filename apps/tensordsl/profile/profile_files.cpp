#include "apps/tensordsl/profile/profile_files.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <ctime>

#include "apps/tensordsl/console/files.h"
#include "report/pages/profile_page.h"
#include "tensordsl/error.h"
#include "tensordsl/version.h"

namespace tensordsl::cli {
namespace {

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

}  // namespace

std::filesystem::path page_in(const std::string& folder) {
  std::error_code failed;
  if (!std::filesystem::is_directory(folder) && !std::filesystem::create_directories(folder, failed))
    throw Error(fmt::format("cannot create the folder {}", folder));
  std::filesystem::path page = std::filesystem::path(folder) / "profile.html";
  check_place(page);
  return page;
}

void write_page(const std::filesystem::path& path, const hwprofile::DeviceProfile& profile,
                const std::string& command) {
  const std::vector<std::pair<std::string, std::string>> facts{
      {"date", fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr)))},
      {"host", host_name()},
      {"version", fmt::format("tensordsl {}", version())},
      {"command", command}};
  write_file(path, report::to_html(report::profile_page(profile, facts)));
}

}  // namespace tensordsl::cli
