// A list of launches as one CUDA graph.
#pragma once

#include <memory>
#include <vector>

#include "backends/cuda_graphs/cuda_objects.h"
#include "tensordsl/device.h"

namespace tensordsl::cuda {

/// Checks the launches (see check_launch) and makes a graph of them, each after the one before. `alignment`:
/// of every buffer. Throws DeviceError.
std::unique_ptr<Recording> record_graph(std::shared_ptr<const Session> session, std::vector<Launch> launches,
                                        std::int64_t alignment);

}  // namespace tensordsl::cuda
