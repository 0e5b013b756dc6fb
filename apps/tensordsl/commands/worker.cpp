// A measuring worker of a tuner: JSON lines on its standard input and output.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "apps/tensordsl/commands/commands.h"
#include "apps/tensordsl/tune/worker_commands.h"
#include "measure/serve_worker.h"
#include "tensordsl/device.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {
namespace {

/// Drivers print to the standard output, so the answers get a file of their own, and everything else that is
/// printed goes to the standard error.
class Answers {
 public:
  Answers() : file_(fdopen(dup(STDOUT_FILENO), "w")) {
    if (!file_)
      throw Error("worker: standard output is closed, but answers are written to it; connect it to a pipe");
    dup2(STDERR_FILENO, STDOUT_FILENO);
  }
  ~Answers() { std::fclose(file_); }
  Answers(const Answers&) = delete;
  Answers& operator=(const Answers&) = delete;

  void write(const std::string& line) {
    // Ends the process: if the tuner does not read any more, no answer is needed.
    if (std::fputs((line + '\n').c_str(), file_) < 0 || std::fflush(file_) != 0) std::_Exit(0);
  }

 private:
  std::FILE* file_;
};

/// Lines as they come, read on a thread of its own, so that the end of a tuner is seen while a kernel runs.
class Orders {
 public:
  Orders() : reader_([this] { read_all(); }) { reader_.detach(); }

  bool next(std::string& line) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return has_ended_ || !lines_.empty(); });
    if (lines_.empty()) return false;
    line = std::move(lines_.front());
    lines_.pop_front();
    return true;
  }

 private:
  void read_all() {
    for (std::string line; std::getline(std::cin, line);) {
      const std::lock_guard lock(mutex_);
      lines_.push_back(std::move(line));
      changed_.notify_one();
    }
    {
      const std::lock_guard lock(mutex_);
      has_ended_ = true;
      changed_.notify_one();
    }
    // Gives the work in progress a minute to finish, unless the tuner is gone; a hanging kernel is ended in
    // any case.
    constexpr int kMoments = 600;
    for (int moment = 0; moment < kMoments && getppid() == parent_; ++moment)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    std::_Exit(0);
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  bool has_ended_ = false;
  pid_t parent_ = getppid();
  std::thread reader_;
};

struct WorkerArguments {
  std::string device;
  bool is_isolated = false;
  double silence = 60;
};

int run_worker(const WorkerArguments& options) {
  Answers answers;
  // The queue outlives this function, because a thread still reads into it.
  auto* orders = new Orders;
  const measure::WorkerLines lines{[orders](std::string& line) { return orders->next(line); },
                                   [&answers](const std::string& line) { answers.write(line); }};
  if (options.is_isolated) {
    measure::serve_isolated(lines, [&] {
      return std::make_unique<measure::WorkerMeasurer>(
          measure::WorkerOptions{worker_command(options.device), milliseconds_of(options.silence)});
    });
  } else {
    measure::serve_worker(lines, [&options] { return Device::open(options.device); });
  }
  // Threads of a driver, and the one that reads, are not waited for.
  std::fflush(stderr);
  std::_Exit(0);
}

}  // namespace

Command add_worker_command(CLI::App& app) {
  auto options = std::make_shared<WorkerArguments>();
  app.add_option("--device", options->device, "device to measure kernels on, as for `run`");
  app.add_flag("--isolated", options->is_isolated,
               "measure in a child process, which is restarted if the driver crashes it");
  app.add_option(
         "--worker-timeout", options->silence,
         "with --isolated: seconds without output after which the child process is killed (default: 60)")
      ->check(CLI::Range(1.0, 1e5));
  app.footer(
      "Reads requests from standard input and answers them, one JSON object per line, until the input ends; "
      "see\nsrc/measure/worker_protocol.h. `tensordsl autoschedule` starts its own workers.");
  return [options] { return run_worker(*options); };
}

}  // namespace tensordsl::cli
