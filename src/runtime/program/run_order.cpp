#include "runtime/program/run_order.h"

#include <fmt/format.h>

#include "tensordsl/error.h"

namespace tensordsl::runtime {
namespace {

using Place = Program::Loop::Place;

[[noreturn]] void fail_of_order(const char* what) {
  throw Error(fmt::format("the program is damaged: {}; compile it again", what));
}

bool is_behind(const Place& a, const Place& b) {
  return a.launches > b.launches || a.counts > b.counts || a.host_steps > b.host_steps;
}

class Orderer {
 public:
  using Kind = RunStep::Kind;

  explicit Orderer(const Program& program) : program_(program) {}

  std::vector<RunStep> run() {
    const Place end{program_.launches.size(), program_.counts.size(), program_.host_steps.size()};
    steps_until(end);
    if (loops_ < program_.loops.size()) fail_of_order("its loops are not in the order of its launches");
    if (steps_.empty() || steps_.back().kind != Kind::Launches || ends_with_loop_)
      steps_.push_back({Kind::Launches, at_.launches, end.launches});
    return std::move(steps_);
  }

 private:
  void steps_until(const Place& end) {
    for (;;) {
      const Program::Loop* loop = loops_ < program_.loops.size() ? &program_.loops[loops_] : nullptr;
      if (loop && is_behind(loop->end, end)) loop = nullptr;
      if (loop && loop->begin.counts == at_.counts && loop->begin.host_steps == at_.host_steps) {
        run_loop(*loop);
        continue;
      }
      const bool has_count = at_.counts < end.counts, has_host = at_.host_steps < end.host_steps;
      if (!has_count && !has_host) break;
      // A host step comes before a count at the same position, unless it waits for counts.
      const Program::HostStep* host = has_host ? &program_.host_steps[at_.host_steps] : nullptr;
      if (host && host->counts <= at_.counts &&
          (!has_count || host->launches <= program_.counts[at_.counts].launches)) {
        launch_until(host->launches, end);
        steps_.push_back({Kind::Host, at_.host_steps++, 0});
      } else if (has_count) {
        launch_until(program_.counts[at_.counts].launches, end);
        steps_.push_back({Kind::Count, at_.counts++, 0});
      } else {
        fail_of_order("a host step waits for more counts than there are");
      }
      ends_with_loop_ = false;
    }
    launch_until(end.launches, end);
  }

  void run_loop(const Program::Loop& loop) {
    if (is_behind(loop.begin, loop.end) || loop.begin == loop.end) fail_of_order("a loop has no steps");
    launch_until(loop.begin.launches, loop.end);
    const std::size_t step = steps_.size();
    steps_.push_back({Kind::Loop, loops_++, 0});
    steps_until(loop.end);
    steps_[step].last = steps_.size();
    ends_with_loop_ = true;
  }

  void launch_until(std::size_t launch, const Place& end) {
    if (launch < at_.launches || launch > end.launches)
      fail_of_order("its counts, host steps and loops are not in the order of its launches");
    if (launch == at_.launches) return;
    steps_.push_back({Kind::Launches, at_.launches, launch});
    at_.launches = launch;
    ends_with_loop_ = false;
  }

  const Program& program_;
  std::vector<RunStep> steps_;
  Place at_;
  std::size_t loops_ = 0;
  bool ends_with_loop_ = false;  // a step of the last loop is not a step of the Program
};

}  // namespace

std::vector<RunStep> run_order(const Program& program) { return Orderer(program).run(); }

}  // namespace tensordsl::runtime
