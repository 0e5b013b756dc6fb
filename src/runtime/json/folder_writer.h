// Writes the files of a Program or a package into a folder.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tensordsl::runtime {

/// Writes files into a folder, which it makes if it does not exist. Unless finish() is called, its destructor
/// removes the files, and the folder if this made it: a full disk leaves no part of a package.
class FolderWriter {
 public:
  /// Throws Error if the folder cannot be made.
  explicit FolderWriter(std::filesystem::path folder);
  FolderWriter(const FolderWriter&) = delete;
  FolderWriter& operator=(const FolderWriter&) = delete;
  ~FolderWriter();

  /// Throws Error that names the file if not all of it could be written.
  void write(const std::string& name, std::string_view bytes);
  /// Removes this file too, unless finish() is called: something else has written it.
  void adopt(const std::string& name) { names_.push_back(name); }
  void finish() { is_finished_ = true; }

 private:
  std::filesystem::path folder_;
  bool is_made_ = false, is_finished_ = false;
  std::vector<std::string> names_;
};

}  // namespace tensordsl::runtime
