#include "hwprofile/profiling/unsteady_lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "hwprofile/profiling/profile_device.h"

namespace tensordsl::hwprofile {

std::vector<std::string> unsteady_lines(const std::vector<ProbeResult>& results) {
  double clock = 1, load = 1;
  std::vector<std::string> of_clock, of_load;
  for (const ProbeResult& result : results) {
    const Steadiness steady = steadiness_of(result);
    const bool has_curves = std::any_of(result.passes.begin(), result.passes.end(),
                                        [](const ProbePass& pass) { return !pass.curves.empty(); });
    if (!has_curves || !std::isfinite(steady.load)) continue;
    if (!steady.is_alone()) {
      of_load.push_back(result.probe);
      load = std::max(load, steady.load);
    } else if (!steady.has_one_clock()) {
      of_clock.push_back(result.probe);
      clock = std::max(clock, steady.clock);
    }
  }
  std::vector<std::string> lines;
  if (!of_load.empty()) {
    lines.push_back(
        fmt::format("other work ran on the device (all units took up to {:.2f} times as long as one); these "
                    "probes are unreliable: {}",
                    load, fmt::join(of_load, ", ")));
  }
  if (!of_clock.empty()) {
    lines.push_back(
        fmt::format("the device's clock changed by up to {:.2f} times; rates and times of these probes are "
                    "unreliable: {}",
                    clock, fmt::join(of_clock, ", ")));
  }
  return lines;
}

}  // namespace tensordsl::hwprofile
