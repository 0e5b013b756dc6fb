// Candidates for one group, built, checked and timed against each other.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "definitions/group.h"
#include "tensordsl/device.h"
#include "tensordsl/program.h"

namespace tensordsl::tune {

struct Measured {
  std::optional<double> us;  ///< median of the device's own times; none if it failed
  std::string failure;       ///< what the driver says, or what is wrong with the result
};

/// `programs`: of the same group, one for each candidate; null: there is none. They take turns, so that what
/// slows the device down slows all of them down.
std::vector<Measured> measure_candidates(const Group& group,
                                         const std::vector<std::shared_ptr<const Program>>& programs,
                                         Device& device);

}  // namespace tensordsl::tune
