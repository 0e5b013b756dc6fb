// How many fit side by side: where a flat curve leaps.
#pragma once

#include <optional>

#include "hwprofile/analysis/sweep.h"
#include "tensordsl/hw_profile.h"

namespace tensordsl::hwprofile {

/// The last point at which the cost is still that of the first point: with one more, something has to wait for its turn. Nothing if the
/// curve does not leap by 1.25 at least between two neighbouring points, or is not flat before. Confident if the interval of points that
/// the noise does not tell from it is within 10 %. Throws Error on fewer than four points.
std::optional<Figure> find_first_step(const Sweep& sweep);

}  // namespace tensordsl::hwprofile
