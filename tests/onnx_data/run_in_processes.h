// Cases in processes of their own: one that ends its process does not end the rest.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <vector>

#include "onnx_data/result.h"
#include "onnx_data/run_cases.h"

namespace tensordsl::conformance {

/// The work of a process: it reports the result of each job, and may end in the middle of one.
using Work = std::function<void(const std::vector<Job>&, const Listener&)>;

/// Returns the result of each job; jobs are numbered from 0. Shares the batches among as many processes. A
/// process that ends early, or reports nothing for longer than `timeout`, is replaced by another one, which
/// runs the unfinished jobs one by one. Throws Error with what `work` throws. Needs: no other threads, and no
/// device opened yet.
std::vector<Result> run_in_processes(const std::vector<Job>& jobs, const Work& work, std::size_t processes,
                                     std::chrono::milliseconds timeout);

}  // namespace tensordsl::conformance
