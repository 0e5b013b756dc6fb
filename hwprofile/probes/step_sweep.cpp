#include "hwprofile/probes/step_sweep.h"

#include "hwprofile/analysis/first_step.h"

namespace tensordsl::hwprofile {

Curve measure_first_step(Bench& bench, const std::string& name, const std::string& x, const Sampler& seconds,
                         double most) {
  seconds(1);  // what a first launch costs is not of interest
  return {name, x, "s", bench.sweep(points_around_step(seconds, most), seconds, 15)};
}

}  // namespace tensordsl::hwprofile
