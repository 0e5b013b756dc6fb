// What one probe measured.
#pragma once

#include <string>
#include <vector>

#include "hwprofile/probes/probe.h"

namespace tensordsl::hwprofile {

/// Once through a probe.
struct ProbePass {
  std::vector<Curve> curves;
  std::string error;  ///< why the device could not be asked; empty if it was

  friend bool operator==(const ProbePass&, const ProbePass&) = default;
};

struct ProbeResult {
  std::string probe;
  std::vector<ProbePass> passes;
  std::vector<Mark> marks;  ///< of the first pass

  friend bool operator==(const ProbeResult&, const ProbeResult&) = default;
};

}  // namespace tensordsl::hwprofile
