// Runs the tensordsl binary and keeps what it says.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace tensordsl::testing {

struct CommandResult {
  int code = -1;
  std::string out, err;
};

inline std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A folder that vanishes with its owner; commands run with their output next to it.
class CommandLine {
 public:
  CommandLine() {
    std::string name = (std::filesystem::temp_directory_path() / "tensordsl-cli-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;
  ~CommandLine() {
    std::error_code error;
    std::filesystem::remove_all(folder_, error);
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  void write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
  }

  /// `variables` are NAME=VALUE, for this command only; `output` is where its output goes, if not into the
  /// result.
  CommandResult run(const std::vector<std::string>& arguments, const std::vector<std::string>& variables = {},
                    const std::string& output = "") const {
    std::string command = "env";
    for (const std::string& v : variables) command.append(" ").append(quoted(v));
    command.append(" ").append(quoted(TENSORDSL_CLI));
    for (const std::string& a : arguments) command.append(" ").append(quoted(a));
    command += " >" + quoted(output.empty() ? path("stdout") : output) + " 2>" + quoted(path("stderr")) +
               " </dev/null";
    const int status = std::system(command.c_str());
    CommandResult result;
    if (WIFEXITED(status)) result.code = WEXITSTATUS(status);
    if (output.empty()) result.out = file_text(path("stdout"));
    result.err = file_text(path("stderr"));
    return result;
  }

  /// Runs the tool with an output that is not read, as in `tensordsl ... | head` when head has ended.
  CommandResult run_without_reader(const std::vector<std::string>& arguments) const {
    int ends[2] = {-1, -1};
    REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
    close(ends[0]);
    std::vector<std::string> words{TENSORDSL_CLI};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const std::string errors = path("stderr");
    const pid_t child = fork();
    if (child == 0) {
      dup2(ends[1], STDOUT_FILENO);
      dup2(open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
      execv(pointers[0], pointers.data());
      _exit(127);
    }
    close(ends[1]);
    int status = 0;
    waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, "", file_text(errors)};
  }

 private:
  static std::string quoted(const std::string& text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
  }

  std::filesystem::path folder_;
};

/// The lines but "building kernels: 1 of 1, 2 s", which come where a machine is slow.
inline std::string without_progress(const std::string& text) {
  return std::regex_replace(text, std::regex("[^\n]*: \\d+ of \\d+, \\d+ s\n"), "");
}

/// Exit code 2, nothing on stdout, and this one line on stderr.
inline void check_user_error(const CommandResult& result, const std::string& text) {
  CHECK(result.code == 2);
  CHECK(result.out == "");
  CHECK(without_progress(result.err) == "tensordsl: error: " + text + "\n");
}

/// Checks a user's error whose text is partly another library's: it starts with `text`.
inline void check_user_error_like(const CommandResult& result, const std::string& text) {
  CHECK(result.code == 2);
  const std::string error = without_progress(result.err);
  CHECK(std::count(error.begin(), error.end(), '\n') == 1);
  CHECK_MESSAGE(error.starts_with("tensordsl: error: " + text), error);
}

}  // namespace tensordsl::testing
