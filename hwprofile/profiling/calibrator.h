// A fixed piece of work that measures how fast the device is now, and whether other programs use a part of
// it.
#pragma once

#include "hwprofile/analysis/steady.h"
#include "hwprofile/probes/bench.h"

namespace tensordsl::hwprofile {

class Calibrator {
 public:
  /// Builds its kernel, and waits until a device that was idle has reached its clock. `seconds`: the duration
  /// of the probe whose begin and end it watches.
  Calibrator(Device& device, double seconds, const Clock& clock);

  Calibration measure();

 private:
  double seconds_on(std::int64_t units);

  Bench bench_;
  std::shared_ptr<DeviceBuffer> out_;
  std::int32_t steps_ = 0;
};

}  // namespace tensordsl::hwprofile
