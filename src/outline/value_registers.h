// Registers of the values on the way to an element.
#pragma once

#include <functional>
#include <vector>

#include "ir/nodes/function.h"

namespace tensordsl::outline {

/// Returns the registers, for one lane, of the values that live at once while those of a definition are
/// computed: what is used again lives until then. An element of a Func for which `is_held` is true has a
/// register already, and gives it back after its last use.
int value_registers(const std::vector<Expr>& values, const std::function<bool(const ir::Function&)>& is_held);

}  // namespace tensordsl::outline
