// Which buffers may share memory.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/lifetimes.h"

namespace tensordsl {

struct MemoryPlan {
  std::vector<int> slots;                ///< per buffer, the slot that holds it
  std::vector<std::int64_t> slot_bytes;  ///< per slot
  std::int64_t total_bytes() const;
};

/// Greedy by size: the largest buffers choose first, each takes the smallest slot that is free for its whole
/// life. Two buffers in one slot are never needed at the same step. Source: TFLite GPU, section 5.
MemoryPlan plan_memory(const std::vector<Lifetime>& buffers);

}  // namespace tensordsl
