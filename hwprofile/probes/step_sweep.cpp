#include "hwprofile/probes/step_sweep.h"

#include "hwprofile/analysis/first_step.h"

namespace tensordsl::hwprofile {

Curve measure_first_step(Bench& bench, const std::string& name, const std::string& x, const Sampler& seconds,
                         double most) {
  seconds(1);  // the first launch is not measured
  return {name, x, "s", bench.sweep(points_around_step(seconds, most), seconds, 15)};
}

}  // namespace tensordsl::hwprofile
