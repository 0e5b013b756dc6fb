// Disturbances of a profiling run, for people.
#pragma once

#include <string>
#include <vector>

#include "hwprofile/profiling/probe_result.h"

namespace tensordsl::hwprofile {

/// Describes the probes during which another program ran on the device, and those during which its clock
/// changed: a line for each kind, none if the device was steady.
std::vector<std::string> unsteady_lines(const std::vector<ProbeResult>& results);

}  // namespace tensordsl::hwprofile
