// Profiles as tables on the terminal.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tensordsl/hw_profile.h"

namespace tensordsl::cli {

/// A line for each parameter: its value, whether that is confident, the interval that it is in, and what
/// OpenCL says of it. `reported` holds what the driver says. Parameters that are not known have lines of
/// their own if `with_unknown`. In at most `columns`, if they are given: what OpenCL says stands below the
/// table then if it has no room in it, guesses have a mark in the place of a column, and at last intervals
/// stand on lines of their own.
std::string profile_table(const HwProfile& found, const HwProfile& reported, bool with_unknown,
                          std::optional<int> columns);

using NamedProfile = std::pair<std::string, HwProfile>;

/// A line for each parameter that one of them knows, a column for each profile; what differs by more than
/// 10 %, or is not known of all, has a star. Where they have no room side by side, there are several tables.
std::string comparison_table(const std::vector<NamedProfile>& profiles, std::optional<int> columns);

/// Returns the comparison as JSON: "profiles", and for each of "parameters" its name, unit, values in the
/// profiles' order, and whether they differ.
std::string comparison_json(const std::vector<NamedProfile>& profiles);

}  // namespace tensordsl::cli
