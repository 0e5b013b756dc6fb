// What writes kernels for one kind of device. A backend has two halves: this one compiles and needs no
// device; the other, a Driver (runtime/driver.h), finds and opens devices. backends/ has the lists of both.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "lower/lowered.h"
#include "tensordsl/device.h"
#include "tensordsl/kernel_source.h"

namespace tensordsl {

class Backend {
 public:
  virtual ~Backend() = default;

  /// What DeviceInfo::backend says of the devices that run its kernels.
  virtual std::string name() const = 0;

  /// The entry is named after the kernel, and otherwise than `taken_entries`. `device` is what will run the
  /// kernel, or null where that is not known. Throws ScheduleError if its compilers would not take the
  /// kernel.
  virtual KernelSource emit(const lower::LoweredKernel& kernel, const std::set<std::string>& taken_entries,
                            const DeviceInfo* device) const = 0;
};

using Backends = std::vector<std::shared_ptr<const Backend>>;

}  // namespace tensordsl
