// All probes of a device, one after the other.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hwprofile/probes/probe.h"

namespace tensordsl::hwprofile {

struct ProbeResult {
  std::string probe;
  std::vector<Curve> curves;
  std::vector<Mark> marks;
  std::string error;  ///< why the device could not be asked; empty if it was
};

struct ProfileOptions {
  std::vector<std::string> only;  ///< probes to run; all if empty
  double seconds = 180;           ///< for all of them together, about
};

struct DeviceProfile {
  HwProfile profile;
  std::vector<ProbeResult> results;
};

/// `progress` is told what runs next, the number of probes that are done, and of all. Throws Error on an unknown name in `only`, that
/// lists those there are.
DeviceProfile profile_device(Device& device, const ProfileOptions& options, const std::function<void(std::string_view, int, int)>& progress);

}  // namespace tensordsl::hwprofile
