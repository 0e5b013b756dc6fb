#include "report/run_dot.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "tensordsl/error.h"

extern char** environ;

namespace tensordsl::report {
namespace {

using std::chrono::steady_clock;

/// A folder that vanishes with its owner.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "tensordsl-dot-XXXXXX").string();
    if (!mkdtemp(name.data())) {
      throw Error(fmt::format("graph: cannot create a folder in {}: {}",
                              std::filesystem::temp_directory_path().string(), std::strerror(errno)));
    }
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

pid_t start(const Folder& folder) {
  const std::string input = folder.file("in"), output = folder.file("out"), errors = folder.file("err");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  constexpr int kNew = O_WRONLY | O_CREAT | O_TRUNC, kMode = 0600;
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), kNew, kMode);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.c_str(), kNew, kMode);
  std::string name = "dot", format = "-Tjson0";
  char* arguments[] = {name.data(), format.data(), nullptr};
  pid_t child = 0;
  const int problem = posix_spawnp(&child, "dot", &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (problem == 0) return child;
  throw Error(
      fmt::format("graph: cannot run Graphviz's dot, which lays out graphs ({}); install it (Debian: apt-get "
                  "install graphviz)",
                  std::strerror(problem)));
}

/// The status of its end; nothing if it takes too long, and is ended.
std::optional<int> wait_for(pid_t child, double seconds) {
  const auto end = steady_clock::now() + std::chrono::duration<double>(seconds);
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (steady_clock::now() > end) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return std::nullopt;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return status;
}

}  // namespace

std::optional<std::string> run_dot(const std::string& source, double seconds) {
  const Folder folder;
  std::ofstream(folder.file("in"), std::ios::binary) << source;
  const auto status = wait_for(start(folder), seconds);
  if (!status) return std::nullopt;
  if (WIFEXITED(*status) && WEXITSTATUS(*status) == 0) return text_of(folder.file("out"));
  const std::string errors = text_of(folder.file("err"));
  const std::string end = WIFSIGNALED(*status) ? fmt::format("signal {}", WTERMSIG(*status))
                                               : fmt::format("exit code {}", WEXITSTATUS(*status));
  throw Error(
      fmt::format("graph: Graphviz's dot failed with {}: {}", end, errors.substr(0, errors.find('\n'))));
}

}  // namespace tensordsl::report
