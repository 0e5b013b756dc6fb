#include "apps/support/run_lines.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "tensordsl/error.h"

extern char** environ;  // NOLINT: POSIX names it so

namespace tensordsl::apps {
namespace {

std::vector<std::string> environment_with(const std::map<std::string, std::string>& added) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!added.contains(text.substr(0, text.find('=')))) all.push_back(text);
  }
  for (const auto& [name, value] : added) all.push_back(name + "=" + value);
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Reads to the end; keeps the piece of a line that a read ends in.
void read_lines(int from, const std::function<void(const std::string&)>& told) {
  std::array<char, 65536> part{};
  std::string line;
  while (true) {
    const ssize_t count = read(from, part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    for (ssize_t i = 0; i < count; ++i) {
      if (part[static_cast<std::size_t>(i)] != '\n') {
        line += part[static_cast<std::size_t>(i)];
        continue;
      }
      told(line);
      line.clear();
    }
  }
  if (!line.empty()) told(line);
}

}  // namespace

int run_lines(const char* call, const std::vector<std::string>& arguments,
              const std::map<std::string, std::string>& environment,
              const std::function<void(const std::string& line)>& told) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    throw Error(fmt::format("{}: cannot create a pipe: {}", call, std::strerror(errno)));
  std::vector<std::string> copies = arguments, variables = environment_with(environment);
  const std::vector<char*> argv = pointers_to(copies), envp = pointers_to(variables);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), envp.data());
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    throw Error(fmt::format("{}: cannot start {}: {}", call, arguments[0], std::strerror(error)));
  }
  read_lines(ends[0], told);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace tensordsl::apps
