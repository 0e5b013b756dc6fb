// The report of autoschedule as a page.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/page.h"
#include "tensordsl/autoschedule.h"

namespace tensordsl::report {

/// Returns a page with kernels and their speedups; speed against trials; a roofline; predicted against
/// measured times; the spaces before and after each criterion; the schedules as C++. `facts`: the options, a
/// name and a value.
Page tuning_page(const AutoscheduleReport& report, const std::string& title,
                 const std::vector<std::pair<std::string, std::string>>& facts);

}  // namespace tensordsl::report
