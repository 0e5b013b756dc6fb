// Names of loops.
#pragma once

#include <string>

namespace tensordsl::lower {

/// Returns "conv.x" for the pure definition, "conv.1.x" for the first update. No two loops of a pipeline have
/// one name: Funcs have identifiers as names, and the pure loop of a Var("1.x") is "\1.x".
std::string loop_name(const std::string& function, int stage, const std::string& axis);

/// True if the loop is one of the pure definition, which writes an element once, or again with the same
/// value.
bool is_pure_loop_of(const std::string& function, const std::string& loop);

}  // namespace tensordsl::lower
