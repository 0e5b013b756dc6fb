// The state of files when they were first read, to detect later changes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace tensordsl::cli {

class FileStates {
 public:
  /// Returns the checksum of the file, "absent" if it does not exist. Reads it only at the first call. Throws
  /// Error if it is not a regular file or cannot be read.
  const std::string& checksum(const std::filesystem::path& path);

  /// True if every file is the one that was read and has not been written since. Throws Error as checksum()
  /// does.
  bool are_current() const;

 private:
  /// The identity and the time of the last change, which reveal a file that was replaced by another and put
  /// back.
  struct State {
    std::uint64_t device = 0, inode = 0;
    std::int64_t changed_seconds = 0, changed_nanoseconds = 0;
    std::string checksum = "absent";
    friend bool operator==(const State&, const State&) = default;
  };
  static State read(const std::filesystem::path& path);

  std::map<std::filesystem::path, State> states_;
};

}  // namespace tensordsl::cli
