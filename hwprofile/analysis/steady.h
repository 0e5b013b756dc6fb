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

  /// Both within what noise does.
  bool is_steady() const;
};

/// Of none, a device that nobody watched, both are infinite.
Steadiness steadiness(const std::vector<Calibration>& calibrations);

/// Every figure that goes by the clock, rates and times, is no longer confident. Sizes and counts, which are
/// seen in ratios, stay, and so does the tick of events.
void doubt_rates(HwProfile& profile);

/// A copy reads what it writes, so memory is read at least as fast as it is copied, in bytes a second. Reads
/// that seem slower by what noise does are as fast as the copy; if they seem slower by more, they were
/// disturbed, and are a guess whose interval reaches up to the copy.
void settle_contradictions(HwProfile& profile);

}  // namespace tensordsl::hwprofile
