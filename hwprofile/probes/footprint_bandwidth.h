// Bandwidth over the footprint that all work-groups read again and again.
#pragma once

#include "hwprofile/probes/bench.h"
#include "hwprofile/probes/probe.h"

namespace tensordsl::hwprofile {

/// One kernel that reads a footprint.
struct FootprintReader {
  KernelText text;
  std::vector<KernelArgumentValue> arguments;  ///< arguments before a last i32, the number of passes
  double bytes_of_round = 0;                   ///< bytes that one work-item reads in a pass
  double footprint = 0;                        ///< bytes
};

/// Returns the GB/s of all work-groups together. `rounds`, 0 at first, is the number of passes over the
/// footprint: long enough to time, and so many that each group reads a small footprint, and the groups of one
/// compute unit together a large one, at least once.
double footprint_bandwidth(Bench& bench, const FootprintReader& reader, std::int32_t& rounds);

/// Returns the distance between the first reads of groups: they are spread over the footprint, as consecutive
/// groups would otherwise hit in a cache the lines that the first one fetched.
std::int32_t apart_in(std::int64_t elements, const DeviceInfo& info);

/// Returns the work-items of a group, for the kernel that `text_of` gives for it, and the groups of a launch,
/// that keep the device busy.
int busy_group(Bench& bench, const std::function<KernelText(int group)>& text_of);
std::int64_t busy_groups(const DeviceInfo& info);

}  // namespace tensordsl::hwprofile
