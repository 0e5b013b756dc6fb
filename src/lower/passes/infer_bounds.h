// for out.x in [0, 56) { store out[out.x] = f[out.x - 1] + f[out.x + 1] }   ->   f: [-1, 58)
// Needs: a statement with one index per dimension.  Gives: the box of a tensor that the statement reads, over
// the variables that are free in it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lower/stages.h"

namespace tensordsl::lower {

/// The smallest box that interval analysis finds around every Load (and, with `stores`, every Store) of
/// `tensor` in `stmt`; empty if there is none. Tests (`if (x < n)`) and the conditions of selects narrow the
/// variables they speak of. Throws DefinitionError if an index cannot be bounded: it depends on data, say.
std::optional<Box> required_box(const ir::Stmt& stmt, const std::string& tensor, bool stores = false);

/// The smallest box around both.
Box hull(const Box& a, const Box& b);

}  // namespace tensordsl::lower
