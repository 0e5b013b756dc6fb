#include "measure/device_measurer.h"

#include "measure/measure_candidates.h"

namespace tensordsl::measure {

std::vector<Measured> DeviceMeasurer::measure(const Request& request) {
  return measure_candidates(request, device_).programs;
}

}  // namespace tensordsl::measure
