// The probes, one file each.
#pragma once

#include "hwprofile/probes/probe.h"

namespace tensordsl::hwprofile {

Probe arithmetic_probe();
Probe barrier_probe();
Probe buffer_cache_probe();
Probe constant_memory_probe();
Probe image_cache_probe();
Probe launch_probe();
Probe local_memory_probe();
Probe memory_probe();
Probe parallelism_probe();
Probe registers_probe();
Probe transfer_probe();
Probe warp_probe();

}  // namespace tensordsl::hwprofile
