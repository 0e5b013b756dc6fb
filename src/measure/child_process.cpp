#include "measure/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "tensordsl/error.h"

extern char** environ;

namespace tensordsl::measure {
namespace {

using Clock = std::chrono::steady_clock;

// The most that is kept of its standard error, and the longest line, so that one without end is seen.
constexpr std::size_t kMostSaid = 2000, kMostOfLine = std::size_t{64} << 20;

/// Ends of a pipe, or of a pair of sockets, which the child uses like a pipe. Writing to a closed one is an
/// error, not a signal to the whole process.
struct Ends {
  int own = -1, childs = -1;
};

Ends make_ends() {
  std::array<int, 2> ends;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw Error(fmt::format("cannot start a process: {}", std::strerror(errno)));
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return {ends[0], ends[1]};
}

class SpawnSettings {
 public:
  SpawnSettings() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes_, &none);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  void redirect(int from, int to) { posix_spawn_file_actions_adddup2(&actions_, from, to); }
  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

int milliseconds_until(Clock::time_point end) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000'000));
}

std::string text_of_end(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("it was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return fmt::format("it exited with code {}", WEXITSTATUS(status));
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& command) {
  if (command.empty())
    throw Error("cannot start a process: the command is empty; pass a program and its arguments");
  const Ends input = make_ends(), output = make_ends(), error = make_ends();
  SpawnSettings settings;
  settings.redirect(input.childs, STDIN_FILENO);
  settings.redirect(output.childs, STDOUT_FILENO);
  settings.redirect(error.childs, STDERR_FILENO);
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const int problem =
      posix_spawnp(&id_, arguments[0], settings.actions(), settings.attributes(), arguments.data(), environ);
  for (const Ends& ends : {input, output, error}) close(ends.childs);
  input_ = input.own;
  output_ = output.own;
  error_ = error.own;
  if (problem != 0) {
    for (const int own : {input_, output_, error_}) close(own);
    throw Error(fmt::format("cannot start {}: {}", command[0], std::strerror(problem)));
  }
}

ChildProcess::~ChildProcess() {
  end();
  for (const int own : {input_, output_, error_}) close(own);
}

ChildProcess::Outcome ChildProcess::write_line(const std::string& line, Duration most) {
  const auto end = Clock::now() + most;
  const std::string bytes = line + '\n';
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t sent = send(input_, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
    if (sent > 0) {
      at += static_cast<std::size_t>(sent);
      continue;
    }
    if (errno != EAGAIN && errno != EINTR) return Outcome::Ended;
    pollfd waiting{input_, POLLOUT, 0};
    if (poll(&waiting, 1, milliseconds_until(end)) == 0) return Outcome::Silent;
  }
  return Outcome::Done;
}

void ChildProcess::read_some(int descriptor, std::string& text) {
  std::array<char, 65536> bytes;
  for (;;) {
    const ssize_t got = read(descriptor, bytes.data(), bytes.size());
    if (got > 0) {
      text.append(bytes.data(), static_cast<std::size_t>(got));
      continue;
    }
    if (got < 0 && errno == EINTR) continue;
    const bool is_over = got == 0 || errno != EAGAIN;
    if (is_over && descriptor == output_) has_ended_ = true;
    return;
  }
}

ChildProcess::Outcome ChildProcess::read_line(std::string& line, Duration most) {
  const auto end = Clock::now() + most;
  for (;;) {
    if (const std::size_t length = read_.find('\n'); length != std::string::npos) {
      line = read_.substr(0, length);
      read_.erase(0, length + 1);
      return Outcome::Done;
    }
    if (has_ended_ || read_.size() > kMostOfLine) return Outcome::Ended;
    std::array<pollfd, 2> waiting{{{output_, POLLIN, 0}, {error_, POLLIN, 0}}};
    if (poll(waiting.data(), waiting.size(), milliseconds_until(end)) == 0) return Outcome::Silent;
    read_some(output_, read_);
    read_some(error_, said_);
    if (said_.size() > kMostSaid) said_.erase(0, said_.size() - kMostSaid);
  }
}

std::string ChildProcess::end() {
  if (id_ < 0) return "it has exited";
  kill(id_, SIGKILL);
  int status = 0;
  while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {
  }
  id_ = -1;
  read_some(error_, said_);
  std::string text = text_of_end(status);
  while (!said_.empty() && said_.back() == '\n') said_.pop_back();
  if (!said_.empty()) text += ": " + said_;
  return text;
}

}  // namespace tensordsl::measure
