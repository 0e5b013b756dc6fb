// A folder that vanishes with its owner.
#pragma once

#include <filesystem>

namespace tensordsl::apps {

class TemporaryFolder {
 public:
  /// Creates a folder with a unique name for temporary files. Throws Error that starts with `call`.
  explicit TemporaryFolder(const char* call);
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace tensordsl::apps
