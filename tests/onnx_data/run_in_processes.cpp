#include "onnx_data/run_in_processes.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>

#include "onnx_data/run_cases.h"
#include "tensordsl/error.h"

namespace tensordsl::conformance {
namespace {

using nlohmann::json;

/// A message is a line.
void tell(int to, const json& message) {
  const std::string line = message.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  for (std::size_t written = 0; written < line.size();) {
    const ssize_t more = write(to, line.data() + written, line.size() - written);
    if (more < 0) _exit(3);
    written += static_cast<std::size_t>(more);
  }
}

/// What the child does.
[[noreturn]] void run_and_tell(int to, const std::vector<Job>& jobs, const Work& work) {
  try {
    work(jobs, {[&](const std::vector<std::size_t>& about) {
                  tell(to, {{"about", about}});
                },
                [&](std::size_t number, const Result& result) {
                  tell(to, {{"case", number},
                            {"outcome", static_cast<int>(result.outcome)},
                            {"reason", result.reason},
                            {"constants", result.constants}});
                }});
  } catch (const std::exception& error) {
    tell(to, {{"error", error.what()}});
  }
  // Without the ends of what the parent has begun.
  _exit(0);
}

class Process {
 public:
  Process(const std::vector<Job>& jobs, const Work& work, std::chrono::milliseconds timeout)
      : timeout_(timeout) {
    int ends[2];
    if (pipe(ends) != 0) throw Error(fmt::format("no pipe: {}", std::strerror(errno)));
    process_ = fork();
    if (process_ < 0) throw Error(fmt::format("no process: {}", std::strerror(errno)));
    if (process_ == 0) {
      close(ends[0]);
      run_and_tell(ends[1], jobs, work);
    }
    close(ends[1]);
    from_ = ends[0];
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() {
    close(from_);
    if (process_ > 0) end();
  }

  /// Nothing after the last one.
  std::optional<json> next() {
    for (;;) {
      if (const std::size_t line = unread_.find('\n'); line != std::string::npos) {
        json message = json::parse(unread_.substr(0, line));
        unread_.erase(0, line + 1);
        return message;
      }
      pollfd waiting{from_, POLLIN, 0};
      const int ready = poll(&waiting, 1, static_cast<int>(timeout_.count()));
      if (ready < 0 && errno == EINTR) continue;
      if (ready <= 0) {
        is_late_ = true;
        return std::nullopt;
      }
      char bytes[4096];
      const ssize_t more = read(from_, bytes, sizeof bytes);
      if (more < 0 && errno == EINTR) continue;
      if (more <= 0) return std::nullopt;
      unread_.append(bytes, static_cast<std::size_t>(more));
    }
  }

  /// How it ended.
  std::string wait() {
    if (is_late_) {
      end();
      return fmt::format("it takes more than {} ms", timeout_.count());
    }
    int status = 0;
    waitpid(process_, &status, 0);
    process_ = 0;
    if (WIFSIGNALED(status)) return fmt::format("signal {} ends the process", WTERMSIG(status));
    return fmt::format("it ends the process with {}", WEXITSTATUS(status));
  }

 private:
  void end() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    process_ = 0;
  }

  std::chrono::milliseconds timeout_;
  pid_t process_ = 0;
  int from_ = -1;
  std::string unread_;
  bool is_late_ = false;
};

}  // namespace

std::vector<Result> run_in_processes(std::vector<Job> jobs, const Work& work,
                                     std::chrono::milliseconds timeout) {
  std::vector<Result> results(jobs.size());
  while (!jobs.empty()) {
    const std::size_t before = jobs.size();
    Process process(jobs, work, timeout);
    std::vector<std::size_t> about;  // what the process is at
    while (const auto message = process.next()) {
      if (message->contains("error")) throw Error(message->at("error").get<std::string>());
      if (message->contains("about")) {
        about = message->at("about").get<std::vector<std::size_t>>();
        continue;
      }
      const auto number = message->at("case").get<std::size_t>();
      results[number] = {static_cast<Outcome>(message->at("outcome").get<int>()),
                         message->at("reason").get<std::string>(),
                         message->at("constants").get<std::vector<std::string>>()};
      std::erase_if(jobs, [&](const Job& job) { return job.number == number; });
      std::erase(about, number);
    }
    const std::string end = process.wait();
    if (about.empty() && jobs.size() == before) throw Error("a process of cases does nothing: " + end);
    if (about.size() == 1) {
      results[about[0]] = {Outcome::Failed, end};
      std::erase_if(jobs, [&](const Job& job) { return job.number == about[0]; });
    }
    for (Job& job : jobs) job.alone = job.alone || std::ranges::find(about, job.number) != about.end();
    std::ranges::stable_partition(jobs, &Job::alone);
  }
  return results;
}

}  // namespace tensordsl::conformance
