// The input and the output of every planner of memory for intermediates.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/memory/lifetimes.h"

namespace tensordsl::graph {

/// A device's requirements on memory.
struct MemoryLimits {
  /// Offsets in a slot are multiples of it: a power of two. 4096 is enough for every device that we know of:
  /// CPUs and most GPUs ask for 128 bytes, others for 256, 512 or a page.
  std::int64_t alignment = 4096;
  /// The largest slot; only a single tensor may exceed it. Devices of OpenCL's full profile allocate 128 MiB
  /// at once.
  std::int64_t most_slot_bytes = std::int64_t{128} << 20;
  /// True if a tensor may lie at an offset in a slot. Drivers of discrete GPUs are slow to launch with
  /// overlapping sub-buffers: on an H100 a first use in a run takes 40 to 230 us more, by its size.
  bool allows_offsets = true;
};

struct MemoryPlan {
  struct Place {
    int slot = -1;
    std::int64_t offset = 0;
    friend bool operator==(const Place&, const Place&) = default;
  };

  std::vector<Place> places;             ///< place of each lifetime
  std::vector<std::int64_t> slot_bytes;  ///< bytes of each allocation
  std::int64_t total_bytes() const;
};

/// Plans no two of which are at once in the same bytes. Each is deterministic.
struct MemoryPlanner {
  std::string name;
  MemoryPlan (*plan)(const std::vector<Lifetime>& lives, const MemoryLimits& limits);
  /// Largest number of tensors that the planner takes; with more it is too slow.
  std::size_t most_tensors = SIZE_MAX;
  bool has_offsets = false;
};

}  // namespace tensordsl::graph
