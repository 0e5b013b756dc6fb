// What loops are called.
#pragma once

#include <string>

namespace tensordsl::lower {

/// "conv.x" for the pure definition, "conv.1.x" for the first update. No two loops of a pipeline have one
/// name, whatever their Vars are called: Funcs are called as identifiers are, and "\1.x" is the pure loop of
/// a Var("1.x").
std::string loop_name(const std::string& function, int stage, const std::string& axis);

/// Whether the loop is one of the pure definition, which writes no element twice, or the same value again.
bool is_pure_loop_of(const std::string& function, const std::string& loop);

}  // namespace tensordsl::lower
