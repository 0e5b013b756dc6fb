// Parts that the specifications of all charts share.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "report/chart.h"

namespace tensordsl::report {

/// "bandwidth (GB/s)"; bytes and seconds have their units next to the numbers.
std::string axis_title(const Quantity& what);

/// The Vega expression of a tick's label, with the prefixes of report/quantity.h.
std::string tick_label(std::string_view unit);

/// The part of the list whose "name" is `name`, to be filled.
nlohmann::ordered_json& named(nlohmann::ordered_json& list, std::string_view name);

/// Room for an entry of a legend, in pixels.
int legend_entry_width(const std::vector<std::string>& names);

/// "5 ns at 2 KiB, between 4 ns and 6 ns"; `at` is left out if it is empty.
std::string value_text(const std::string& value, const std::string& at, const std::string& low,
                       const std::string& high);

/// Bytes that are not UTF-8 become U+FFFD.
std::string json_text(const nlohmann::ordered_json& specification);

}  // namespace tensordsl::report
