// Runs all probes of a device twice, to check that the results agree.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "hwprofile/probes/clock.h"
#include "hwprofile/profiling/probe_result.h"

namespace tensordsl::hwprofile {

struct ProfileOptions {
  std::vector<std::string> only;  ///< probes to run; all if empty
  double seconds = 180;           ///< approximate time for all probes together
  std::filesystem::path
      checkpoint;  ///< file written after each probe, and continued from if it is of the same run; none if
                   ///< empty
  Clock clock = steady_seconds;  ///< clock that measures `seconds`
  /// Called before any measurement with a text about the checkpoint that was found.
  std::function<void(const std::string&)> notice = {};
};

struct DeviceProfile {
  HwProfile profile;
  int resumed = 0;  ///< measurements that the checkpoint had
  std::vector<ProbeResult> results;
};

/// Called with the name of the next probe (empty at the end), the number of measurements that are done, and
/// the number of all.
using ProfileProgress = std::function<void(std::string_view probe, int done, int total)>;

/// Runs every probe once and then every probe once more, so that half of the total time is between the two
/// results of a probe (analysis/agree.h), and measures the device's speed before and after each
/// (analysis/steady.h). A probe on which the device fails does not affect the others. Throws Error on an
/// unknown name in `only`, with a list of the known ones, and on a checkpoint that belongs to another run or
/// cannot be written.
DeviceProfile profile_device(Device& device, const ProfileOptions& options, const ProfileProgress& progress);

/// Returns the steadiness of the device over all passes of a probe.
Steadiness steadiness_of(const ProbeResult& result);

/// Returns the profile of the measurements; if a probe's curves give no figure, the reason goes into its
/// result.
HwProfile profile_of(const DeviceInfo& info, std::vector<ProbeResult>& results);

}  // namespace tensordsl::hwprofile
