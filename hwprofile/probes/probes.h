// The probes, one file each.
#pragma once

#include "hwprofile/analysis/hierarchy.h"
#include "hwprofile/analysis/line.h"
#include "hwprofile/analysis/peak.h"
#include "hwprofile/analysis/staircase.h"
#include "hwprofile/probes/probe.h"

namespace tensordsl::hwprofile {

Probe arithmetic_probe();
Probe memory_probe();
Probe launch_probe();
Probe buffer_cache_probe();
Probe warp_probe();

}  // namespace tensordsl::hwprofile
