// Cases in processes of their own: one that ends its process does not end the rest.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <vector>

#include "onnx_data/result.h"
#include "onnx_data/run_cases.h"

namespace tensordsl::conformance {

/// What a process does: it tells what becomes of each job, and may end while it is at it.
using Work = std::function<void(const std::vector<Job>&, const Listener&)>;

/// What becomes of each job; their numbers are those from 0 on. So many processes share the batches. One that
/// ends early, or tells nothing for longer than `timeout`, is followed by another, in which the jobs that it
/// was at run by themselves. Throws Error with what `work` throws. Needs: no other threads, and no device
/// opened yet.
std::vector<Result> run_in_processes(const std::vector<Job>& jobs, const Work& work, std::size_t processes,
                                     std::chrono::milliseconds timeout);

}  // namespace tensordsl::conformance
