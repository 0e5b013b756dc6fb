#include "onnx_data/run_in_processes.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>

#include "onnx_data/process.h"
#include "tensordsl/error.h"

namespace tensordsl::conformance {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

/// The body of a worker process.
void run_and_tell(const std::vector<Job>& jobs, const Work& work, const Tell& tell) {
  try {
    work(jobs, {[&](const std::vector<std::size_t>& about) {
                  tell({{"about", about}});
                },
                [&](std::size_t number, const Result& result) {
                  tell({{"case", number},
                        {"outcome", static_cast<int>(result.outcome)},
                        {"reason", result.reason},
                        {"constants", result.constants}});
                }});
  } catch (const std::exception& error) {
    tell({{"error", error.what()}});
  }
}

/// Jobs, and one process after the other that does them.
class Worker {
 public:
  Worker(std::vector<Job> jobs, const Work& work, std::vector<Result>& results)
      : jobs_(std::move(jobs)), work_(work), results_(results) {
    start();
  }

  bool is_busy() const { return process_ != nullptr; }
  int descriptor() const { return process_->descriptor(); }
  Clock::time_point last_heard() const { return last_heard_; }

  void receive() {
    const bool is_more = process_->receive();
    last_heard_ = Clock::now();
    while (const auto message = process_->next()) take(*message);
    if (!is_more) go_on(process_->wait());
  }

  void end(const std::string& reason) {
    process_->end();
    go_on(reason);
  }

 private:
  void start() {
    process_.reset();
    if (jobs_.empty()) return;
    about_.clear();
    jobs_at_start_ = jobs_.size();
    last_heard_ = Clock::now();
    process_ = std::make_unique<Process>([&](const Tell& tell) { run_and_tell(jobs_, work_, tell); });
  }

  void take(const json& message) {
    if (message.contains("error")) throw Error(message.at("error").get<std::string>());
    if (message.contains("about")) {
      about_ = message.at("about").get<std::vector<std::size_t>>();
      return;
    }
    set(message.at("case").get<std::size_t>(),
        {static_cast<Outcome>(message.at("outcome").get<int>()), message.at("reason").get<std::string>(),
         message.at("constants").get<std::vector<std::string>>()});
  }

  void set(std::size_t number, Result result) {
    results_[number] = std::move(result);
    std::erase_if(jobs_, [&](const Job& job) { return job.number == number; });
    std::erase(about_, number);
  }

  /// Continues after the end of a process.
  void go_on(const std::string& end) {
    if (about_.empty() && !jobs_.empty() && jobs_.size() == jobs_at_start_)
      throw Error("a process of cases does nothing: " + end);
    if (about_.size() == 1) set(about_[0], {Outcome::Failed, end});
    for (Job& job : jobs_) job.alone = job.alone || std::ranges::find(about_, job.number) != about_.end();
    start();
  }

  std::vector<Job> jobs_;  // that have no result
  const Work& work_;
  std::vector<Result>& results_;
  std::unique_ptr<Process> process_;
  std::vector<std::size_t> about_;  // the work of the process
  std::size_t jobs_at_start_ = 0;   // of the process
  Clock::time_point last_heard_;
};

using Workers = std::vector<std::unique_ptr<Worker>>;

/// Waits until one of them sends a message, or one has been silent for too long.
void wait_for(const Workers& workers, std::chrono::milliseconds timeout) {
  std::vector<pollfd> waiting;
  std::vector<Worker*> busy;
  Clock::time_point oldest = Clock::now();
  for (const auto& worker : workers) {
    if (!worker->is_busy()) continue;
    busy.push_back(worker.get());
    waiting.push_back({worker->descriptor(), POLLIN, 0});
    oldest = std::min(oldest, worker->last_heard());
  }
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(oldest + timeout - Clock::now());
  const auto wait = std::max(left, std::chrono::milliseconds(0));
  if (poll(waiting.data(), waiting.size(), static_cast<int>(wait.count())) < 0 && errno != EINTR)
    throw Error(fmt::format("poll: {}", std::strerror(errno)));
  for (std::size_t i = 0; i < busy.size(); ++i) {
    if (waiting[i].revents != 0) {
      busy[i]->receive();
    } else if (Clock::now() - busy[i]->last_heard() > timeout) {
      busy[i]->end(fmt::format("it takes more than {} ms", timeout.count()));
    }
  }
}

}  // namespace

std::vector<Result> run_in_processes(const std::vector<Job>& jobs, const Work& work, std::size_t processes,
                                     std::chrono::milliseconds timeout) {
  std::vector<Result> results(jobs.size());
  std::vector<std::vector<Job>> shares(processes);
  for (const Job& job : jobs) shares[job.batch % processes].push_back(job);
  Workers workers;
  for (const auto& share : shares) workers.push_back(std::make_unique<Worker>(share, work, results));
  while (std::ranges::any_of(workers, [](const auto& worker) { return worker->is_busy(); }))
    wait_for(workers, timeout);
  return results;
}

}  // namespace tensordsl::conformance
