// Prints the results of `tensordsl autoschedule`.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tensordsl/autoschedule.h"

namespace tensordsl::cli {

nlohmann::ordered_json to_json(const AutoscheduleReport& report);

/// Formats a table: kernel, strategy, time and whether it was timed or predicted, GFLOPS, share of the
/// device's peak, share of the time, and the speedup over the untuned default. The totals under it are of the
/// timed kernels, if any was timed.
std::string to_text(const AutoscheduleReport& report);

}  // namespace tensordsl::cli
