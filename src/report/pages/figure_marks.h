// Maps curves of a probe to the figures of the profile that they show.
#pragma once

#include <string_view>
#include <vector>

#include "hwprofile/probes/probe.h"
#include "report/chart.h"
#include "tensordsl/hw_profile.h"

namespace tensordsl::report {

/// Returns marks for the figures of the profile that the curve shows, where they are on it and with the value
/// that the table of all figures has. An unknown figure gets no mark.
std::vector<Mark> figure_marks(std::string_view probe, const hwprofile::Curve& curve,
                               const HwProfile& profile);

/// Returns the quantity of an axis that a curve names: "footprint" in "B" of "footprint (B)"; one that is
/// nothing but a unit, such as "GB/s", has the quantity's name.
Quantity quantity_of_axis(const std::string& axis);

}  // namespace tensordsl::report
