// Reads of an update that are of its own Func.
#pragma once

#include <string>

#include "ir/nodes/function.h"

namespace tensordsl::lower {

/// True if an update reads its own Func only at the element that it writes. Reads are Loads.
bool reads_own_element_only(const ir::Definition& definition, const std::string& function);

}  // namespace tensordsl::lower
