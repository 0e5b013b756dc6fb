// The parts of a launcher header that each tensor has.
#pragma once

#include <string>

#include "generator/launcher_symbols.h"

namespace tensordsl::generator {

/// Returns "float [n, 64]", and the order in memory if that differs.
std::string describe_value(const Program& program, const Program::Value& value);

// Members of the launcher.

/// Memory create_X() const
std::string create_function(const Program& program, const Program::Value& value, LauncherSymbols& symbols);
/// void write_X(queue, memory, values) const
std::string write_function(const Program& program, const Program::Value& input, LauncherSymbols& symbols);
/// void read_X(queue, memory, values) const
std::string read_function(const Program& program, const Program::Value& output, LauncherSymbols& symbols);
/// detail::Storage X_storage() const
std::string storage_function(const Program::Tensor& tensor, LauncherSymbols& symbols);

}  // namespace tensordsl::generator
