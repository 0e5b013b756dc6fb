// Bandwidth over the footprint that all work-groups read again and again.
#pragma once

#include "hwprofile/probes/bench.h"
#include "hwprofile/probes/probe.h"

namespace tensordsl::hwprofile {

/// One kernel that reads a footprint.
struct FootprintReader {
  KernelText text;
  std::vector<KernelArgumentValue> arguments;  ///< in front of a last i32, how often it goes round
  double bytes_of_round = 0;                   ///< that one work-item reads
};

/// GB/s of all work-groups together; `reader_of` makes a reader for a footprint in bytes.
double footprint_bandwidth(Bench& bench, const FootprintReader& reader, std::int32_t& rounds);

/// Work-items of a group, and groups of a launch, that keep the device busy.
int busy_group(const DeviceInfo& info);
std::int64_t busy_groups(const DeviceInfo& info);

}  // namespace tensordsl::hwprofile
