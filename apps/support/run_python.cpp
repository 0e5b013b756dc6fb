#include "apps/support/run_python.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "apps/support/temporary_folder.h"
#include "tensordsl/error.h"

namespace tensordsl::apps {
namespace {

std::string last_line(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string last;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) last = line;
  }
  return last;
}

}  // namespace

PythonResult run_python(const char* call, const char* otherwise, const std::string& script,
                        const std::vector<std::string>& arguments) {
  const TemporaryFolder folder(call);
  const auto out = folder.path() / "stdout", err = folder.path() / "stderr";
  std::vector<std::string> words{"python3", "-c", script};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  constexpr int kFlags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), kFlags, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), kFlags, 0600);
  pid_t child = 0;
  const int error = posix_spawnp(&child, "python3", &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT) throw Error(fmt::format("{}: python3 was not found; install it{}", call, otherwise));
  if (error != 0) throw Error(fmt::format("{}: cannot start python3: {}", call, std::strerror(error)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, last_line(out), last_line(err)};
}

}  // namespace tensordsl::apps
