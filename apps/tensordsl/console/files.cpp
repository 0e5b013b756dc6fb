#include "apps/tensordsl/console/files.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/write_file.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {
namespace {

namespace fs = std::filesystem;

/// True if a file can be created in the folder. Creates one to find out, because permissions do not determine
/// it.
bool takes_files(const fs::path& folder) {
  std::string probe = (folder / ".tensordsl-XXXXXX").string();
  const int descriptor = mkstemp(probe.data());
  if (descriptor < 0) return false;
  close(descriptor);
  unlink(probe.c_str());
  return true;
}

/// The outermost of the folders that are not there; empty if all are.
fs::path first_missing(const fs::path& folder) {
  fs::path missing;
  std::error_code ignored;
  for (fs::path part = folder; !part.empty() && !fs::exists(part, ignored); part = part.parent_path())
    missing = part;
  return missing;
}

}  // namespace

void write_file(const fs::path& path, const std::string& text) {
  const bool is_special = fs::exists(path) && !fs::is_regular_file(path);
  const fs::path written = is_special ? path : fs::path(path.string() + ".new");
  try {
    tensordsl::write_file(written, text);
    if (!is_special) fs::rename(written, path);
  } catch (const std::exception& error) {
    std::error_code ignored;
    if (!is_special) fs::remove(written, ignored);
    const auto* failed = dynamic_cast<const fs::filesystem_error*>(&error);
    if (failed == nullptr) throw;
    throw Error(fmt::format("cannot write {}: {}", path.string(), failed->code().message()));
  }
}

std::string read_text_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file || fs::is_directory(path)) throw Error(fmt::format("cannot read {}", path.string()));
  return text.str();
}

void check_place(const fs::path& path) {
  if (fs::is_directory(path))
    throw Error(fmt::format("cannot write {}: it is a folder; name a file in it", path.string()));
  const bool is_new = !fs::exists(path);
  errno = 0;
  const bool is_possible = std::ofstream(path, std::ios::app).good();
  const std::string reason = std::strerror(errno);
  std::error_code ignored;
  if (is_new) fs::remove(path, ignored);
  if (!is_possible) throw Error(fmt::format("cannot write {}: {}", path.string(), reason));
}

void check_output_file(const std::string& option, const std::string& path) {
  if (path.empty()) return;
  try {
    check_place(path);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", option, error.what()));
  }
}

void check_is_another(const std::string& option, const std::string& path, const std::string& what,
                      const std::string& read) {
  if (path.empty() || read.empty()) return;
  // A name that cannot be resolved gives an empty one.
  std::error_code failed;
  const fs::path written = fs::weakly_canonical(path, failed), kept = fs::weakly_canonical(read, failed);
  if ((!written.empty() && written == kept) || fs::equivalent(path, read, failed))
    throw Error(fmt::format("{}: {} is {} and would be overwritten; name another file", option, path, what));
}

void check_output_folder(const std::string& option, const std::string& path) {
  if (path.empty()) return;
  const fs::path folder = fs::absolute(path).lexically_normal();
  const fs::path missing = first_missing(folder);
  std::error_code failed, ignored;
  fs::create_directories(folder, failed);
  const bool is_folder = fs::is_directory(folder, ignored);
  const bool is_possible = is_folder && takes_files(folder);
  const std::string reason = std::strerror(errno);
  // Removes only empty folders: files that others put there meanwhile stay.
  for (fs::path made = folder; !missing.empty() && made != missing.parent_path(); made = made.parent_path())
    fs::remove(made, ignored);
  if (!is_folder) {
    throw Error(fmt::format("{}: cannot create the folder {}: {}", option, path, failed.message()));
  }
  if (!is_possible) throw Error(fmt::format("{}: cannot write into the folder {}: {}", option, path, reason));
}

}  // namespace tensordsl::cli
