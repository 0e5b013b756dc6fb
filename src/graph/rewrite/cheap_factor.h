// Factors of products that cost less to compute again than to store.
#pragma once

#include "ir/nodes/function.h"

namespace tensordsl::graph {

/// True if a product may compute each element again where it reads it, for a few columns: a sum, difference
/// or product of two, the first of which runs along memory.
bool is_cheap_factor(const ir::Function& function);

}  // namespace tensordsl::graph
