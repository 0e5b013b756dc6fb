// Prints the results of `tensordsl autoschedule`.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tensordsl/autoschedule.h"

namespace tensordsl::cli {

nlohmann::ordered_json to_json(const AutoscheduleReport& report);

/// Formats a table: kernel, strategy, GFLOPS, share of the device's peak, share of the time, and the speedup
/// over the untuned default.
std::string to_text(const AutoscheduleReport& report);

}  // namespace tensordsl::cli
