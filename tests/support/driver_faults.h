// Faults of the drivers of Debian 12 that these do not report; tests avoid them where they cannot be detected
// otherwise.
#pragma once

#include "tensordsl/device.h"

namespace tensordsl {

inline bool is_pocl(const DeviceInfo& device) { return device.platform == "Portable Computing Language"; }

/// Mesa 22.3 ends the process when it is given a binary that is not its own.
inline bool aborts_on_foreign_binaries(const DeviceInfo& device) { return device.platform == "rusticl"; }

/// Mesa 22.3 says of every launch that it began at 2 ns and ended at 3 ns.
inline bool has_no_launch_times(const DeviceInfo& device) { return device.platform == "rusticl"; }

}  // namespace tensordsl
