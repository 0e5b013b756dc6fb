// A probe of a device: its measurements and their analysis.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hwprofile/analysis/sweep.h"
#include "tensordsl/device.h"
#include "tensordsl/hw_profile.h"

namespace tensordsl::hwprofile {

class Bench;

/// One curve that a probe measured.
struct Curve {
  std::string name;  ///< unique within the probe
  std::string x, y;  ///< names of the axes, with units: "footprint (B)"; of points that are choices, the
                     ///< meaning of each: "0: along rows, 1: along columns"
  Sweep sweep;

  friend bool operator==(const Curve&, const Curve&) = default;
};

struct Probe {
  std::string_view name;   ///< name for --only
  std::string_view about;  ///< one line
  int weight;              ///< its share of the time, against the others'
  /// Measures on the device and adds curves one at a time, so that earlier ones are kept if the device fails.
  /// A device that cannot be measured gives none.
  void (*measure)(Bench& bench, std::vector<Curve>& curves);
  /// Analyzes only the curves, without the device, and writes the findings into the profile.
  void (*analyze)(const std::vector<Curve>& curves, const DeviceInfo& device, HwProfile& profile);
};

/// Returns all probes in the order in which they run; a later one may use the device's description, never the
/// findings of an earlier one.
const std::vector<Probe>& all_probes();

/// Returns the curve of that name; null if the probe measured none.
const Curve* find_curve(const std::vector<Curve>& curves, std::string_view name);

}  // namespace tensordsl::hwprofile
