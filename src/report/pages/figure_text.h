// Figures of a profile, for people.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tensordsl/hw_profile.h"

namespace tensordsl::report {

/// "132", "34.2 MiB", "about 4.3 us" of a guess, "?" of what is not known.
std::string figure_text(const std::optional<Measurement>& figure, std::string_view unit);

}  // namespace tensordsl::report
