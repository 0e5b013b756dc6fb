// A backend writes kernels for one kind of device. It has two halves: this one compiles and needs no device;
// the other, a Driver (runtime/device/driver.h), finds and opens devices; backends/ lists both.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "lower/code_features.h"
#include "lower/lowered.h"
#include "tensordsl/device.h"
#include "tensordsl/kernel_source.h"

namespace tensordsl {

class Backend {
 public:
  virtual ~Backend() = default;

  /// Returns what DeviceInfo::backend is of the devices that run its kernels.
  virtual std::string name() const = 0;

  /// Returns the vector widths of its kernels besides 1, ascending, of 2, 3, 4, 8, 16, 32 and 64; other
  /// widths are refused. Default: the widths of OpenCL C.
  virtual std::vector<int> vector_widths() const { return lower::kOpenClVectorWidths; }
  /// Returns the rounding of the backend's own integer division; by default C's.
  virtual lower::IntegerDivision division() const { return lower::IntegerDivision::Truncating; }

  /// Writes the text of a kernel. The entry is named after the kernel, and differs from `taken_entries`.
  /// `device` is the one that will run the kernel, or null if it is not known. Throws ScheduleError if its
  /// compilers would not take the kernel.
  virtual KernelSource emit(const lower::LoweredKernel& kernel, const std::set<std::string>& taken_entries,
                            const DeviceInfo* device) const = 0;
};

using Backends = std::vector<std::shared_ptr<const Backend>>;

/// Returns the one that the device names; the first if it names none, or there is no device (null). Throws
/// DeviceError that lists what there is.
const Backend& choose_backend(const Backends& backends, const DeviceInfo* device);

}  // namespace tensordsl
