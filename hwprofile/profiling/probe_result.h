// Measurements of one probe.
#pragma once

#include <string>
#include <vector>

#include "hwprofile/analysis/steady.h"
#include "hwprofile/probes/probe.h"

namespace tensordsl::hwprofile {

/// Once through a probe.
struct ProbePass {
  std::vector<Curve> curves;
  std::vector<Calibration> calibrations;  ///< calibrations of the device before and after
  std::string error;                      ///< why the device could not be asked; empty if it was

  friend bool operator==(const ProbePass&, const ProbePass&) = default;
};

struct ProbeResult {
  std::string probe;
  std::vector<ProbePass> passes;

  friend bool operator==(const ProbeResult&, const ProbeResult&) = default;
};

}  // namespace tensordsl::hwprofile
