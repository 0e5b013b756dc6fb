#include "hwprofile/probes/footprint_bandwidth.h"

#include <algorithm>

namespace tensordsl::hwprofile {

int busy_group(Bench& bench, const std::function<KernelText(int group)>& text_of) {
  return bench.largest_group(text_of, bench.info().is_cpu ? 1 : 256);
}

std::int64_t busy_groups(const DeviceInfo& info) { return info.compute_units * (info.is_cpu ? 4 : 8); }

std::int32_t apart_in(std::int64_t elements, const DeviceInfo& info) {
  constexpr std::int64_t kLeast = 977;
  return static_cast<std::int32_t>(std::max(kLeast, elements / busy_groups(info)));
}

double footprint_bandwidth(Bench& bench, const FootprintReader& reader, std::int32_t& rounds) {
  const std::int64_t groups = busy_groups(bench.info());
  const auto seconds = [&](std::int32_t count) {
    Launch launch;
    launch.kernel = bench.kernel(reader.text);
    launch.arguments = reader.arguments;
    launch.arguments.emplace_back(count);
    launch.groups = {groups, 1, 1};
    return bench.seconds_of(launch);
  };
  constexpr double kLongEnough = 5e-4, kSmall = 1 << 20, kMaxRounds = 1 << 22;
  const double items = static_cast<double>(groups) * reader.text.group_size[0];
  const double of_group = reader.bytes_of_round * reader.text.group_size[0];
  const double of_unit = of_group * static_cast<double>(groups) / bench.info().compute_units;
  if (rounds == 0) {
    const double once = reader.footprint / (reader.footprint <= kSmall ? of_group : of_unit);
    rounds = bench.calibrated(static_cast<std::int32_t>(std::clamp(once, 4.0, kMaxRounds)), 1 << 22,
                              kLongEnough, seconds);
  }
  return items * reader.bytes_of_round * rounds / seconds(rounds) * 1e-9;
}

}  // namespace tensordsl::hwprofile
