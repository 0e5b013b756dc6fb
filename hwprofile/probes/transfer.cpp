// Copies between the host and the device.
#include <algorithm>
#include <cstddef>
#include <span>

#include "hwprofile/analysis/peak.h"
#include "hwprofile/probes/bench.h"
#include "hwprofile/probes/probes.h"

namespace tensordsl::hwprofile {
namespace {

void measure_transfer(Bench& bench, std::vector<Curve>& curves) {
  const DeviceInfo& info = bench.info();
  const std::int64_t largest =
      std::min({std::int64_t{32} << 20, info.max_allocation_bytes, info.global_memory_bytes / 8});
  const auto buffer = bench.device().allocate(static_cast<std::size_t>(largest));
  std::vector<std::byte> host;
  std::vector<double> sizes;
  for (std::int64_t bytes = 1 << 14; bytes <= largest; bytes *= 2)
    sizes.push_back(static_cast<double>(bytes));
  if (sizes.empty()) return;
  bench.expect_sweeps(2);
  const auto rate = [&](double bytes, const std::function<void()>& copy) {
    const auto new_memory = [&] {
      host = std::vector<std::byte>(static_cast<std::size_t>(bytes), std::byte{1});
    };
    return bytes / bench.host_seconds_of(copy, new_memory) * 1e-9;
  };
  const auto written = [&](double bytes) {
    return rate(bytes, [&] { bench.device().write(*buffer, host); });
  };
  const auto read = [&](double bytes) { return rate(bytes, [&] { bench.device().read(*buffer, host); }); };
  curves.push_back({"to device", "size (B)", "GB/s", bench.sweep(sizes, written)});
  curves.push_back({"to host", "size (B)", "GB/s", bench.sweep(sizes, read)});
}

void analyze_transfer(const std::vector<Curve>& curves, const DeviceInfo&, HwProfile& profile) {
  const auto best = [&](const char* name) -> std::optional<Measurement> {
    const Curve* curve = find_curve(curves, name);
    if (!curve) return std::nullopt;
    const Peak peak = find_peak(curve->sweep);
    return peak.height;
  };
  profile.host_to_device_gbs = best("to device");
  profile.device_to_host_gbs = best("to host");
}

}  // namespace

Probe transfer_probe() {
  return {"transfer", "copies between host and device", 1, measure_transfer, analyze_transfer};
}

}  // namespace tensordsl::hwprofile
