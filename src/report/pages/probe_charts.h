// The curves of a probe as charts.
#pragma once

#include <variant>
#include <vector>

#include "hwprofile/profiling/probe_result.h"
#include "report/page.h"

namespace tensordsl::report {

/// Curves over the same parameter in the same unit share a chart, as in Romou's figures 5 and 6 (MobiCom
/// 2022); the second pass is faint. Choices, which have no order, are bars.
std::vector<Element> probe_charts(const hwprofile::ProbeResult& result, const HwProfile& profile);

}  // namespace tensordsl::report
