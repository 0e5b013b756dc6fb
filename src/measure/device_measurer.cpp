#include "measure/device_measurer.h"

#include "measure/measure_candidates.h"

namespace tensordsl::measure {

std::vector<Measured> DeviceMeasurer::measure(const Request& request, const MeasureHooks& hooks) {
  Timing timing;
  timing.hooks = hooks;
  return measure_candidates(request, device_, timing).programs;
}

}  // namespace tensordsl::measure
