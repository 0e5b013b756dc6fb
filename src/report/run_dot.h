// Graphviz's program dot as a child process: it may be missing, fail, or take too long; none of these ends
// this process.
#pragma once

#include <optional>
#include <string>

namespace tensordsl::report {

/// Runs dot on `source` and returns its output in the format json0; nullopt if it takes more than `seconds`.
/// Throws Error if dot is not installed, or fails.
std::optional<std::string> run_dot(const std::string& source, double seconds);

}  // namespace tensordsl::report
