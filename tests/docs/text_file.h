// Files of the project as text.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "support/source_dir.h"

namespace tensordsl::docs {

/// `path` is relative to the project. Throws std::runtime_error if the file cannot be read.
inline std::string read_file(const std::string& path) {
  std::ifstream file(source_dir() / path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error("cannot read " + path);
  return text.str();
}

}  // namespace tensordsl::docs
