// The width of the steps of a staircase.
#pragma once

#include <optional>

#include "hwprofile/analysis/sweep.h"
#include "tensordsl/hw_profile.h"

namespace tensordsl::hwprofile {

/// y = base + step * ceil(x / width), with a width that is a power of two from 2 to 256. Nothing if a
/// straight line, on which every x costs a bit more, fits about as well. Confident if no other width comes
/// near. Throws Error on fewer than four points.
std::optional<Measurement> find_step_width(const Sweep& sweep);

}  // namespace tensordsl::hwprofile
