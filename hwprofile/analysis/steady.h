// Tells whether a device's state changed while it was measured.
#pragma once

#include <vector>

#include "tensordsl/hw_profile.h"

namespace tensordsl::hwprofile {

/// Time of a fixed chain of dependent operations at some moment. It depends on the clock only, and is the
/// same on all compute units as on one, unless another program runs on some of them.
struct Calibration {
  double one_unit_ns = 0;   ///< time of an operation, on one compute unit
  double all_units_ns = 0;  ///< time of an operation, with such a chain on each compute unit

  friend bool operator==(const Calibration&, const Calibration&) = default;
};

struct Steadiness {
  double clock = 1;  ///< ratio of the times of an operation at the slowest and the fastest moment
  double load = 1;   ///< ratio of its times on all units and on one, at the worst moment

  /// True if the clock varied no more than noise does.
  bool has_one_clock() const;
  bool is_alone() const;
};

/// Returns the steadiness; without calibrations (a device that was not watched) both figures are infinite.
Steadiness steadiness(const std::vector<Calibration>& calibrations);

/// Marks figures of an unsteady device as not confident. If another program ran on it, all are: it takes
/// units, caches and bandwidth away. If only its clock changed, rates and times are; sizes and counts, which
/// are found by ratios, stay confident, and so does the tick of events.
void doubt_unsteady(HwProfile& profile, const Steadiness& steadiness);

/// Makes bandwidths consistent. A copy reads as much as it writes, so memory is read at least as fast as it
/// is copied, in bytes a second. Reads that seem slower within the noise are set to the speed of the copy;
/// reads that seem slower by more were disturbed, and become a guess whose interval reaches up to the copy.
void settle_contradictions(HwProfile& profile);

}  // namespace tensordsl::hwprofile
