// f inline:  g(x) = f(x + 1)*2, f(x) = a(x)*3   ->   g(x) = (a[x + 1]*3)*2
// Needs: definitions as written.  Gives: the Funcs that have loops, producers before consumers, with every
// Call turned into a Load of an Input or of another Producer.
#pragma once

#include <vector>

#include "lower/stages.h"

namespace tensordsl::lower {

/// Inlines Funcs into their consumers. `functions` is ir::reachable(outputs).
std::vector<Producer> inline_functions(const std::vector<ir::FunctionPtr>& functions,
                                       const std::vector<ir::FunctionPtr>& outputs);

}  // namespace tensordsl::lower
