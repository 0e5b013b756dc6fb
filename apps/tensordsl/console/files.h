// The files and folders that commands read and write.
#pragma once

#include <filesystem>
#include <string>

namespace tensordsl::cli {

/// Replaces a regular file, or makes a new one, atomically: completely or not at all. Writes into anything
/// else that exists, such as a device node. Throws Error if it cannot be written.
void write_file(const std::filesystem::path& path, const std::string& text);

/// Returns the text of a file. Throws Error that names the file if it cannot be read.
std::string read_text_file(const std::filesystem::path& path);

/// Checks that the file can be written, so that minutes of work are not lost at their end; leaves no file.
/// Throws Error if it cannot.
void check_place(const std::filesystem::path& path);

/// Checks the file or the folder that an option names like check_place(); the Error begins with the option.
/// An empty path is not checked.
void check_output_file(const std::string& option, const std::string& path);
void check_output_folder(const std::string& option, const std::string& path);

/// Checks that the file of an option is not `read`, under this name or another. `what` describes `read`, a
/// file that is read or kept: "the database". Throws Error, which begins with the option. Nothing is checked
/// if one of the two is empty.
void check_is_another(const std::string& option, const std::string& path, const std::string& what,
                      const std::string& read);

/// A validator for CLI11 that refuses an empty value of an option: "expected WHAT".
class NotEmpty {
 public:
  explicit NotEmpty(std::string what) : what_(std::move(what)) {}
  std::string operator()(const std::string& value) const {
    return value.empty() ? "expected " + what_ : std::string();
  }

 private:
  std::string what_;
};

}  // namespace tensordsl::cli
