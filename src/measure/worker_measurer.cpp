#include "measure/worker_measurer.h"

#include <fmt/format.h>

#include <algorithm>

#include "tensordsl/error.h"

namespace tensordsl::measure {
namespace {

using Outcome = ChildProcess::Outcome;

std::string seconds_text(std::chrono::milliseconds time) {
  return fmt::format("{:g} s", static_cast<double>(time.count()) * 1e-3);
}

/// A script that is a word of it is left out.
std::string text_of(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& word : command)
    text += (text.empty() ? "" : " ") + (word.find('\n') == std::string::npos ? word : "..");
  return text;
}

/// Returns the ratio of times in one request to those in another, by the first program, which is in both.
double drift_of(const Measured& before, const Measured& now) {
  return before.us && now.us && *now.us > 0 && *before.us > 0 ? *before.us / *now.us : 1;
}

}  // namespace

/// The result of an order: an answer, or how the worker ended and its last activity.
struct WorkerMeasurer::Reply {
  std::optional<Answer> answer;
  std::string end;
  bool hangs = false;
  bool is_unwanted = false;  // the caller stopped waiting
  At at;
};

WorkerMeasurer::WorkerMeasurer(WorkerOptions options) : options_(std::move(options)) { start(); }

void WorkerMeasurer::start() {
  process_ = std::make_unique<ChildProcess>(options_.command);
  std::string line;
  const auto refuse = [&](const std::string& why) -> void {
    process_.reset();
    throw Error(
        fmt::format("the measuring worker \"{}\" failed to start: {}", text_of(options_.command), why));
  };
  switch (process_->read_line(line, options_.silence)) {
    case Outcome::Ended:
      refuse(process_->end());
      break;
    case Outcome::Silent:
      refuse(fmt::format("no output for {}; run the command by hand to see why",
                         seconds_text(options_.silence)));
      break;
    case Outcome::Done:
      break;
  }
  try {
    const WorkerMessage message = message_from_line(line);
    if (const auto* error = std::get_if<WorkerError>(&message)) refuse(error->what);
    const auto* hello = std::get_if<Hello>(&message);
    if (!hello) refuse("its first message is not a greeting");
    if (hello->protocol != kProtocol)
      refuse(fmt::format("it uses version {} of the protocol, but this library needs version {}",
                         hello->protocol, kProtocol));
    if (!device_.device.empty() && device_ != hello->device)
      refuse(fmt::format("it runs on {}, but the worker before it ran on {}", hello->device.device,
                         device_.device));
    device_ = hello->device;
  } catch (const ParseError& error) {
    refuse(fmt::format("its first line is not a valid message: {}", error.what()));
  }
}

ChildProcess& WorkerMeasurer::worker() {
  if (!process_) start();
  return *process_;
}

/// Reads a line. Silent: the worker was silent for longer than it may, or the caller stopped waiting.
Outcome WorkerMeasurer::read_line(std::string& line, const MeasureHooks& hooks) {
  constexpr std::chrono::milliseconds kSlice{200};
  for (std::chrono::milliseconds waited{0}; waited < options_.silence && !hooks.stops(); waited += kSlice) {
    const Outcome outcome = process_->read_line(line, std::min(kSlice, options_.silence - waited));
    if (outcome != Outcome::Silent) return outcome;
  }
  return Outcome::Silent;
}

WorkerMeasurer::Reply WorkerMeasurer::ask(const Order& order, const MeasureHooks& hooks) {
  Reply reply;
  ChildProcess& process = worker();
  const auto ended = [&](const std::string& how) {
    reply.end = how;
    process_.reset();
    return reply;
  };
  const auto is_over = [&](Outcome outcome) {
    if (outcome == Outcome::Ended) ended("the worker exited: " + process.end());
    if (outcome == Outcome::Silent) {
      reply.is_unwanted = hooks.stops();
      reply.hangs = true;
      ended(fmt::format("no output from the worker for {}", seconds_text(options_.silence)));
    }
    return outcome != Outcome::Done;
  };
  if (is_over(process.write_line(to_line(order), options_.silence))) return reply;
  for (std::string line;;) {
    if (is_over(read_line(line, hooks))) return reply;
    try {
      WorkerMessage message = message_from_line(line);
      if (const auto* error = std::get_if<WorkerError>(&message)) return ended(error->what);
      if (auto* at = std::get_if<At>(&message)) {
        if (at->id == order.id) reply.at = std::move(*at);
      } else if (auto* answer = std::get_if<Answer>(&message)) {
        if (answer->id != order.id) continue;
        if (answer->timed.programs.size() != order.request.programs.size())
          return ended("the worker's answer is for other programs");
        if (answer->timed.is_device_lost) process_.reset();
        reply.answer = std::move(*answer);
        return reply;
      }
    } catch (const ParseError& error) {
      return ended(fmt::format("the worker sent an invalid message: {}", error.what()));
    }
  }
}

