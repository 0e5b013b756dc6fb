// Whether a device was the same while it was measured.
#pragma once

#include <vector>

#include "tensordsl/hw_profile.h"

namespace tensordsl::hwprofile {

/// What a fixed chain of dependent operations took at some moment. It has nothing to wait for but the clock,
/// and takes as long on all compute units as on one, unless something else runs on some of them.
struct Calibration {
  double one_unit_ns = 0;   ///< of an operation, on one compute unit
  double all_units_ns = 0;  ///< of an operation, with such a chain on each compute unit

  friend bool operator==(const Calibration&, const Calibration&) = default;
};

struct Steadiness {
  double clock = 1;  ///< how many times as long an operation took at the slowest moment as at the fastest
  double load = 1;   ///< how many times as long it took on all units as on one, at the worst moment

  /// Within what noise does.
  bool has_one_clock() const;
  bool is_alone() const;
};

/// Of none, a device that nobody watched, both are infinite.
Steadiness steadiness(const std::vector<Calibration>& calibrations);

/// What was measured of such a device is no longer confident if something else ran on it: that takes units,
/// caches and bandwidth away. If only its clock changed, rates and times are not; sizes and counts, which are
/// seen in ratios, stay, and so does the tick of events.
void doubt_unsteady(HwProfile& profile, const Steadiness& steadiness);

/// A copy reads what it writes, so memory is read at least as fast as it is copied, in bytes a second. Reads
/// that seem slower by what noise does are as fast as the copy; if they seem slower by more, they were
/// disturbed, and are a guess whose interval reaches up to the copy.
void settle_contradictions(HwProfile& profile);

}  // namespace tensordsl::hwprofile
