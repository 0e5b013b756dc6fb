// A kernel's use of a device's resources, as far as that decides whether it can be fast.
#pragma once

#include <cstdint>

#include "predict/device_figures.h"
#include "predict/kernel_work.h"

namespace tensordsl::predict {

/// Resource usage of a configuration, by expressions of its knobs, or of a kernel, by its text.
struct KernelUsage {
  std::int64_t group_items = 1;
  std::int64_t registers = 0;    ///< 32-bit ones of a work-item
  std::int64_t local_bytes = 0;  ///< local memory of a work-group
  std::int64_t iteration_bytes =
      0;                       ///< bytes of memory that a work-group reads in an iteration of its innermost
                               ///< loop
  int access_elements = 1;     ///< elements of the accesses that read most
  bool reads_buffers = false;  ///< true if it reads elements of buffers more than once, in loops
  bool reads_images = false;
  double instructions = 0;  ///< instructions of the text
};

KernelUsage usage_of(const KernelWork& work, const DeviceFigures& device);

}  // namespace tensordsl::predict