namespace {

/// Describes a worker's last activity. Some drivers compile a kernel when it runs for the first time.
std::string text_of(const At& at) {
  if (at.doing.empty()) return "it began";
  return at.doing + (at.doing == "running" ? " this kernel for the first time" : " this kernel");
}

/// One call of measure(): the programs still to be asked about, and the results so far.
class Inquiry {
 public:
  Inquiry(const Request& request, const MeasureHooks& hooks)
      : request_(request), hooks_(hooks), results_(request.programs.size()), ends_(request.programs.size()) {}

  bool is_open(std::size_t i) const {
    return request_.programs[i] && !results_[i].us && results_[i].failure.empty();
  }
  bool is_over() const { return first_open() == results_.size(); }

  /// The first candidate is timed again with each later batch, because all are compared with it.
  Order next() {
    Order order{0, builds_one_by_one_, {}};
    order.request.expected = request_.expected;
    order.request.between = request_.between;
    order.request.programs.assign(request_.programs.size(), nullptr);
    for (std::size_t i = 0; i < results_.size(); ++i) {
      if (is_open(i) || (i == 0 && results_[i].us)) order.request.programs[i] = request_.programs[i];
    }
    return order;
  }

  void take(const TimedPrograms& timed) {
    const double drift = drift_of(results_.front(), timed.programs.front());
    bool is_news = false;
    for (std::size_t i = 0; i < results_.size(); ++i) {
      if (!is_open(i)) continue;
      results_[i] = timed.programs[i];
      if (!results_[i].failure.empty()) tell_failure(i);
      if (results_[i].us) *results_[i].us *= drift;
      is_news = is_news || !is_open(i);
    }
    // A worker that leaves programs out for no reason would be asked without end.
    if (!timed.is_device_lost) {
      while (!is_over()) fail(first_open(), "the worker gave no result");
    } else if (!is_news) {
      fail(first_open(), "the device failed");
    }
  }

  /// Handles the end of a worker. If several programs were being built at once, it is not known which one
  /// ended it. A worker that was killed from outside says nothing about the program, which is tried once
  /// more.
  void take_end(const std::string& how, bool hangs, const At& at) {
    if (at.doing == "building" && !builds_one_by_one_) {
      builds_one_by_one_ = true;
      return;
    }
    const std::size_t culprit =
        at.program < results_.size() && is_open(at.program) ? at.program : first_open();
    if (culprit == results_.size()) return;
    constexpr int kMostEnds = 2;
    if (++ends_[culprit] < kMostEnds && !hangs) return;
    fail(culprit, fmt::format("{}, while {}", how, text_of(at)));
  }

  std::vector<Measured> results() && { return std::move(results_); }

 private:
  void fail(std::size_t i, std::string failure) {
    results_[i].failure = std::move(failure);
    tell_failure(i);
  }

  void tell_failure(std::size_t i) const {
    if (hooks_.failed) hooks_.failed(i, results_[i]);
  }

  std::size_t first_open() const {
    std::size_t i = 0;
    while (i < results_.size() && !is_open(i)) ++i;
    return i;
  }

  const Request& request_;
  const MeasureHooks& hooks_;
  std::vector<Measured> results_;
  std::vector<int> ends_;  // of workers, while they were at a program
  bool builds_one_by_one_ = false;
};

}  // namespace

std::vector<Measured> WorkerMeasurer::measure(const Request& request, const MeasureHooks& hooks) {
  Inquiry inquiry(request, hooks);
  while (!inquiry.is_over() && !hooks.stops()) {
    Order order = inquiry.next();
    order.id = ++last_id_;
    const Reply reply = ask(order, hooks);
    if (reply.is_unwanted) break;
    if (reply.answer) {
      inquiry.take(reply.answer->timed);
    } else {
      inquiry.take_end(reply.end, reply.hangs, reply.at);
    }
  }
  return std::move(inquiry).results();
}

}  // namespace tensordsl::measure
