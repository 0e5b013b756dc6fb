// tensors a, b, c   ->   slot 0: a at 0, b at 4096, c at 0
// Needs: a Program whose launches are all there.  Gives: slots and offsets of its intermediates.
#pragma once

#include <optional>

#include "graph/memory/memory_plan.h"
#include "graph/stages/graph.h"
#include "tensordsl/device.h"
#include "tensordsl/program.h"

namespace tensordsl::graph {

/// Returns the device's requirements on memory, raised to the requirements of other devices, so that the
/// Program runs there too.
MemoryLimits memory_limits(const std::optional<DeviceInfo>& device);

/// The units that are placed in slots: single buffers, and rows of buffers that overwrite one another, where
/// a kernel stores each element over the one that it read (KernelArgument::may_overlap).
struct SharedBuffers {
  std::vector<std::vector<std::size_t>> tensors;
  std::vector<Lifetime> lives;  ///< lifetimes by row: from the first tensor's first use to the last one's
                                ///< last
};
SharedBuffers shared_buffers(const Program& program);

/// Intermediate buffers of known sizes get slots, by the best of all planners.
void share_memory(Program& program, const MemoryLimits& limits);

/// Shares the buffers of Graph::program.
void share_memory(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
