// Measures in this process: fast to begin, and ends with it if a driver does.
#pragma once

#include "measure/measurer.h"
#include "tensordsl/device.h"

namespace tensordsl::measure {

class DeviceMeasurer final : public Measurer {
 public:
  /// The device must outlive it.
  explicit DeviceMeasurer(Device& device) : device_(device) {}
  using Measurer::measure;
  std::vector<Measured> measure(const Request& request, const MeasureHooks& hooks) override;

 private:
  Device& device_;
};

}  // namespace tensordsl::measure
