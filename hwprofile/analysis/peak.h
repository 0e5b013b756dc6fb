// The highest point of a curve.
#pragma once

#include "hwprofile/analysis/sweep.h"
#include "tensordsl/hw_profile.h"

namespace tensordsl::hwprofile {

struct Peak {
  Measurement at;      ///< the first point as high as the highest; the interval holds those that the noise
                       ///< does not distinguish from it
  Measurement height;  ///< confident if it is known within 10 %
};

/// Returns the best point of a sweep. Throws Error on a sweep without points or rounds.
Peak find_peak(const Sweep& sweep);

}  // namespace tensordsl::hwprofile
