// Graphviz's program dot as a child process: it may be missing, may fail, and may take too long, and nothing
// of that is our end.
#pragma once

#include <optional>
#include <string>

namespace tensordsl::report {

/// What dot makes of `source` in its format json0; nothing if it takes more than `seconds`. Throws Error if
/// it is not installed, or fails.
std::optional<std::string> run_dot(const std::string& source, double seconds);

}  // namespace tensordsl::report
