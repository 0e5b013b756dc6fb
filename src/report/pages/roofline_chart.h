// The roofline: the attainable speed of a kernel by its operations for each byte that it moves.
#pragma once

#include <optional>

#include "report/chart.h"
#include "tensordsl/hw_profile.h"

namespace tensordsl::report {

/// A roof for each memory whose bandwidth is known, under the peak of f32 multiply-adds; nothing if the peak
/// or every bandwidth is unknown. Source: Romou (MobiCom 2022), figure 11.
std::optional<LineChart> roofline_chart(const HwProfile& profile);

}  // namespace tensordsl::report
