// Names of files and folders for a test's time, which no other process uses.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

namespace tensordsl::testing {

/// Returns a path in the folder for temporary files, which no other process uses. Makes nothing there.
inline std::filesystem::path temporary(const std::string& name) {
  return std::filesystem::temp_directory_path() / ("tensordsl_" + std::to_string(getpid()) + "_" + name);
}

}  // namespace tensordsl::testing
