#include "hwprofile/probes/bench.h"

#include <fmt/format.h>

#include <algorithm>

namespace tensordsl::hwprofile {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

std::shared_ptr<DeviceKernel> Bench::kernel(const std::string& entry, const std::string& text, std::array<int, 3> group_size,
                                            const std::vector<std::string>& buffers, const std::vector<std::string>& scalars) {
  auto& known = kernels_[{text, group_size}];
  if (known) return known;
  KernelSource source;
  source.entry = entry;
  // Without it drivers allow fewer work-items than the kernel could have.
  source.text = fmt::format("__kernel __attribute__((reqd_work_group_size({}, {}, {}))){}", group_size[0], group_size[1], group_size[2],
                            text.substr(text.find(" void")));
  source.text.insert(0, text, 0, text.find("__kernel"));
  source.launch.group_size = group_size;
  for (const std::string& name : buffers) {
    KernelArgument argument;
    argument.name = name;
    argument.type = Int(32);
    argument.access = KernelArgument::Access::ReadWrite;
    argument.elements = "1";
    source.arguments.push_back(argument);
  }
  for (const std::string& name : scalars) {
    KernelArgument argument;
    argument.kind = KernelArgument::Kind::Scalar;
    argument.name = name;
    argument.type = Int(32);
    argument.elements = "1";
    source.arguments.push_back(argument);
  }
  known = device_.build({source})[0];
  return known;
}

double Bench::seconds_of(const Launch& launch) {
  // A clock that is too coarse may see nothing; nothing takes no time.
  return std::max(static_cast<double>(device_.record({launch})->replay_timed()[0]), 1.0) * 1e-9;
}

double Bench::host_seconds_of(const std::function<void()>& run) {
  const auto start = Clock::now();
  run();
  return since(start);
}

Sweep Bench::sweep(const std::vector<double>& points, const Sampler& sample, int most_rounds) {
  constexpr int kLeastRounds = 3;
  const double share = seconds_ / std::max(sweeps_left_, 1);
  sweeps_left_ = std::max(sweeps_left_ - 1, 1);
  const auto start = Clock::now();
  Sweep sweep{points, {}};
  for (const double p : points) sample(p);
  const double one_round = since(start);
  while (static_cast<int>(sweep.rounds.size()) < most_rounds) {
    const bool is_late = since(start) + one_round > share;
    if (is_late && static_cast<int>(sweep.rounds.size()) >= kLeastRounds) break;
    std::vector<double> round;
    for (const double p : points) round.push_back(sample(p));
    sweep.rounds.push_back(std::move(round));
  }
  seconds_ = std::max(seconds_ - since(start), 0.0);
  return sweep;
}

}  // namespace tensordsl::hwprofile
