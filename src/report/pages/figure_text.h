// Figures of a profile as text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tensordsl/hw_profile.h"

namespace tensordsl::report {

/// Formats a figure: "132", "34.2 MiB", "about 4.3 us" for a guess, "?" if it is not known.
std::string figure_text(const std::optional<Measurement>& figure, std::string_view unit);

}  // namespace tensordsl::report
