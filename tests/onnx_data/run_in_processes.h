// Cases in processes of their own: one that ends its process does not end the rest.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "onnx_data/case.h"
#include "onnx_data/result.h"

namespace tensordsl::conformance {

struct RunOptions {
  std::string device;                 ///< as Device::open takes it
  std::size_t kernels = 64;           ///< of an OpenCL program, about
  bool isolate = false;               ///< every case in an OpenCL program of its own
  std::chrono::seconds timeout{300};  ///< of a process that tells nothing
};

/// What became of each. A process that ends early or takes too long is followed by another one, in which those
/// that it was about run by themselves. Throws Error if there is no such device. Needs: no other threads, and
/// no device opened yet.
std::vector<Result> run_in_processes(const std::vector<Case>& cases, const RunOptions& options);

}  // namespace tensordsl::conformance
