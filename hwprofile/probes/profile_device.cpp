#include "hwprofile/probes/profile_device.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "hwprofile/probes/bench.h"
#include "tensordsl/error.h"

namespace tensordsl::hwprofile {
namespace {

std::vector<Probe> chosen_probes(const std::vector<std::string>& only) {
  std::vector<std::string_view> names;
  for (const Probe& probe : all_probes()) names.push_back(probe.name);
  for (const std::string& name : only) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    throw Error(fmt::format("there is no probe \"{}\"; the probes are {}", name, fmt::join(names, ", ")));
  }
  std::vector<Probe> chosen;
  for (const Probe& probe : all_probes()) {
    if (only.empty() || std::find(only.begin(), only.end(), probe.name) != only.end()) chosen.push_back(probe);
  }
  return chosen;
}

}  // namespace

DeviceProfile profile_device(Device& device, const ProfileOptions& options, const std::function<void(std::string_view, int, int)>& progress) {
  const std::vector<Probe> probes = chosen_probes(options.only);
  const DeviceInfo& info = device.info();
  DeviceProfile result;
  HwProfile& profile = result.profile;
  profile.device = info.name;
  profile.driver = info.driver;
  profile.sources = {"measured by tensordsl profile"};
  // What the driver tells and nobody need measure.
  const auto told = [](std::int64_t bytes) { return bytes > 0 ? std::optional(Figure::exact(static_cast<double>(bytes))) : std::nullopt; };
  profile.local_memory.bytes = told(info.local_memory_bytes);
  profile.constant_memory.bytes = told(info.constant_buffer_bytes);
  profile.compute_units = Figure::exact(info.compute_units);
  profile.sub_group_sizes = info.sub_group_sizes;
  const auto count = static_cast<int>(probes.size());
  for (int i = 0; i < count; ++i) {
    const Probe& probe = probes[static_cast<std::size_t>(i)];
    if (progress) progress(probe.name, i, count);
    Bench bench(device, options.seconds / count);
    ProbeResult measured{std::string(probe.name), {}, {}, {}};
    // What one probe meets is no reason to lose what the others found.
    try {
      measured.curves = probe.measure(bench);
      probe.analyse(measured.curves, info, profile, measured.marks);
    } catch (const DeviceError& e) {
      measured.error = e.what();
    }
    result.results.push_back(std::move(measured));
  }
  if (progress) progress("", count, count);
  return result;
}

}  // namespace tensordsl::hwprofile
