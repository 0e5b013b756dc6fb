// Prints the results of `tensordsl autoschedule`.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tensordsl/autoschedule.h"

namespace tensordsl::cli {

nlohmann::ordered_json to_json(const AutoscheduleReport& report);

/// A table: kernel, strategy, GFLOPS, share of what the device could do, share of the time, and how much
/// faster it is than what is taken where nobody looks.
std::string to_text(const AutoscheduleReport& report);

}  // namespace tensordsl::cli
