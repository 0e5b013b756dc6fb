#include "apps/tensordsl/model/file_states.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "base/checksum.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const char* why) {
  throw Error(fmt::format("{}: cannot be read: {}", path.string(), why));
}

class OpenFile {
 public:
  /// Does not wait for the other end of a pipe.
  explicit OpenFile(const std::filesystem::path& path)
      : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

/// Returns a checksum of the checksums of parts. The file is read and not mapped: a mapped one that another
/// process cuts short ends this process.
std::string checksum_of(const OpenFile& file, const std::filesystem::path& path) {
  constexpr std::size_t kPart = 1 << 20;
  std::vector<char> part(kPart);
  std::string sums;
  for (bool is_end = false; !is_end;) {
    std::size_t filled = 0;
    while (filled < part.size() && !is_end) {
      const ssize_t more = read(file.descriptor(), part.data() + filled, part.size() - filled);
      if (more < 0 && errno == EINTR) continue;
      if (more < 0) refuse(path, std::strerror(errno));
      is_end = more == 0;
      filled += static_cast<std::size_t>(more);
    }
    sums += to_hex(tensordsl::checksum(std::string_view(part.data(), filled)));
  }
  return to_hex(tensordsl::checksum(std::string_view(sums)));
}

}  // namespace

const std::string& FileStates::checksum(const std::filesystem::path& path) {
  const auto known = states_.find(path);
  return (known != states_.end() ? known : states_.emplace(path, read(path)).first)->second.checksum;
}

bool FileStates::are_current() const {
  return std::ranges::all_of(states_, [](const auto& file) { return read(file.first) == file.second; });
}

FileStates::State FileStates::read(const std::filesystem::path& path) {
  const OpenFile file(path);
  if (file.descriptor() < 0 && errno == ENOENT) return {};
  struct stat status {};
  if (file.descriptor() < 0 || fstat(file.descriptor(), &status) != 0) refuse(path, std::strerror(errno));
  if (!S_ISREG(status.st_mode)) refuse(path, "it is not a regular file");
  return {status.st_dev, status.st_ino, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
          checksum_of(file, path)};
}

}  // namespace tensordsl::cli
