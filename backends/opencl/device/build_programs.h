// Builds programs of kernel sources: in parallel, through the cache.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backends/opencl/device/handle.h"
#include "runtime/device/offered_binaries.h"
#include "runtime/device/program_cache.h"
#include "tensordsl/kernel_source.h"

namespace tensordsl::opencl {

/// Device and context for which programs are built.
struct BuildTarget {
  Context context;
  cl_device_id device = nullptr;
  std::string device_name;
  /// Properties of the device and its driver for which a binary is fit.
  std::vector<std::string> identity;
  runtime::ProgramCache cache;
  std::shared_ptr<runtime::OfferedBinaries> offered =
      std::make_shared<runtime::OfferedBinaries>();  ///< binaries that all copies share
};

struct BuiltPrograms {
  std::vector<Program> programs;  // one per source; sources with equal text and options share one
  int compiled = 0;
  int from_cache = 0;  // or offered
};

/// Compiles the kernels for a device. Throws DeviceError with the kernel's name, the file to which its source
/// was saved, and the build log.
BuiltPrograms build_programs(const BuildTarget& target, const std::vector<KernelSource>& sources,
                             const std::function<void(int, int)>& progress);

/// Returns the program's binary for that device; empty if the driver does not give one.
runtime::ProgramBinary binary_of(const Program& program, cl_device_id device);

}  // namespace tensordsl::opencl
