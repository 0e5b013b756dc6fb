// When a kernel may multiply a vector by a scalar as it is.
#pragma once

namespace tensordsl::hwprofile {

/// Least speed of scalar*vector, as a share of that of vector*vector, with which
/// HwProfile::autobroadcast_pays is true: a widened scalar takes registers, so that about the same speed is
/// enough.
inline constexpr double kLeastAutobroadcastSpeedup = 0.9;

}  // namespace tensordsl::hwprofile
