// Counts the expression nodes of each Func's definition after inlining: the size that a kernel's compiler
// sees.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tensordsl/func.h"

namespace tensordsl::definitions {

/// Counts the nodes in the definitions of each of `funcs`, producers before readers. A read of a Func that
/// `is_inlined` counts as its definitions do; a read of another one is one node plus its indices. No count
/// exceeds `most`, however long the text would be.
std::vector<std::int64_t> written_out_nodes(const std::vector<Func>& funcs,
                                            const std::function<bool(const Func&)>& is_inlined,
                                            std::int64_t most);

}  // namespace tensordsl::definitions
