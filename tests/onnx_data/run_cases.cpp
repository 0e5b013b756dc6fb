#include "onnx_data/run_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <optional>

#include "onnx_data/prepare.h"
#include "onnx_data/run_together.h"
#include "tensordsl/error.h"

namespace tensordsl::conformance {
namespace {

/// Returns the first line, without lists of supported operators, which grow with the library.
std::string reason_of(const std::exception& error) {
  const std::string text = error.what();
  return text.substr(0, std::min(text.find('\n'), text.find("; supported:")));
}

class CaseRunner {
 public:
  CaseRunner(const std::vector<Case>& cases, Device& device, const Listener& listener)
      : cases_(cases), device_(device), listener_(listener) {}

  void add(const Job& job) {
    if (job.batch != number_) run_batch();
    number_ = job.batch;
    listener_.begin({job.number});
    Member member{job.number, {}};
    try {
      member.sets = prepare(cases_[job.number], device_.info());
    } catch (const Error& error) {
      listener_.result(job.number, {Outcome::Refused, reason_of(error)});
      return;
    } catch (const std::exception& error) {
      listener_.result(job.number, {Outcome::Failed, reason_of(error)});
      return;
    }
    if (job.alone) {
      run_alone(member);
      return;
    }
    batch_.push_back(std::move(member));
  }

  void run_batch() {
    if (batch_.empty()) return;
    std::vector<std::size_t> numbers;
    for (const Member& member : batch_) numbers.push_back(member.number);
    listener_.begin(numbers);
    std::vector<Result> results;
    try {
      results = run(batch_);
    } catch (const std::exception& error) {
      fmt::print(stderr, "{} cases run one by one, together they fail: {}\n", batch_.size(), error.what());
      results.assign(batch_.size(), {Outcome::Wrong});
    }
    for (std::size_t i = 0; i < batch_.size(); ++i) {
      if (results[i].outcome == Outcome::Passed) {
        listener_.result(batch_[i].number, results[i]);
      } else {
        run_alone(batch_[i]);
      }
    }
    batch_.clear();
  }

 private:
  struct Member {
    std::size_t number;  // of the case
    std::vector<Prepared> sets;
  };

  void run_alone(const Member& member) {
    listener_.begin({member.number});
    try {
      listener_.result(member.number, run({member})[0]);
    } catch (const std::exception& error) {
      listener_.result(member.number, {Outcome::Failed, reason_of(error)});
    }
  }

  std::vector<Result> run(const std::vector<Member>& members) {
    std::vector<const Prepared*> all;
    for (const Member& member : members) {
      for (const Prepared& set : member.sets) all.push_back(&set);
    }
    const auto differences = run_together(all, device_);
    std::vector<Result> results;
    auto difference = differences.begin();
    for (const Member& member : members) {
      Result result{Outcome::Passed, "", member.sets[0].constants};
      for (std::size_t set = 0; set < member.sets.size(); ++set, ++difference) {
        if (*difference && result.outcome == Outcome::Passed)
          result = {Outcome::Wrong, **difference, result.constants};
      }
      results.push_back(std::move(result));
    }
    return results;
  }

  const std::vector<Case>& cases_;
  Device& device_;
  const Listener& listener_;
  std::vector<Member> batch_;
  std::size_t number_ = 0;  // of the batch
};

}  // namespace

void run_cases(const std::vector<Case>& cases, const std::vector<Job>& jobs, Device& device,
               const Listener& listener) {
  CaseRunner runner(cases, device, listener);
  for (const Job& job : jobs) runner.add(job);
  runner.run_batch();
}

}  // namespace tensordsl::conformance
