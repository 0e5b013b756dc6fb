// What loops are called.
#pragma once

#include <string>

namespace tensordsl::lower {

/// "conv.x" for the pure definition, "conv.1.x" for the first update. No two loops of a pipeline have one name, whatever
/// their Funcs and Vars are called: a '.' in a user's name becomes "\.", and a digit that a Var begins with "\7".
std::string loop_name(const std::string& function, int stage, const std::string& axis);

/// Whether the loop is one of the pure definition, which writes no element twice, or the same value again.
bool is_pure_loop_of(const std::string& function, const std::string& loop);

}  // namespace tensordsl::lower
