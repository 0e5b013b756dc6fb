// The device's multiply-add peak, measured by a kernel of this library: chains of independent vector
// multiply-adds in registers.
#pragma once

#include "tensordsl/device.h"
#include "tensordsl/target.h"

namespace tensordsl::apps {

/// GFLOPS (a multiply-add counts two), the best of several runs of about 30 ms.
class FmaPeak {
 public:
  explicit FmaPeak(Device& device);
  double measure();

 private:
  Device& device_;
  Target target_;
  std::shared_ptr<DeviceKernel> kernel_;
  std::int64_t elements_ = 0;  ///< accumulators of all work-items
};

}  // namespace tensordsl::apps
