// The width of the terminal.
#pragma once

#include <optional>

namespace tensordsl::cli {

/// Returns the columns of the terminal of a file descriptor: from COLUMNS, else from the terminal, else 80.
/// Nullopt if it is not a terminal: output is not wrapped then.
std::optional<int> terminal_columns(int descriptor);

}  // namespace tensordsl::cli
