#include "hwprofile/probes/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <span>

#include "tensordsl/error.h"

namespace tensordsl::hwprofile {
namespace {

KernelSource source_of(const KernelText& text) {
  KernelSource source;
  source.entry = text.entry;
  source.options = text.options;
  const std::size_t kernel = text.text.rfind("__kernel");
  source.text = fmt::format("{}__kernel __attribute__((reqd_work_group_size({}, {}, {}))){}",
                            text.text.substr(0, kernel), text.group_size[0], text.group_size[1],
                            text.group_size[2], text.text.substr(kernel + std::string("__kernel").size()));
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

KernelArgument image_argument(const std::string& name, Type type, int channels, const std::string& columns,
                              const std::string& rows) {
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

std::shared_ptr<DeviceBuffer> filled_buffer(Bench& bench, std::int64_t bytes) {
  auto buffer = bench.device().allocate(static_cast<std::size_t>(bytes));
  constexpr std::int64_t kPart = 4 << 20;
  const std::vector<float> ones(static_cast<std::size_t>(std::min(kPart, bytes + 3) / 4), 1.0f);
  const auto part = std::as_bytes(std::span(ones));
  for (std::int64_t at = 0; at < bytes; at += kPart) {
    bench.device().write(*buffer,
                         part.first(static_cast<std::size_t>(
                             std::min({kPart, bytes - at, static_cast<std::int64_t>(part.size())}))),
                         static_cast<std::size_t>(at));
  }
  return buffer;
}

std::int64_t most_groups_of_chain(const DeviceInfo& info, std::int64_t most) {
  constexpr std::int64_t kBytes = 32 * sizeof(std::int32_t);
  return std::clamp<std::int64_t>(std::min(info.max_allocation_bytes, info.global_memory_bytes / 4) / kBytes,
                                  1, most);
}

int allowed_group(const DeviceInfo& info, int wanted) {
  return static_cast<int>(
      std::clamp<std::int64_t>(std::min(info.max_group_size, info.max_group_sizes[0]), 1, wanted));
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

bool Bench::can_build(const KernelText& text) {
  try {
    kernel(text);
    return true;
  } catch (const DeviceError&) {
    return false;
  }
}

int Bench::largest_group(const std::function<KernelText(int group)>& text_of, std::int64_t most) {
  // Some drivers allow a kernel less than they say the device can.
  const auto allowed_of = [&](int group) -> std::int64_t {
    try {
      return device_.max_group_size(source_of(text_of(group)));
    } catch (const DeviceError&) {
      // The driver does not compile the kernel at this size.
      return can_build(text_of(1)) ? group / 2 : 1;
    }
  };
  int group = allowed_group(info(), static_cast<int>(most));
  while (group > 1 && !can_build(text_of(group))) {
    const std::int64_t allowed = allowed_of(group);
    do {
      group /= 2;
    } while (group > 1 && group > allowed);
  }
  return std::max(group, 1);
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
  for (std::size_t i = 0; i < missing.size(); ++i)
    kernels_[{missing[i]->text, missing[i]->group_size}] = built[i];
}

std::int32_t Bench::calibrated(std::int32_t first, std::int32_t most, double long_enough,
                               const std::function<double(std::int32_t)>& seconds) {
  constexpr double kFarLonger = 50, kLeast = 0.1;
  std::int32_t steps = first;
  for (; steps <= most / 2; steps *= 2) {
    const auto start = clock_();
    const double shown = seconds(steps);
    if (shown >= long_enough) break;
    // The first launch builds its kernel.
    const double taken = since(start);
    if (steps > first && taken > kLeast && taken > kFarLonger * std::max(shown, long_enough)) {
      throw DeviceError(fmt::format("the clock of {}'s events shows {:.3g} s for a launch of {:.3g} s",
                                    info().name, shown, taken));
    }
  }
  return steps;
}

double Bench::seconds_of(const Launch& launch) {
  constexpr double kMultiple = 20, kLeast = 60;
  if (since(started_) > std::max(kLeast, kMultiple * total_)) {
    throw DeviceError(fmt::format("{} is too slow: the probe took {:.0f} s, but has {:.1f} s", info().name,
                                  since(started_), total_));
  }
  // A clock that is too coarse may see nothing; nothing takes no time.
  return std::max(static_cast<double>(device_.record({launch})->replay_timed()[0]), 1.0) * 1e-9;
}

double Bench::host_seconds_of(const std::function<void()>& run, const std::function<void()>& prepare) const {
  const auto timed = [&] {
    if (prepare) prepare();
    const auto start = clock_();
    run();
    return std::max(since(start), 1e-9);
  };
  return std::async(std::launch::async, timed).get();
}

Sweep Bench::sweep(const std::vector<double>& points, const Sampler& sample, int most_rounds) {
  const int least_rounds = total_ > 0 ? 3 : 1;
  const double share = seconds_ / std::max(sweeps_left_, 1);
  sweeps_left_ = std::max(sweeps_left_ - 1, 1);
  const auto start = clock_();
  Sweep sweep{points, {}};
  for (const double p : points) sample(p);
  double one_round = since(start);
  while (static_cast<int>(sweep.rounds.size()) < most_rounds) {
    const bool is_late = since(start) + one_round > share;
    if (is_late && static_cast<int>(sweep.rounds.size()) >= least_rounds) break;
    const auto round_start = clock_();
    std::vector<double> round;
    for (const double p : points) round.push_back(sample(p));
    sweep.rounds.push_back(std::move(round));
    one_round = since(round_start);
  }
  seconds_ = std::max(seconds_ - since(start), 0.0);
  return sweep;
}

}  // namespace tensordsl::hwprofile
