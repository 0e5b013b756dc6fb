// An Inspection for a terminal.
#pragma once

#include <optional>
#include <string>

#include "tensordsl/inspection.h"

namespace tensordsl::cli {

/// Returns passes, kernels, the layout transformations that are left and why, divisions in the kernels, and
/// memory. `columns`: width of the terminal; nullopt: lines are not wrapped.
std::string inspect_text(const Inspection& inspection, std::optional<int> columns);

}  // namespace tensordsl::cli
