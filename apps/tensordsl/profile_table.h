// A profile as a table on the terminal.
#pragma once

#include <string>

#include "tensordsl/hw_profile.h"

namespace tensordsl::cli {

/// A line for each parameter: its value, whether that is confident, the interval that it is in, and what
/// OpenCL says of it. `reported` holds what the driver says. Parameters that are not known have lines of
/// their own if `with_unknown`.
std::string profile_table(const HwProfile& found, const HwProfile& reported, bool with_unknown);

}  // namespace tensordsl::cli
