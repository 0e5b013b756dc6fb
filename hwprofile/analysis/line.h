// A straight line through a sweep.
#pragma once

#include "hwprofile/analysis/sweep.h"
#include "tensordsl/hw_profile.h"

namespace tensordsl::hwprofile {

/// y = base + slope * x.
struct Line {
  Measurement slope;
  double base = 0;
};

/// The median of the slopes between all pairs of points, weighted by their distance (Theil and Sen): outliers
/// do not move it. The interval covers the slopes of the rounds. Confident if the interval is within 10 %.
/// Throws Error on fewer than two points.
Line fit_line(const Sweep& sweep);

}  // namespace tensordsl::hwprofile
