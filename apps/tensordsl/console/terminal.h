// How wide the terminal is.
#pragma once

#include <optional>

namespace tensordsl::cli {

/// Columns of the terminal behind a file descriptor: what COLUMNS says, else what the terminal says, else 80.
/// Nothing if it is no terminal: what is written there is as wide as it is.
std::optional<int> terminal_columns(int descriptor);

}  // namespace tensordsl::cli
