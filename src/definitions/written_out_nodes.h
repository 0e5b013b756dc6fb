// Funcs -> how long their definitions are, with what is inlined written out:  a kernel as its compiler sees
// it
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tensordsl/func.h"

namespace tensordsl::definitions {

/// Of each of `funcs`, which are each after those it reads, the nodes of its definitions. A read of one that
/// `is_inlined` counts as that one's definitions do; a read of another is one node and its indices. No number
/// is larger than `most`, however long the text would be.
std::vector<std::int64_t> written_out_nodes(const std::vector<Func>& funcs,
                                            const std::function<bool(const Func&)>& is_inlined,
                                            std::int64_t most);

}  // namespace tensordsl::definitions
