// Finds how many fit in parallel: the point at which a flat curve jumps.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "hwprofile/analysis/sweep.h"
#include "tensordsl/hw_profile.h"

namespace tensordsl::hwprofile {

/// Returns the last point at which the cost is still that of the first point: with one more, something has to
/// wait for its turn. Nullopt if the curve does not rise by a factor of 1.25 or more between two neighboring
/// points, or is not flat before. Confident if the interval of points that the noise does not distinguish
/// from it is within 10 %. Throws Error on fewer than four points.
std::optional<Measurement> find_first_step(const Sweep& sweep);

/// Returns the first point beyond that step, for a parameter that is a power of two. Confident if no other
/// point can be the one.
std::optional<Measurement> find_first_beyond(const Sweep& sweep);

/// Returns the points to measure: 1, 2, 4, ... up to `most` until `cost` jumps, and, after bisection has
/// narrowed the step down, the points around it, one by one if there are few.
std::vector<double> points_around_step(const std::function<double(double point)>& cost, double most);

}  // namespace tensordsl::hwprofile
