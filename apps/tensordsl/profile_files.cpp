#include "apps/tensordsl/profile_files.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <ctime>
#include <fstream>

#include "hwprofile/report/profile_page.h"
#include "tensordsl/error.h"
#include "tensordsl/version.h"

namespace tensordsl::cli {
namespace {

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

}  // namespace

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

void check_place(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path))
    throw Error(fmt::format("cannot write {}: it is a folder; name a file in it", path.string()));
  const bool is_new = !std::filesystem::exists(path);
  const bool is_possible = std::ofstream(path, std::ios::app).good();
  std::error_code ignored;
  if (is_new) std::filesystem::remove(path, ignored);
  if (!is_possible) throw Error(fmt::format("cannot write {}", path.string()));
}

std::filesystem::path page_in(const std::string& folder) {
  std::error_code failed;
  if (!std::filesystem::is_directory(folder) && !std::filesystem::create_directories(folder, failed))
    throw Error(fmt::format("cannot make the folder {}", folder));
  std::filesystem::path page = std::filesystem::path(folder) / "profile.html";
  check_place(page);
  return page;
}

void write_page(const std::filesystem::path& path, const hwprofile::DeviceProfile& profile,
                const std::string& command) {
  const std::vector<std::pair<std::string, std::string>> facts{
      {"date", fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr)))},
      {"host", host_name()},
      {"version", std::string("tensordsl ") + version()},
      {"command", command}};
  write_file(path, report::to_html(hwprofile::profile_page(profile, facts)));
}

}  // namespace tensordsl::cli
