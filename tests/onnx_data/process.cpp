#include "onnx_data/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "tensordsl/error.h"

namespace tensordsl::conformance {
namespace {

using nlohmann::json;

/// A message is a line.
void send(int to, const json& message) {
  const std::string line = message.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t more = write(to, line.data() + sent, line.size() - sent);
    if (more < 0 && errno != EINTR) _exit(3);
    if (more > 0) sent += static_cast<std::size_t>(more);
  }
}

}  // namespace

Process::Process(const std::function<void(const Tell&)>& work) {
  int ends[2];
  // A linker that the driver starts must not keep the pipe open.
  if (pipe2(ends, O_CLOEXEC) != 0) throw Error(fmt::format("no pipe: {}", std::strerror(errno)));
  process_ = fork();
  if (process_ < 0) throw Error(fmt::format("no process: {}", std::strerror(errno)));
  if (process_ == 0) {
    close(ends[0]);
    work([to = ends[1]](const json& message) { send(to, message); });
    // Skips destructors and exit handlers that belong to the parent process.
    _exit(0);
  }
  close(ends[1]);
  from_ = ends[0];
}

Process::~Process() {
  close(from_);
  end();
}

bool Process::receive() {
  char bytes[4096];
  const ssize_t more = read(from_, bytes, sizeof bytes);
  if (more > 0) unread_.append(bytes, static_cast<std::size_t>(more));
  return more > 0 || (more < 0 && errno == EINTR);
}

std::optional<json> Process::next() {
  const std::size_t line = unread_.find('\n');
  if (line == std::string::npos) return std::nullopt;
  json message = json::parse(unread_.substr(0, line));
  unread_.erase(0, line + 1);
  return message;
}

std::string Process::wait() {
  int status = 0;
  waitpid(process_, &status, 0);
  process_ = 0;
  if (WIFSIGNALED(status)) return fmt::format("signal {} ends the process", WTERMSIG(status));
  return fmt::format("it ends the process with {}", WEXITSTATUS(status));
}

void Process::end() {
  if (process_ == 0) return;
  kill(process_, SIGKILL);
  wait();
}

}  // namespace tensordsl::conformance
