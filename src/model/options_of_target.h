#pragma once

#include <optional>
#include <string>

#include "graph/compile_graph.h"
#include "tensordsl/model.h"

namespace tensordsl {

/// Returns the profile that schedules use: the given one; else the bundled one for a device of that name;
/// else what the device itself reports. Without any of them, every figure is unknown.
HwProfile profile_of(const CompileTarget& target);

/// Returns a warning if the target's database has records, but none that compiling uses: all of them are of
/// an earlier version of the database's format or of another version of tensordsl. It counts both.
std::optional<std::string> database_warning(const CompileTarget& target);

/// Returns the options of the graph compiler for a target, with figures from profile_of().
graph::CompileOptions options_of(const CompileTarget& target);

}  // namespace tensordsl
