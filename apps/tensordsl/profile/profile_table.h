// Profiles as tables on the terminal.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tensordsl/hw_profile.h"

namespace tensordsl::cli {

/// Returns a line for each parameter: its value, whether that is confident, its interval, and the value that
/// OpenCL reports. `reported` has the driver's values. Unknown parameters have lines of their own if
/// `with_unknown`. If `columns` is given and too small, the values of OpenCL move below the table, guesses
/// get a mark instead of a column, and at last intervals get lines of their own.
std::string profile_table(const HwProfile& found, const HwProfile& reported, bool with_unknown,
                          std::optional<int> columns);

using NamedProfile = std::pair<std::string, HwProfile>;

/// Returns a line for each parameter that one of the profiles knows, with a column for each profile. Values
/// that differ by more than 10 %, or are not known in all, have a star. If there is no room side by side,
/// there are several tables.
std::string comparison_table(const std::vector<NamedProfile>& profiles, std::optional<int> columns);

/// Returns the comparison as JSON: "profiles", and for each of "parameters" its name, unit, values in the
/// profiles' order, and whether they differ.
std::string comparison_json(const std::vector<NamedProfile>& profiles);

}  // namespace tensordsl::cli
