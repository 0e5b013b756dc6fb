#include "hwprofile/probes/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <span>

#include "tensordsl/error.h"

namespace tensordsl::hwprofile {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

KernelSource source_of(const KernelText& text) {
  KernelSource source;
  source.entry = text.entry;
  source.options = text.options;
  const std::size_t kernel = text.text.rfind("__kernel");
  source.text = fmt::format("{}__kernel __attribute__((reqd_work_group_size({}, {}, {}))){}", text.text.substr(0, kernel), text.group_size[0],
                            text.group_size[1], text.group_size[2], text.text.substr(kernel + std::string("__kernel").size()));
  source.launch.group_size = text.group_size;
  source.arguments = text.arguments;
  return source;
}

}  // namespace

KernelArgument buffer_argument(const std::string& name) {
  KernelArgument argument;
  argument.name = name;
  argument.type = Int(32);
  argument.access = KernelArgument::Access::ReadWrite;
  argument.elements = "1";
  return argument;
}

KernelArgument scalar_argument(const std::string& name) {
  KernelArgument argument;
  argument.kind = KernelArgument::Kind::Scalar;
  argument.name = name;
  argument.type = Int(32);
  argument.elements = "1";
  return argument;
}

KernelArgument image_argument(const std::string& name, Type type, int channels, const std::string& columns, const std::string& rows) {
  KernelArgument argument;
  argument.kind = KernelArgument::Kind::Image;
  argument.name = name;
  argument.type = type;
  argument.elements = "1";
  argument.channels = channels;
  argument.width = columns;
  argument.height = rows;
  return argument;
}

std::string sum_of_lanes(const std::string& name, int width) {
  if (width == 1) return name;
  std::string sum;
  for (int lane = 0; lane < width; ++lane) sum += fmt::format("{}{}.s{:x}", lane ? " + " : "", name, lane);
  return sum;
}

std::shared_ptr<DeviceBuffer> self_chain(Bench& bench, std::int64_t groups) {
  constexpr std::size_t kInts = 32;
  std::vector<std::int32_t> chain(static_cast<std::size_t>(groups) * kInts, 0);
  for (std::size_t i = 0; i < chain.size(); i += kInts) chain[i] = static_cast<std::int32_t>(i);
  const auto data = std::as_bytes(std::span(chain));
  auto buffer = bench.device().allocate(data.size());
  bench.device().write(*buffer, data);
  return buffer;
}

std::shared_ptr<DeviceKernel> Bench::kernel(const KernelText& text) {
  auto& known = kernels_[{text.text, text.group_size}];
  if (!known) known = device_.build({source_of(text)})[0];
  return known;
}

int Bench::largest_group(const std::function<KernelText(int group)>& text_of, std::int64_t most) {
  const std::int64_t allowed = std::min({most, info().max_group_size, info().max_group_sizes[0]});
  for (int group = static_cast<int>(allowed); group > 1; group /= 2) {
    try {
      kernel(text_of(group));
      return group;
    } catch (const DeviceError&) {
      // Some drivers allow a kernel less than they say the device can; which ones, only a try tells.
    }
  }
  return 1;
}

void Bench::prepare(const std::vector<KernelText>& texts) {
  std::vector<KernelSource> sources;
  std::vector<const KernelText*> missing;
  for (const KernelText& text : texts) {
    if (kernels_[{text.text, text.group_size}]) continue;
    sources.push_back(source_of(text));
    missing.push_back(&text);
  }
  const auto built = device_.build(sources);
  for (std::size_t i = 0; i < missing.size(); ++i) kernels_[{missing[i]->text, missing[i]->group_size}] = built[i];
}

double Bench::seconds_of(const Launch& launch) {
  // A clock that is too coarse may see nothing; nothing takes no time.
  return std::max(static_cast<double>(device_.record({launch})->replay_timed()[0]), 1.0) * 1e-9;
}

double Bench::host_seconds_of(const std::function<void()>& run, const std::function<void()>& prepare) {
  const auto timed = [&] {
    if (prepare) prepare();
    const auto start = Clock::now();
    run();
    return std::max(since(start), 1e-9);
  };
  return std::async(std::launch::async, timed).get();
}

Sweep Bench::sweep(const std::vector<double>& points, const Sampler& sample, int most_rounds) {
  const int least_rounds = total_ > 0 ? 3 : 1;
  const double share = seconds_ / std::max(sweeps_left_, 1);
  sweeps_left_ = std::max(sweeps_left_ - 1, 1);
  const auto start = Clock::now();
  Sweep sweep{points, {}};
  for (const double p : points) sample(p);
  const double one_round = since(start);
  while (static_cast<int>(sweep.rounds.size()) < most_rounds) {
    const bool is_late = since(start) + one_round > share;
    if (is_late && static_cast<int>(sweep.rounds.size()) >= least_rounds) break;
    std::vector<double> round;
    for (const double p : points) round.push_back(sample(p));
    sweep.rounds.push_back(std::move(round));
  }
  seconds_ = std::max(seconds_ - since(start), 0.0);
  return sweep;
}

}  // namespace tensordsl::hwprofile
