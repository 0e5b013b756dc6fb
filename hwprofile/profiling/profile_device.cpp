#include "hwprofile/profiling/profile_device.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "hwprofile/analysis/agree.h"
#include "hwprofile/analysis/merge.h"
#include "hwprofile/probes/bench.h"
#include "hwprofile/profiling/calibrator.h"
#include "hwprofile/profiling/checkpoint.h"
#include "hwprofile/reported/reported_by_driver.h"
#include "tensordsl/error.h"

namespace tensordsl::hwprofile {
namespace {

constexpr std::size_t kPasses = 2;

std::vector<Probe> chosen_probes(const std::vector<std::string>& only) {
  std::vector<std::string_view> names;
  for (const Probe& probe : all_probes()) names.push_back(probe.name);
  for (const std::string& name : only) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    throw Error(fmt::format("unknown probe \"{}\"; the probes are {}", name, fmt::join(names, ", ")));
  }
  std::vector<Probe> chosen;
  for (const Probe& probe : all_probes()) {
    if (only.empty() || std::find(only.begin(), only.end(), probe.name) != only.end())
      chosen.push_back(probe);
  }
  return chosen;
}

ProbePass pass_of(const Probe& probe, Device& device, double seconds, const Clock& clock) {
  Bench bench(device, seconds, clock);
  ProbePass pass;
  // A failure of one probe must not lose its earlier results, or results of other probes.
  try {
    Calibrator calibrator(device, seconds, clock);
    pass.calibrations.push_back(calibrator.measure());
    probe.measure(bench, pass.curves);
    pass.calibrations.push_back(calibrator.measure());
  } catch (const Error& e) {
    pass.error = e.what();
  }
  return pass;
}

/// Returns a checkpoint's results of a probe, up to the first failure.
ProbeResult result_of(const Probe& probe, const std::vector<ProbeResult>& known) {
  ProbeResult result{std::string(probe.name), {}};
  const auto it =
      std::find_if(known.begin(), known.end(), [&](const ProbeResult& r) { return r.probe == probe.name; });
  if (it == known.end()) return result;
  for (const ProbePass& pass : it->passes) {
    if (!pass.error.empty() || result.passes.size() == kPasses) break;
    result.passes.push_back(pass);
  }
  return result;
}

}  // namespace

Steadiness steadiness_of(const ProbeResult& result) {
  std::vector<Calibration> all;
  for (const ProbePass& pass : result.passes)
    all.insert(all.end(), pass.calibrations.begin(), pass.calibrations.end());
  return steadiness(all);
}

HwProfile profile_of(const DeviceInfo& info, std::vector<ProbeResult>& results) {
  const HwProfile reported = reported_by_driver(info);
  HwProfile profile;
  for (ProbeResult& result : results) {
    const auto probe = std::find_if(all_probes().begin(), all_probes().end(),
                                    [&](const Probe& p) { return p.name == result.probe; });
    if (probe == all_probes().end()) continue;
    std::vector<HwProfile> passes(kPasses);
    for (std::size_t pass = 0; pass < std::min(kPasses, result.passes.size()); ++pass) {
      try {
        probe->analyze(result.passes[pass].curves, info, passes[pass]);
      } catch (const Error& e) {
        if (result.passes[pass].error.empty()) result.passes[pass].error = e.what();
      }
    }
    HwProfile part = agreed(passes[0], passes[1]);
    doubt_unsteady(part, steadiness_of(result));
    merge_into(profile, part);
  }
  settle_contradictions(profile);
  profile.device = info.name;
  profile.driver = info.driver;
  profile.sources = {"measured by tensordsl profile"};
  // Limits are those that the driver reports.
  profile.local_memory.bytes = reported.local_memory.bytes;
  profile.constant_memory.bytes = reported.constant_memory.bytes;
  profile.sub_group_sizes = reported.sub_group_sizes;
  return profile;
}

DeviceProfile profile_device(Device& device, const ProfileOptions& options, const ProfileProgress& progress) {
  if (device.info().backend != kOpenClBackend) {
    throw DeviceError(
        fmt::format("profile: {} is not an OpenCL device, and the probes are OpenCL kernels; without a "
                    "profile, schedules use the properties that the device reports; or profile this "
                    "processor as an OpenCL device (--device cpu)",
                    device.info().name));
  }
  const std::vector<Probe> probes = chosen_probes(options.only);
  const DeviceInfo& info = device.info();
  CheckpointKey key{info.name, info.driver, info.platform, options.seconds, {}};
  for (const Probe& probe : probes) key.probes.emplace_back(probe.name);
  Checkpoint known;
  if (!options.checkpoint.empty()) known = read_checkpoint(options.checkpoint, key);
  DeviceProfile result;
  int weights = 0, done = 0;
  for (const Probe& probe : probes) {
    weights += probe.weight;
    result.results.push_back(result_of(probe, known.results));
    result.resumed += static_cast<int>(result.results.back().passes.size());
  }
  const int total = static_cast<int>(kPasses * probes.size());
  if (options.notice && !known.damage.empty()) {
    options.notice(fmt::format(
        "{} is damaged: {}; of {} measurements {} could be read and are kept; the others are repeated",
        options.checkpoint.string(), known.damage, total, result.resumed));
  } else if (options.notice && result.resumed > 0) {
    options.notice(fmt::format("resuming from {}, which has {} of {} measurements",
                               options.checkpoint.string(), result.resumed, total));
  }
  // Minutes of measuring are not to end at a folder that is not there.
  if (!options.checkpoint.empty()) write_checkpoint(options.checkpoint, key, result.results);
  for (std::size_t pass = 0; pass < kPasses; ++pass) {
    for (std::size_t i = 0; i < probes.size(); ++i) {
      const Probe& probe = probes[i];
      if (progress) progress(probe.name, done++, total);
      auto& passes = result.results[i].passes;
      if (passes.size() > pass) continue;
      passes.push_back(pass_of(probe, device,
                               options.seconds * probe.weight / weights / static_cast<double>(kPasses),
                               options.clock));
      if (!options.checkpoint.empty()) write_checkpoint(options.checkpoint, key, result.results);
    }
  }
  if (progress) progress("", total, total);
  result.profile = profile_of(info, result.results);
  return result;
}

}  // namespace tensordsl::hwprofile
