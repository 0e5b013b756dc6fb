#include "runtime/run_order.h"

#include "tensordsl/error.h"

namespace tensordsl {

std::vector<RunStep> run_order(const Program& program) {
  using Kind = RunStep::Kind;
  std::vector<RunStep> steps;
  std::size_t launches = 0, counts = 0, host_steps = 0;
  const auto launch_until = [&](std::size_t end) {
    if (end < launches || end > program.launches.size())
      throw Error("the program is damaged: its counts and host steps are not in the order of its launches");
    if (end > launches) steps.push_back({Kind::Launches, launches, end});
    launches = end;
  };
  while (counts < program.counts.size() || host_steps < program.host_steps.size()) {
    // At one place a host step comes first, unless it waits for counts.
    const bool has_count = counts < program.counts.size();
    const Program::HostStep* host =
        host_steps < program.host_steps.size() ? &program.host_steps[host_steps] : nullptr;
    if (host && host->counts <= counts && (!has_count || host->launches <= program.counts[counts].launches)) {
      launch_until(host->launches);
      steps.push_back({Kind::Host, host_steps++, 0});
    } else if (has_count) {
      launch_until(program.counts[counts].launches);
      steps.push_back({Kind::Count, counts++, 0});
    } else {
      throw Error("the program is damaged: a host step waits for more counts than there are");
    }
  }
  steps.push_back({Kind::Launches, launches, program.launches.size()});
  return steps;
}

}  // namespace tensordsl
